// SPDX-License-Identifier: Apache-2.0
// Random inputs of the judge, made from a seed: runs with everything that a record can say, and policies with every setting.
// They need not make sense; they have to reach the corners of the judge, alone and together.
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
