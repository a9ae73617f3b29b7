// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/json_facts.hpp"

namespace torchgate::reports {
namespace {

// Of each type that a value may have.
struct Putting {
  json::JsonWriter& json;

  void operator()(facts::Count count) const { json.value(count.value); }
  void operator()(double number) const { json.value(number); }
  void operator()(facts::Share share) const { json.value(share.ratio); }
  void operator()(const facts::Quantity& quantity) const {
    json.begin_object();
    json.key("value");
    json.value(quantity.value);
    json.key("unit");
    json.value(std::string_view(quantity.unit));
    json.end_object();
  }
  void operator()(const std::string& text) const { json.value(std::string_view(text)); }
  void operator()(const facts::Names& names) const {
    json.begin_array();
    for (const std::string& name : names) json.value(std::string_view(name));
    json.end_array();
  }
  void operator()(Verdict verdict) const { json.value(std::string_view(to_string(verdict))); }
  void operator()(stats::Reason reason) const { json.value(stats::to_string(reason)); }
  void operator()(const facts::Fact& fact) const { put_fact(json, fact); }
  void operator()(const facts::Facts& all) const { put_facts(json, all); }
};

}  // namespace

void put_fact(json::JsonWriter& json, const facts::Fact& fact) {
  const facts::Members& members = fact.kind().members;
  json.begin_object();
  json.key("kind");
  json.value(std::string_view(fact.kind().name));
  for (std::size_t i = 0; i < members.size(); ++i) {
    json.key_of(members[i]);
    std::visit(Putting{json}, fact.values()[i].held);
  }
  json.end_object();
}

void put_facts(json::JsonWriter& json, const facts::Facts& all) {
  json.begin_array();
  for (const facts::Fact& fact : all) put_fact(json, fact);
  json.end_array();
}

}  // namespace torchgate::reports
