// SPDX-License-Identifier: Apache-2.0
// What:    the number of independent values whose mean would be as precise as that of the series.
// Assumes: values in the order measured, from a series that is steady: a slope or a step looks like strong correlation.
// Source:  n / (1 + 2 sum rho_k), the sum ended by the initial positive sequence [geyer-1992]: sums of neighbouring
//          autocovariances (lags 0+1, 2+3, ...) are added until one is not positive; they have the divisor n.
// Checked: tests/stats/effective_sample_size_test.cpp, against tests/oracles/stats/make_noise_vectors.py and the closed
//          form of a first-order autoregression
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace torchgate::stats {

/// Below this many values their correlation cannot be estimated.
inline constexpr std::size_t effective_from = 10;

/// Between 1 and n. Alternating values would be worth more than n for the mean; n is returned there too: it is the
/// number that was measured. None below ten values, when one is not finite, and when they are all equal.
/// Information only: no correction of iterations accounts for differences between processes.
std::optional<double> effective_sample_size(std::span<const double> values);

}  // namespace torchgate::stats
