// SPDX-License-Identifier: Apache-2.0
#include "harness/base/timestamp.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <system_error>

namespace torchgate::base {
namespace {

template <class Number>
std::optional<Number> number_at(std::string_view text, std::size_t at, std::size_t length) {
  Number number{};
  if (text.size() < at + length) return std::nullopt;
  const char* const begin = text.data() + at;
  const auto [end, error] = std::from_chars(begin, begin + length, number);
  if (error != std::errc() || end != begin + length) return std::nullopt;
  return number;
}

}  // namespace

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

std::optional<std::chrono::sys_seconds> utc_seconds(std::string_view utc) {
  const auto year = number_at<int>(utc, 0, 4);
  const auto month = number_at<unsigned>(utc, 5, 2);
  const auto day = number_at<unsigned>(utc, 8, 2);
  const auto hour = number_at<int>(utc, 11, 2);
  const auto minute = number_at<int>(utc, 14, 2);
  const auto second = number_at<int>(utc, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second || !utc.ends_with('Z')) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(*month), std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
         std::chrono::seconds(*second);
}

}  // namespace torchgate::base
