// SPDX-License-Identifier: Apache-2.0
// An enumeration and the words for its values, as a table.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace torchgate::base {

template <class Enum, std::size_t Count>
using EnumNames = std::array<std::pair<Enum, std::string_view>, Count>;

/// REQUIRES: NAMES has VALUE.
template <class Enum, std::size_t Count>
constexpr std::string_view name_of(const EnumNames<Enum, Count>& names, Enum value) {
  for (const auto& [candidate, name] : names) {
    if (candidate == value) return name;
  }
  return {};
}

}  // namespace torchgate::base
