// SPDX-License-Identifier: Apache-2.0
#include "stats/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace torchgate::stats {
namespace {

constexpr double most_steps = 9999;    // of the smallest value; a finer step does not matter
constexpr double tolerance = 1e-6;     // of a step; a logarithm and back are off by 1e-15 of the value
constexpr double largest_log = 300.0;  // exp stays finite
constexpr double thousand = 1000;      // from one SI unit to the next
constexpr double two_digits = 10;      // 2000 and 3000 ns are round numbers, 12000 and 13000 ns whole microseconds
constexpr double per_side = 1.0 / 12;

// Numbers of which only the logarithms are known, or (SIGN -1) their reciprocals.
class Readings {
 public:
  Readings(std::span<const double> log_values, double sign) : log_values_(log_values), sign_(sign) {
    const auto [low, high] = std::ranges::minmax(log_values, {}, [sign](double value) { return sign * value; });
    smallest_ = std::exp(sign * low);
  }

  // Whether they are decimal numbers of few digits.
  [[nodiscard]] bool have_few_digits() const {
    double step = std::pow(10, std::floor(std::log10(smallest_) + tolerance));
    for (; smallest_ / step < most_steps; step /= 10)
      if (are_multiples_of(step)) return true;
    return false;
  }

  // Of one unit, or of another power of a thousand where they have two digits of it; log, 0: none.
  [[nodiscard]] double step() const {
    double unit = std::pow(thousand, std::floor(std::log10(smallest_) / 3 + tolerance));
    for (; smallest_ / unit < most_steps; unit /= thousand) {
      const bool is_own_unit = std::abs(unit - 1) < tolerance;
      if ((is_own_unit || smallest_ / unit >= two_digits * (1 - tolerance)) && are_multiples_of(unit))
        return std::log1p(unit / smallest_);
    }
    return 0;
  }

 private:
  [[nodiscard]] bool are_multiples_of(double step) const {
    return std::ranges::all_of(log_values_, [&](double value) {
      const double steps = std::exp(sign_ * value) / step;
      return std::abs(steps - std::round(steps)) < tolerance;
    });
  }

  std::span<const double> log_values_;
  double sign_;
  double smallest_ = 0;
};

}  // namespace

double rounding_step(std::span<const double> log_values) {
  if (log_values.empty()) return 0;
  const auto [low, high] = std::ranges::minmax(log_values);
  if (!(low < high) || low < -largest_log || high > largest_log) return 0;
  const Readings values(log_values, 1);
  return (values.have_few_digits() ? values : Readings(log_values, -1)).step();
}

double rounding_variance(std::span<const double> log_values) {
  const double step = rounding_step(log_values);
  return 2 * per_side * step * step;
}

}  // namespace torchgate::stats
