// SPDX-License-Identifier: Apache-2.0
// Numbers of things in messages: "1 case", "2,400 cases".
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace torchgate::base {

/// 1234567 as "1,234,567".
std::string grouped(std::int64_t count);

/// "1 case", "2 cases". REQUIRES: COUNT fits into std::int64_t.
template <std::integral Count>
std::string counted(Count count, std::string_view singular, std::string_view plural) {
  return grouped(static_cast<std::int64_t>(count)).append(" ").append(count == 1 ? singular : plural);
}

}  // namespace torchgate::base
