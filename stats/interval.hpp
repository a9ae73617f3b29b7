// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

namespace torchgate::stats {

/// A closed interval [low, high] and the confidence it really has. `level` is the coverage reached, which for intervals
/// made of order statistics is at least what was asked for. Absent intervals are std::nullopt, never an infinite bound.
struct Interval {
  double low = 0.0;
  double high = 0.0;
  double level = 0.0;
};

/// centre -+ half_width; none when a bound is not finite.
inline std::optional<Interval> interval_around(double centre, double half_width, double level) {
  const Interval interval{centre - half_width, centre + half_width, level};
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) return std::nullopt;
  return interval;
}

}  // namespace torchgate::stats
