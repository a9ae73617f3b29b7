// SPDX-License-Identifier: Apache-2.0
// The cost of interleaved pairs that stop at a clear answer, compared with measuring every pair of the plan, on the same
// differences: nine tenths of the cases unchanged, a twentieth 5 % slower, a twentieth 20 % slower.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tests/simulations/profiles.hpp"

namespace torchgate::simulations {

/// Of one kind of case.
struct CostOfKind {
  double effect = 0;  ///< relative
  std::size_t cases = 0;
  std::size_t pairs = 0;             ///< measured until the answer
  std::size_t regressed = 0;         ///< called so on the way
  std::size_t regressed_by_all = 0;  ///< called so by the test on all pairs of the plan
};

struct Cost {
  std::array<CostOfKind, 3> kinds{CostOfKind{0.0}, CostOfKind{0.05}, CostOfKind{0.20}};
  std::size_t requests = 0;
  std::size_t requests_alarmed = 0;         ///< any unchanged case called regressed on the way
  std::size_t requests_alarmed_by_all = 0;  ///< the same by all pairs

  /// Pairs measured, as a share of the plan's.
  [[nodiscard]] double share() const;
};

/// Every pull request pairs all 200 cases, which share alpha.
Cost cost_of_pairs(const Profile& profile, std::uint64_t requests, std::uint64_t seed, double no_harm_level);

/// Limits of that share: a third, six tenths on a bad machine.
double cost_bar(const Profile& profile);

}  // namespace torchgate::simulations
