// SPDX-License-Identifier: Apache-2.0
#include "stats/outliers.hpp"

#include <algorithm>
#include <vector>

#include "stats/moments.hpp"
#include "stats/quantile.hpp"

namespace torchgate::stats {
namespace {

// Makes the median absolute deviation of normal values their standard deviation: 1 / 0.67448975...
constexpr double mad_to_sd = 1.4826022185056018;

// Median of |x - middle|: the deviations grow from the middle outwards on both sides, and merging them up to the half is
// cheaper than sorting them.
double median_absolute_deviation(std::span<const double> sorted, double middle) {
  const std::size_t n = sorted.size();
  std::size_t right = static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), middle) - sorted.begin());
  std::size_t left = right;  // one past the next on the left
  double last = 0.0;
  double before_last = 0.0;
  for (std::size_t taken = 0; taken <= n / 2; ++taken) {
    const bool from_right = left == 0 || (right < n && sorted[right] - middle <= middle - sorted[left - 1]);
    before_last = last;
    last = from_right ? sorted[right++] - middle : middle - sorted[--left];
  }
  return n % 2 == 1 ? last : before_last + (last - before_last) / 2.0;
}

}  // namespace

std::optional<std::size_t> outlier_count_of_sorted(std::span<const double> sorted, double cut) {
  if (sorted.size() < outliers_from) return std::nullopt;
  const double middle = *quantile_of_sorted(sorted, 0.5);
  const double far = cut * mad_to_sd * median_absolute_deviation(sorted, middle);
  if (!(far > 0.0)) return std::nullopt;
  const auto low = std::find_if(sorted.begin(), sorted.end(), [&](double value) { return value >= middle - far; });
  const auto high = std::find_if(sorted.rbegin(), sorted.rend(), [&](double value) { return value <= middle + far; });
  return static_cast<std::size_t>((low - sorted.begin()) + (high - sorted.rbegin()));
}

std::optional<std::size_t> outlier_count(std::span<const double> values, double cut) {
  if (!all_finite(values)) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return outlier_count_of_sorted(sorted, cut);
}

}  // namespace torchgate::stats
