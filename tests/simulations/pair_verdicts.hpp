// SPDX-License-Identifier: Apache-2.0
// What judge_interleaved() says of one case's pairs, for any number of cases that share alpha. Where pairs stop without an
// alarm does not depend on alpha, so it is found once for all rules; only the three looks are asked again.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <tuple>

#include "stats/interleaved.hpp"

namespace torchgate::simulations {

struct PairVerdict {
  stats::Call call = stats::Call::inconclusive;
  std::size_t pairs = 0;
  double effect = 0.0;
};

class PairVerdicts {
 public:
  /// Equal to judge_interleaved(differences, options), where `which` and `effect` identify these differences, and there are
  /// options.last of them. REQUIRES: only family, alpha_share and no_harm_level of the options differ from their defaults.
  PairVerdict of(std::size_t which, double effect, std::span<const double> differences,
                 const stats::InterleavedOptions& options);

 private:
  std::map<std::tuple<std::size_t, double, double>, PairVerdict> without_alarm_;  // by case, effect and no-harm level
};

}  // namespace torchgate::simulations
