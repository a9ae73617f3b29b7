// SPDX-License-Identifier: Apache-2.0
#include "harness/import/pytest_extra_info.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/lines.hpp"
#include "harness/import/rates.hpp"
#include "harness/import/units.hpp"
#include "harness/record/fact_prefixes.hpp"

namespace torchgate::import {
namespace {

using json::JsonReader;

// KEY: the last part of NAME, which may say the unit.
void add_numbers(std::string name, std::string_view key, std::vector<double> values, PytestExtraInfo& info) {
  const auto has_name = [&](const ImportedMetric& each) { return each.metric.name == name; };
  if (key.empty() || name.size() > base::max_name_bytes ||
      std::any_of(info.metrics.begin(), info.metrics.end(), has_name))
    return;
  if (info.metrics.size() == most_extra_numbers) {
    info.too_many.insert(std::move(name));
    return;
  }
  info.metrics.push_back(rate_metric(std::move(name), unit_in_name(key), std::move(values)));
  info.metrics.back().told = Told::by_nobody;
}

// The next value, which is a number or a text, as a number. TEXT: what it is else.
std::optional<double> read_number(JsonReader& reader, std::string_view key, std::string& text) {
  constexpr std::size_t longest_number = 64;
  if (reader.peek() == JsonReader::Kind::number) return reader.finite_number();
  text = reader.string(std::numeric_limits<std::size_t>::max());
  const auto value = text.size() <= longest_number ? number_in(text) : std::nullopt;
  const bool is_value = value && std::isfinite(*value) && meaning_of_unit(unit_in_name(key)).better;
  return is_value ? value : std::nullopt;
}

void read_list(JsonReader& reader, const std::string& name, std::string_view key, PytestExtraInfo& info) {
  using Kind = JsonReader::Kind;
  std::vector<double> values;
  bool whole = true;
  bool only_labels = true;
  reader.array([&](std::int64_t) {
    const Kind kind = reader.peek();
    std::optional<double> value;
    std::string text;
    if (kind == Kind::number || kind == Kind::string)
      value = read_number(reader, key, text);
    else
      reader.skip();
    if (value) values.push_back(*value);
    whole = whole && value;
    only_labels = only_labels && !value && kind != Kind::number && kind != Kind::object && kind != Kind::array;
  });
  if (whole && !values.empty())
    add_numbers(name, key, std::move(values), info);
  else if (!only_labels && name.size() <= base::max_name_bytes)
    info.not_numbers.insert(name);
}

void note_label(const std::string& name, std::string text, PytestExtraInfo& info) {
  if (!text.empty() && info.labels.size() < record::most_labels) info.labels.push_back({name, std::move(text)});
}

void read_extra_info(JsonReader& reader, const std::string& within, PytestExtraInfo& info) {
  using Kind = JsonReader::Kind;
  if (reader.peek() != Kind::object || within.size() > base::max_name_bytes) {
    reader.skip();
    return;
  }
  reader.object({}, [&](std::string_view key) {
    const std::string its_key = well_formed(key);
    const std::string name = within + its_key;
    switch (reader.peek()) {
      case Kind::object:
        return read_extra_info(reader, name + '.', info);
      case Kind::array:
        return read_list(reader, name, its_key, info);
      case Kind::number:
      case Kind::string: {
        std::string text;
        if (const auto value = read_number(reader, its_key, text))
          add_numbers(name, its_key, {*value}, info);
        else
          note_label(name, std::move(text), info);
        return;
      }
      case Kind::boolean:
        return note_label(name, std::string(reader.skip()), info);
      default:
        reader.skip();
    }
  });
}

}  // namespace

PytestExtraInfo read_pytest_extra_info(JsonReader& reader) {
  PytestExtraInfo info;
  read_extra_info(reader, "", info);
  return info;
}

}  // namespace torchgate::import
