// SPDX-License-Identifier: Apache-2.0
#include "stats/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace torchgate::stats {
namespace {

constexpr int digits = 4;              // of the smallest value
constexpr double tolerance = 1e-6;     // of a step; a logarithm and back are off by 1e-15 of the value
constexpr double largest_log = 300.0;  // exp stays finite
constexpr double per_side = 1.0 / 12;

// SIGN -1: of the reciprocals, with the smallest of them first.
double decimal_step(std::span<const double> log_values, double sign) {
  const auto [low, high] = std::ranges::minmax(log_values, {}, [sign](double value) { return sign * value; });
  const double smallest = std::exp(sign * low);
  double step = std::pow(10, std::floor(std::log10(smallest) + tolerance));
  for (int digit = 0; digit < digits; ++digit, step /= 10) {
    const auto is_multiple = [&](double value) {
      const double steps = std::exp(sign * value) / step;
      return std::abs(steps - std::round(steps)) < tolerance;
    };
    if (std::ranges::all_of(log_values, is_multiple)) return std::log1p(step / smallest);
  }
  return 0;
}

}  // namespace

double rounding_step(std::span<const double> log_values) {
  if (log_values.empty()) return 0;
  const auto [low, high] = std::ranges::minmax(log_values);
  if (!(low < high) || low < -largest_log || high > largest_log) return 0;
  return std::max(decimal_step(log_values, 1), decimal_step(log_values, -1));
}

double rounding_variance(std::span<const double> log_values) {
  const double step = rounding_step(log_values);
  return 2 * per_side * step * step;
}

}  // namespace torchgate::stats
