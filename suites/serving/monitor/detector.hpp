// SPDX-License-Identifier: Apache-2.0
// Alarms on a stream of latencies. Each value is scored against what was learned from values before it, and learned afterwards: a
// detector that learns first can be blind (a residual to a mean that includes it, over a deviation that includes it, never exceeds
// 1/sqrt(alpha): three for alpha = 1/9).
#pragma once

#include <cstddef>

#include "suites/serving/monitor/window.hpp"

namespace torchgate::monitor {

/// Logarithms whose deviation is below a billionth do not vary: what is left of it is the rounding of sums. Such values are not scored.
constexpr double least_sd = 1e-9;

struct Score {
  bool ready = false;     ///< false: still learning
  double deviations = 0;  ///< above the mean, in standard deviations of what is compared
  bool alarm = false;
};

/// Shewhart's chart [shewhart-1931] of the logarithms of the last 100 values: an alarm is a value more than three standard deviations
/// above their mean. It learns every value, so a new level is the normal one after 100 values.
class ThreeSigma {
 public:
  explicit ThreeSigma(double limit = 3.0, std::size_t window = 100) : limit_(limit), window_(window) {}
  /// REQUIRES: value above 0.
  Score observe(double value);

 private:
  double limit_;
  Window window_;
};

/// Roberts' chart [roberts-1959]: the exponentially weighted mean of the logarithms against L standard deviations of itself,
/// sd sqrt(alpha / (2 - alpha)). Mean and deviation are those of the first 100 values, and after an alarm, or where these do not vary, of the next 100.
class Ewma {
 public:
  explicit Ewma(double alpha = 0.1, double limit = 3.0, std::size_t baseline = 100)
      : alpha_(alpha), limit_(limit), baseline_(baseline) {}
  /// REQUIRES: value above 0.
  Score observe(double value);

 private:
  double alpha_;
  double limit_;
  Window baseline_;
  double ewma_ = 0;
  std::size_t since_ = 0;  // values since the baseline was complete
};

}  // namespace torchgate::monitor
