// SPDX-License-Identifier: Apache-2.0
// What the statistics promise, as numbers: acceptance bars, each beside what was measured.
#pragma once

#include <string>
#include <vector>

#include "tests/simulations/evaluation.hpp"

namespace torchgate::simulations {

struct BarResult {
  std::string what;
  double measured = 0.0;  ///< percent, as the limits
  double at_least = 0.0;
  double at_most = 100.0;
  [[nodiscard]] bool holds() const { return measured >= at_least && measured <= at_most; }
};

/// The bars that exist for this profile and schedule.
std::vector<BarResult> bars_of(const Evaluation& evaluation);

}  // namespace torchgate::simulations
