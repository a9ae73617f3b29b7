// SPDX-License-Identifier: Apache-2.0
// What:    the dip: how far a sample's distribution is from the nearest one with a single mode.
// Assumes: values sorted in ascending order, finite.
// Source:  [hartigan-1985]: the largest distance between the empirical distribution function and the unimodal one that
//          makes it smallest; their algorithm with greatest convex minorant and least concave majorant [hartigan-as217].
// Checked: tests/stats/dip_test.cpp, against the definition: bisection over the width of the band in which a unimodal
//          function fits, for every place of its mode (tests/oracles/stats/make_noise_vectors.py)
#pragma once

#include <optional>
#include <span>

namespace torchgate::stats {

/// Between 1/(2n) and 1/4: 1/(2n) for a single clear mode, 1/4 for two equal modes with no values between. None
/// below four values.
std::optional<double> dip(std::span<const double> sorted);

}  // namespace torchgate::stats
