// SPDX-License-Identifier: Apache-2.0
#include "harness/import/bounds.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace torchgate::import {
namespace {

struct TimeUnit {
  std::string_view name;
  double ns;
};

constexpr std::array time_units{
    TimeUnit{"ns", 1},
    TimeUnit{"nsec", 1},
    TimeUnit{"nanoseconds", 1},
    TimeUnit{"us", ns_per_us},
    TimeUnit{"usec", ns_per_us},
    TimeUnit{"\u00b5s", ns_per_us},  // micro sign
    TimeUnit{"\u03bcs", ns_per_us},  // Greek letter
    TimeUnit{"microseconds", ns_per_us},
    TimeUnit{"ms", ns_per_ms},
    TimeUnit{"msec", ns_per_ms},
    TimeUnit{"milliseconds", ns_per_ms},
    TimeUnit{"s", ns_per_s},
    TimeUnit{"sec", ns_per_s},
    TimeUnit{"secs", ns_per_s},
    TimeUnit{"second", ns_per_s},
    TimeUnit{"seconds", ns_per_s},
};

}  // namespace

std::string invalid_time(std::optional<double> ns) {
  if (!ns || !std::isfinite(*ns)) return "invalid time: NaN or infinite";
  if (*ns < 0 || *ns > longest_ns) return fmt::format("invalid time: {:g} ns", *ns);
  return "";
}

std::optional<double> ns_per_unit(std::string_view unit) {
  for (const TimeUnit& known : time_units) {
    if (known.name == unit) return known.ns;
  }
  return std::nullopt;
}

std::optional<double> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range && last == end) return std::nullopt;
  return error == std::errc() && last == end ? std::optional(value) : std::nullopt;
}

}  // namespace torchgate::import
