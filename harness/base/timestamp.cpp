// SPDX-License-Identifier: Apache-2.0
#include "harness/base/timestamp.hpp"

#include <array>
#include <cstdio>

namespace torchgate::base {

std::string utc_timestamp(std::chrono::sys_time<std::chrono::milliseconds> time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::array<char, 96> text{};  // 24 characters; this much holds any int, which the compiler reckons with
  // No {fmt}: suites link this library.
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text.data();
}

std::string utc_timestamp(std::chrono::system_clock::time_point time) {
  return utc_timestamp(std::chrono::floor<std::chrono::milliseconds>(time));
}

}  // namespace torchgate::base
