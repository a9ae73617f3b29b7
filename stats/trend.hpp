// SPDX-License-Identifier: Apache-2.0
// What:    whether the samples of a process rise or fall while it runs.
// Assumes: log samples in the order measured; around the trend they may be autocorrelated.
// Source:  least squares of the ranks on time, its standard error widened by sqrt(n / n_eff) of the residuals
//          (stats/effective_sample_size.hpp), Student's t with n_eff - 2 degrees of freedom: the correction of
//          [hamed-rao-1998], residuals and all, in the linear form. Ranks, so that spikes do not count more than others.
// Checked: tests/stats/trend_test.cpp, against tests/oracles/stats/make_noise_vectors.py; how often it is wrong:
//          tests/stats/noise_rates_test.cpp, stats/README.md
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace torchgate::stats {

/// Below this many samples a trend is not tested for.
inline constexpr std::size_t trend_from = 20;

struct Trend {
  double rise = 0.0;  ///< log: median of the last third of the samples minus that of the first third
  double p = 1.0;     ///< two-sided, of "neither rises nor falls"
};

struct DriftLimits {
  double rise = 0.01;  ///< at least, in either direction; smaller ones do not matter to the gate
  double p = 0.001;    ///< below: every report tests thousands of processes
};

/// None below 20 samples, when one is not finite, when they are all equal, and when they are worth fewer than eight
/// independent ones: then no test can distinguish a trend from slow drift.
std::optional<Trend> trend(std::span<const double> log_samples);

/// Whether there is a trend that is large enough to matter. The size is tested first: it is cheap, and decides for most
/// processes.
bool drifts(std::span<const double> log_samples, const DriftLimits& limits = {});

}  // namespace torchgate::stats
