// SPDX-License-Identifier: Apache-2.0
// What:    MSER-5: how many samples at the start of a process belong to its warm-up.
// Assumes: samples in the order measured; logarithms of times, so that a spike weighs less.
// Source:  [white-1997]: batches of 5; the cut d minimises sum (z_j - mean)^2 / (m-d)^2 over the batch means after it,
//          and is at most half of the samples. Ties go to the smallest cut.
// Checked: tests/stats/mser_test.cpp, against the definition written as a double loop
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace torchgate::stats {

/// From this many samples on, a cut at its limit is evidence about the series.
inline constexpr std::size_t never_steady_from = 100;

struct WarmUpCut {
  std::size_t discard = 0;  ///< samples to drop from the front, a multiple of 5
  /// The cut is at its limit: the series may never have become steady. At n = 40 that happens in 15-20 % of stationary
  /// processes, at n = 200 in 2-3 %: report "not steady" only when most processes of a case have it and n >= 100.
  bool at_limit = false;
};

/// None below ten samples (two batches) and when a sample is not finite.
std::optional<WarmUpCut> mser5(std::span<const double> log_samples);

}  // namespace torchgate::stats
