// SPDX-License-Identifier: Apache-2.0
#include "harness/import/nvbench_summary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/bounds.hpp"

namespace torchgate::import {
namespace {

using json::JsonReader;
using Kind = JsonReader::Kind;

// A scalar as text: numbers of summaries are written as strings ("0.0010034").
std::string scalar(JsonReader& reader) {
  switch (reader.peek()) {
    case Kind::string:
      return reader.name();
    case Kind::number:
    case Kind::boolean:
      return std::string(reader.skip());
    default:
      reader.skip();
      return "";
  }
}

struct NvbenchValue {
  std::string name;
  std::string value;
};

NvbenchValue read_value(JsonReader& reader) {
  NvbenchValue value;
  reader.object({}, [&](std::string_view key) {
    if (key == "name")
      value.name = reader.name();
    else if (key == "value" || key == "input_string") {
      std::string text = scalar(reader);
      if (value.value.empty()) value.value = std::move(text);
    } else
      reader.skip();
  });
  return value;
}

std::string two_values(const std::string& tag) {
  return fmt::format("two values of {}", base::in_quotes(tag));
}

void read_summary(JsonReader& reader, NvbenchState& state) {
  std::string tag;
  std::vector<NvbenchValue> data;
  reader.object({}, [&](std::string_view key) {
    if (key == "tag")
      tag = reader.name();
    else if (key == "data" && reader.peek() == Kind::array)
      reader.array(base::max_parameters, [&](std::int64_t) { data.push_back(read_value(reader)); });
    else
      reader.skip();
  });
  if (!state.tags.insert(tag).second && !tag.empty()) return reader.fail(two_values(tag));
  for (NvbenchValue& each : data) {
    if (each.name == "value") {
      const auto number = number_in(each.value);
      if (number && std::isfinite(*number) && !state.values.emplace(tag, *number).second)
        return reader.fail(two_values(tag));
    } else if (each.name == "filename") {
      state.files[tag].name = std::move(each.value);
    } else if (each.name == "size") {
      state.files[tag].size = number_in(each.value);
    }
  }
}

}  // namespace

std::optional<double> NvbenchState::value(std::string_view tag) const {
  const auto found = values.find(tag);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

bool NvbenchState::has_values_of(std::string_view prefix) const {
  const auto first = values.lower_bound(prefix);
  return first != values.end() && first->first.starts_with(prefix);
}

NvbenchState read_nvbench_state(JsonReader& reader) {
  NvbenchState state;
  reader.object({}, [&](std::string_view key) {
    if (key == "name" || (key == "description" && state.name.empty()))
      state.name = reader.name();
    else if (key == "is_skipped")
      state.skipped = reader.boolean();
    else if (key == "skip_reason") {
      if (!reader.null()) state.skip_reason = reader.string();
    } else if (key == "axis_values" && reader.peek() == Kind::array) {
      reader.array(base::max_parameters, [&](std::int64_t) {
        NvbenchValue axis = read_value(reader);
        state.axes.push_back({std::move(axis.name), std::move(axis.value)});
      });
    } else if (key == "summaries" && reader.peek() == Kind::array) {
      reader.array(base::max_parameters, [&](std::int64_t) { read_summary(reader, state); });
    } else {
      reader.skip();
    }
  });
  return state;
}

}  // namespace torchgate::import
