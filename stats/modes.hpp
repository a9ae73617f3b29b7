// SPDX-License-Identifier: Apache-2.0
// What:    whether the samples of a process come in two heaps, between which its median may jump.
// Assumes: logarithms of times of one process; the number of independent samples among them is known.
// Source:  dip test [hartigan-1985] (stats/dip.hpp) at the 1 % level of the uniform distribution, the hardest one with a
//          single mode; where the heaps are: the two groups with the smallest sum of squares [fisher-1958]. That a heap
//          holds a tenth of the samples, and that they are 1 % apart, is what makes two modes worth saying.
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
  double distance = 0.01;  ///< between the heaps' medians, at least; below, the gate would not care
  double share = 0.1;      ///< of each heap, at least; fewer are outliers
};

/// Of log values sorted in ascending order. `effective` is how many independent ones they are worth
/// (stats/effective_sample_size.hpp): a series that changed its level once is worth a handful, and is not called bimodal
/// but drifting. None when there is one heap, and below 20 samples.
std::optional<TwoModes> two_modes_of_sorted(std::span<const double> sorted, double effective,
                                            const ModesLimits& limits = {});

}  // namespace torchgate::stats
