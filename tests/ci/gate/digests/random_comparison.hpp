// SPDX-License-Identifier: Apache-2.0
// Random inputs for judging, made from a seed: runs with every part that a record can have, and policies with every setting.
// They need not be plausible; they have to reach every branch of ci/gate, alone and in combination.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate::testing {

struct RandomComparison {
  std::vector<record::Run> stored;   ///< the nearest first, then older ones; empty: a paired run or a single one
  std::optional<record::Run> pairs;  ///< of suspects, or the paired run itself
  std::optional<record::Run> current;
  bool confirmable = false;
  bool calibrated = false;
  std::string no_pairs_because;
  std::string rebuilt;
  policy::Policy policy;
};

RandomComparison random_comparison(std::uint64_t seed);

}  // namespace torchgate::gate::testing
