// SPDX-License-Identifier: Apache-2.0
#include "stats/yuen.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/moments.hpp"
#include "stats/student_t.hpp"

namespace torchgate::stats {

std::optional<TrimmedMean> trimmed_mean(std::span<const double> values, double trim) {
  if (values.empty() || !(trim >= 0.0 && trim < 0.5) || !all_finite(values)) return std::nullopt;
  const std::size_t n = values.size();
  const auto cut = static_cast<std::size_t>(trim * static_cast<double>(n));
  const std::size_t kept = n - 2 * cut;
  if (kept < 2) return std::nullopt;

  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::optional<Moments> middle = moments(std::span(sorted).subspan(cut, kept));
  std::fill_n(sorted.begin(), cut, sorted[cut]);
  std::fill_n(sorted.rbegin(), cut, sorted[n - cut - 1]);
  const std::optional<Moments> winsorised = moments(sorted);
  if (!middle || !winsorised) return std::nullopt;
  const auto h = static_cast<double>(kept);
  return TrimmedMean{middle->mean, std::sqrt(winsorised->sum_of_squares / (h * (h - 1.0))), h - 1.0};
}

Interval trimmed_interval(const TrimmedMean& estimate, double level) {
  const double half_width = student_t_critical((1.0 - level) / 2.0, estimate.df) * estimate.standard_error;
  return {estimate.mean - half_width, estimate.mean + half_width, level};
}

}  // namespace torchgate::stats
