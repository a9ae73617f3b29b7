// SPDX-License-Identifier: Apache-2.0
// The common axis of many changes: logarithms of ratios, labelled as relative changes. Does not depend on benchmarks.
#pragma once

#include <cstddef>
#include <vector>

namespace torchgate::reports {

/// One change with its interval, relative (0.05 = 5 % more). Ends may be infinite, and as low as -1.
struct ChangeSpan {
  double change = 0;
  double low = 0;
  double high = 0;
};

/// Where a change stands: 0 is the left end of the axis, 1 the right one.
struct AxisPlace {
  double share = 0;
  int beyond = 0;  ///< -1 left of the axis, 1 right of it: `share` is the end
};

class ForestAxis {
 public:
  /// From LOW to HIGH, relative changes. REQUIRES: -1 < LOW < HIGH, finite.
  ForestAxis(double low, double high);

  /// Unchanged in the middle.
  ForestAxis() : ForestAxis(-0.05, 0.05) {}

  /// REQUIRES: not NaN. Changes of -1 and below are left of every axis.
  [[nodiscard]] AxisPlace place(double change) const;

  /// Round changes on the axis, ascending, 0 among them where it is on the axis: at most MOST (at least 2). Even steps, or on an axis
  /// whose ends differ by more than a factor of eight, factors of 2, 5 and 10 and their inverses.
  [[nodiscard]] std::vector<double> ticks(std::size_t most) const;

 private:
  double low_;  // logarithms
  double high_;
};

/// An axis on which most of SPANS can be compared. It contains 0 and LIMITS (the gate, the margin) with some room. An interval much
/// wider than the others, or a change much larger, ends at an end of the axis instead of squeezing the others into a dot: intervals
/// are clipped at 6 times, changes at 16 times the typical change, which is the median size or the largest limit.
ForestAxis axis_for(const std::vector<ChangeSpan>& spans, const std::vector<double>& limits);

}  // namespace torchgate::reports
