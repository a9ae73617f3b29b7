// SPDX-License-Identifier: Apache-2.0
#include "harness/import/go_units.hpp"

#include "harness/import/lines.hpp"

namespace torchgate::import {
namespace {

// A file that declares more units than that is not about benchmarks.
constexpr std::size_t most_units = 1000;

}  // namespace

bool GoUnits::declare(std::string_view line) {
  if (take_word(line) != "Unit") return false;
  const std::string_view name = take_word(line);
  if (name.empty() || declared_.size() == most_units) return false;
  GoUnit& unit = declared_.try_emplace(std::string(name), of(name)).first->second;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    if (word == "better=lower") unit.better = record::Direction::lower_is_better;
    if (word == "better=higher") unit.better = record::Direction::higher_is_better;
    if (word == "assume=exact") unit.exact = true;
    if (word == "assume=nothing") unit.exact = false;
  }
  return true;
}

GoUnit GoUnits::of(std::string_view unit) const {
  const auto declared = declared_.find(unit);
  if (declared != declared_.end()) return declared->second;
  if (unit == "ns/op" || unit == "sec/op" || unit == "B/op" || unit == "allocs/op")
    return {record::Direction::lower_is_better, false};
  if (unit == "MB/s" || unit == "B/s") return {record::Direction::higher_is_better, false};
  return {};
}

}  // namespace torchgate::import
