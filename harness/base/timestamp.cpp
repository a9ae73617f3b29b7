// SPDX-License-Identifier: Apache-2.0
#include "harness/base/timestamp.hpp"

#include <array>
#include <cstdio>
#include <ctime>

namespace torchgate::base {

std::string utc_timestamp(std::chrono::system_clock::time_point time) {
  const auto second = std::chrono::floor<std::chrono::seconds>(time);
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(time - second).count();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(second);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> date{};
  const std::size_t length = std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  std::array<char, 8> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%03dZ", static_cast<int>(milliseconds));
  return std::string(date.data(), length) + fraction.data();
}

}  // namespace torchgate::base
