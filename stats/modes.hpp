// SPDX-License-Identifier: Apache-2.0
// What:    whether the samples of a process come in two heaps, between which its median may jump.
// Assumes: logarithms of times of one process, in the order measured.
// Source:  dip test [hartigan-1985] (stats/dip.hpp) at the 1 % level of the uniform distribution, the hardest one with a
//          single mode; where the heaps are: the two groups with the smallest sum of squares [fisher-1958]. That a heap
//          holds a tenth of the samples and that they are 1 % apart makes two modes worth saying; that the series goes from
//          one to the other four times tells them from a slow wandering and from a level that changed once.
// Checked: tests/stats/modes_test.cpp; how often it is wrong: tests/stats/noise_rates_test.cpp, stats/README.md
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace torchgate::stats {

/// Below this many samples two heaps are not looked for.
inline constexpr std::size_t modes_from = 20;

struct TwoModes {
  double lower = 0.0;        ///< median of the faster samples (log)
  double upper = 0.0;        ///< median of the slower ones (log)
  double upper_share = 0.0;  ///< of the samples that are in the slower heap
};

struct ModesLimits {
  double distance = 0.01;   ///< between the heaps' medians, at least; below, the gate would not care
  double share = 0.1;       ///< of each heap, at least; fewer are outliers
  std::size_t changes = 4;  ///< from one heap to the other, at least
};

/// None when there is one heap, and below 20 samples. `sorted` are the same samples in ascending order.
std::optional<TwoModes> two_modes(std::span<const double> log_samples, std::span<const double> sorted,
                                  const ModesLimits& limits = {});

}  // namespace torchgate::stats
