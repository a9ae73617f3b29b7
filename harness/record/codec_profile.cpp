// SPDX-License-Identifier: Apache-2.0
// Operator profiles, to JSON and back. An operator is a row of three numbers: thousands of results share the same names.
#include <algorithm>
#include <unordered_set>

#include "harness/record/internal/codec_parts.hpp"

namespace torchgate::record::internal {
namespace {

/// Position of the operator, calls, self time.
constexpr std::int64_t row_values = 3;

/// An operator's name, or the shapes of its inputs.
constexpr std::size_t longest_text = 1024;

OperatorUse read_row(json::JsonReader& reader, const OperatorNames& operators, CopyBudget& copied,
                     std::unordered_set<std::int64_t>& seen) {
  OperatorUse use;
  std::int64_t read = 0;
  reader.array([&](std::int64_t index) {
    if (index == 0) {
      const std::int64_t position = reader.integer(0);
      if (position >= static_cast<std::int64_t>(operators.size())) {
        return reader.fail("expected a position in /operators, which has " + std::to_string(operators.size()) +
                           ", found " + std::to_string(position));
      }
      if (!seen.insert(position).second) return reader.fail("duplicate operator");
      if (reader.failed()) return;
      const OperatorUse& known = operators[static_cast<std::size_t>(position)];
      if (copied.take(reader, sizeof known + known.name.size() + known.inputs.size())) use = known;
    } else if (index < row_values) {
      const double value = reader.number();
      if (value < 0) reader.fail("expected a number of at least 0");
      (index == 1 ? use.calls : use.self_ns) = value;
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

double read_time(json::JsonReader& reader) {
  const double time_ns = reader.number();
  if (time_ns < 0) reader.fail("expected a time of at least 0 ns");
  return time_ns;
}

}  // namespace

void OperatorTable::add(const std::vector<CaseResult>& results) {
  for (const CaseResult& result : results) {
    if (!result.profile) continue;
    for (const OperatorUse& use : result.profile->operators) {
      const Key key{use.name, use.inputs};
      if (positions_.emplace(key, static_cast<std::int64_t>(order_.size())).second) order_.push_back(key);
    }
  }
}

std::int64_t OperatorTable::position(const OperatorUse& use) const {
  return positions_.at({use.name, use.inputs});
}

void OperatorTable::write(json::JsonWriter& json) const {
  if (order_.empty()) return;
  json.key("operators");
  json.begin_array();
  for (const auto& [name, inputs] : order_) {
    json.begin_array();
    json.value(name);
    json.value(inputs);
    json.end_array();
  }
  json.end_array();
}

void write_profile(json::JsonWriter& json, const OperatorProfile& profile, const OperatorTable& operators) {
  json.key("profile");
  json.begin_object();
  json.member("passes", profile.passes);
  json.member("call_ns", profile.call_ns);
  json.key("operators");
  json.begin_array();
  for (const OperatorUse& use : profile.operators) {
    json.begin_array();
    json.value(operators.position(use));
    json.value(use.calls);
    json.value(use.self_ns);
    json.end_array();
  }
  json.end_array();
  json.member_unless(std::int64_t{0}, "left_out", profile.left_out);
  json.member_unless(0.0, "left_out_self_ns", profile.left_out_self_ns);
  json.end_object();
}

OperatorNames read_operators(json::JsonReader& reader) {
  OperatorNames operators;
  reader.array(base::max_operators, [&](std::int64_t) {
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
    operators.push_back(std::move(use));
  });
  return operators;
}

OperatorProfile read_profile(json::JsonReader& reader, const OperatorNames& operators, CopyBudget& copied) {
  OperatorProfile profile;
  std::unordered_set<std::int64_t> seen;
  reader.object({"passes", "call_ns", "operators"}, [&](std::string_view key) {
    if (key == "passes")
      profile.passes = reader.integer(1, base::max_count);
    else if (key == "call_ns")
      profile.call_ns = read_time(reader);
    else if (key == "operators")
      reader.array([&](std::int64_t) { profile.operators.push_back(read_row(reader, operators, copied, seen)); });
    else if (key == "left_out")
      profile.left_out = reader.integer(0, base::max_count);
    else if (key == "left_out_self_ns")
      profile.left_out_self_ns = read_time(reader);
    else
      reader.skip();
  });
  return profile;
}

}  // namespace torchgate::record::internal
