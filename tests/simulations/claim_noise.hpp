// SPDX-License-Identifier: Apache-2.0
// Log ratios of the claims of simulated runs, true ratio 1: two variants of the same work, measured in the same processes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tests/simulations/claims.hpp"
#include "tests/simulations/random.hpp"

namespace torchgate::simulations {

struct ClaimNoise {
  std::string name;
  bool normal = true;  ///< each log ratio is a normal value, whatever the SDs
  /// The claims of one run of a machine whose cases do not change; the second call is another run.
  std::function<std::vector<LogRatios>(std::size_t claims, Random&)> draw;
};

/// SDs alike, recorded, or in two groups; the profiles of the simulated machines, with and without second modes.
std::vector<ClaimNoise> claim_noises();

}  // namespace torchgate::simulations
