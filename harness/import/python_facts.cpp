// SPDX-License-Identifier: Apache-2.0
#include "harness/import/python_facts.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "harness/import/google_benchmark_context.hpp"

namespace torchgate::import {

void read_fact(json::JsonReader& reader, ImportedProcess& process, const std::string& name,
               record::FactClass fact_class) {
  using Kind = json::JsonReader::Kind;
  record::MachineFact fact{name, std::nullopt, "", fact_class};
  switch (reader.peek()) {
    case Kind::string:
      fact.value = reader.string();
      break;
    case Kind::number:
    case Kind::boolean:
      fact.value = std::string(reader.skip());
      break;
    default:
      reader.skip();
  }
  const bool known = std::any_of(process.facts.begin(), process.facts.end(),
                                 [&](const record::MachineFact& each) { return each.name == name; });
  if (fact.value && !fact.value->empty() && !known) process.facts.push_back(std::move(fact));
}

std::optional<std::string> read_noted(json::JsonReader& reader) {
  using Kind = json::JsonReader::Kind;
  const Kind kind = reader.peek();
  if (kind == Kind::string) return reader.string(std::numeric_limits<std::size_t>::max());
  std::string value(reader.skip());
  const bool whole = value.find_first_not_of("-0123456789") == std::string::npos;
  if (kind == Kind::boolean || (kind == Kind::number && whole)) return value;
  return std::nullopt;
}

std::optional<std::string> utc_of_python_date(std::string_view date) {
  constexpr std::size_t fraction_at = std::string_view("2020-10-13 10:12:20").size();
  std::string whole(date.substr(0, fraction_at));
  std::string_view rest = date.substr(std::min(fraction_at, date.size()));
  if (rest.starts_with('.')) rest.remove_prefix(std::min(rest.find_first_not_of("0123456789", 1), rest.size()));
  return utc_of_google_benchmark_date(whole.append(rest));
}

}  // namespace torchgate::import
