// SPDX-License-Identifier: Apache-2.0
// Operator profiles. An operator is a row of three numbers: thousands of results share the same names.
#include "harness/record/internal/document.hpp"

namespace torchgate::record::internal {
namespace {

using json::optional;
using json::required;

/// An operator's name, or the shapes of its inputs.
constexpr std::size_t longest_text = 1024;

OperatorUse read_use(JsonReader& reader, Reading& context, std::unordered_set<std::int64_t>& seen) {
  constexpr std::int64_t row_values = 3;  // position, calls, self time
  OperatorUse use;
  std::int64_t read = 0;
  reader.array([&](std::int64_t index) {
    if (index == 0) {
      const std::int64_t position = reader.integer(0);
      check_position(reader, position, "/operators", context.operators.size());
      if (!seen.insert(position).second) reader.fail("duplicate operator");
      if (reader.failed()) return;
      const OperatorUse& known = context.operators[static_cast<std::size_t>(position)];
      if (context.copied.take(reader, sizeof known + known.name.size() + known.inputs.size())) use = known;
    } else if (index < row_values) {
      (index == 1 ? use.calls : use.self_ns) = at_least_0(reader);
    } else {
      reader.skip();
    }
    ++read;
  });
  if (read < row_values) {
    reader.fail("expected an operator's position, its calls and its self time, found " + std::to_string(read) +
                " values");
  }
  return use;
}

std::vector<OperatorUse> read_uses(JsonReader& reader, Reading& context) {
  std::vector<OperatorUse> uses;
  std::unordered_set<std::int64_t> seen;
  reader.array([&](std::int64_t) { uses.push_back(read_use(reader, context, seen)); });
  return uses;
}

void write_uses(JsonWriter& json, const std::vector<OperatorUse>& uses, const Writing& context) {
  json.begin_array();
  for (const OperatorUse& use : uses) {
    json.begin_array();
    json.value(context.position_of(use));
    json.value(use.calls);
    json.value(use.self_ns);
    json.end_array();
  }
  json.end_array();
}

double read_time(JsonReader& reader) {
  const double time_ns = reader.number();
  if (time_ns < 0) reader.fail("expected a time of at least 0 ns");
  return time_ns;
}

constexpr json::Table profile_fields{
    json::of<OperatorProfile>,
    required("passes", &OperatorProfile::passes, counted_from_1),
    required("call_ns", &OperatorProfile::call_ns, read_time),
    required("operators", &OperatorProfile::operators, json::form(read_uses, write_uses)),
    optional("left_out", &OperatorProfile::left_out, counted),
    optional("left_out_self_ns", &OperatorProfile::left_out_self_ns, read_time),
};

OperatorUse read_operator(JsonReader& reader) {
  OperatorUse use;
  std::int64_t read = 0;
  reader.array([&](std::int64_t index) {
    if (index < 2) {
      (index == 0 ? use.name : use.inputs) = reader.string(longest_text);
    } else {
      reader.skip();
    }
    ++read;
  });
  if (read < 2) reader.fail("expected an operator's name and its inputs, found " + std::to_string(read) + " values");
  return use;
}

void write_operator(JsonWriter& json, const OperatorUse& use) {
  json.value(std::vector{use.name, use.inputs});
}

constexpr auto operator_list = json::list_of(base::max_operators, json::form(read_operator, write_operator));

}  // namespace

constexpr Part<std::vector<OperatorUse>> operators_part = part_of<std::vector<OperatorUse>, operator_list>;
constexpr Part<OperatorProfile> profile_part = part_of<OperatorProfile, json::object_of<profile_fields>>;

}  // namespace torchgate::record::internal
