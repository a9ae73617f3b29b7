// SPDX-License-Identifier: Apache-2.0
// What:    whether the samples of a process have two modes, between which its median may jump.
// Assumes: logarithms of times of one process, in the order measured.
// Source:  dip test [hartigan-1985] (stats/dip.hpp) at the 1 % level of the uniform distribution, the least favourable
//          one with a single mode; location: the two groups with the smallest sum of squares [fisher-1958]. Each
//          mode must have a tenth of the samples, and they must be 1 % apart; the series must change between them
//          four times, which excludes slow drift and a single level change.
// Checked: tests/stats/modes_test.cpp; how often it is wrong: tests/stats/noise_rates_test.cpp, stats/README.md
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace torchgate::stats {

/// Below this many samples two modes are not tested for.
inline constexpr std::size_t modes_from = 20;

struct TwoModes {
  double lower = 0.0;        ///< median of the faster samples (log)
  double upper = 0.0;        ///< median of the slower ones (log)
  double upper_share = 0.0;  ///< of the samples that are in the slower mode
};

struct ModesLimits {
  double distance = 0.01;   ///< between the modes' medians, at least; smaller ones do not matter to the gate
  double share = 0.1;       ///< of each mode, at least; fewer are outliers
  std::size_t changes = 4;  ///< from one mode to the other, at least
};

/// None when there is one mode, and below 20 samples. `sorted` are the same samples in ascending order.
std::optional<TwoModes> two_modes(std::span<const double> log_samples, std::span<const double> sorted,
                                  const ModesLimits& limits = {});

}  // namespace torchgate::stats
