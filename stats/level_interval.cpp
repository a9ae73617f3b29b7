// SPDX-License-Identifier: Apache-2.0
#include "stats/level_interval.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "stats/student_t.hpp"
#include "stats/welch.hpp"

namespace torchgate::stats {
namespace {

std::vector<double> values_without_outliers(std::span<const double> values, const std::vector<std::size_t>& outliers,
                                            std::size_t first, std::size_t end) {
  std::vector<double> kept;
  for (std::size_t i = first; i < end; ++i) {
    if (!std::binary_search(outliers.begin(), outliers.end(), i)) kept.push_back(values[i]);
  }
  return kept;
}

}  // namespace

std::optional<Interval> level_interval(std::span<const double> log_values, const ChangePoints& found, std::size_t point,
                                       double level) {
  if (point >= found.points.size() || !(level > 0 && level < 1)) return std::nullopt;
  const ChangePoint& change = found.points[point];
  const std::size_t previous = point == 0 ? 0 : found.points[point - 1].index;
  if (found.unsettled > log_values.size()) return std::nullopt;
  const std::size_t settled = log_values.size() - found.unsettled;
  const std::size_t next = point + 1 == found.points.size() ? settled : found.points[point + 1].index;
  if (previous > change.index || change.index > next || next > log_values.size()) return std::nullopt;
  const std::size_t first = std::max(previous, change.index - std::min(change.index, level_interval_runs));
  const std::size_t end = std::min(next, change.index + level_interval_runs);
  const auto difference = welch(values_without_outliers(log_values, found.outliers, first, change.index),
                                values_without_outliers(log_values, found.outliers, change.index, end));
  if (!difference) return std::nullopt;
  double half_width = 0;
  if (difference->df) {
    const double correlated = (1 + found.autocorrelation) / (1 - found.autocorrelation);
    half_width = student_t_critical((1 - level) / 2, *difference->df) * difference->standard_error *
                 std::sqrt(correlated * std::numbers::pi / 2);
  }
  return interval_around(change.after - change.before, half_width, level);
}

}  // namespace torchgate::stats
