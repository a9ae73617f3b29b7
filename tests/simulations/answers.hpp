// SPDX-License-Identifier: Apache-2.0
// What a rule says of the cases of one pull request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stats/screen.hpp"

namespace torchgate::simulations {

enum class Said : std::int8_t { nothing, slower, faster, same };
using Answers = std::vector<Said>;  ///< one per case

struct RuleAnswers {
  Answers answers;
  std::size_t suspects = 0;    ///< measured in pairs because the screen suspects them, and probes
  std::size_t pairs = 0;       ///< of those
  std::size_t open_cases = 0;  ///< left undecided by the screen and by the suspects' pairs
  std::size_t open_pairs = 0;  ///< of the cases that the screen left open
};

/// In the direction of the effect; nothing without an alarm.
inline Said direction(bool alarm, double effect) {
  if (!alarm) return Said::nothing;
  return effect > 0.0 ? Said::slower : Said::faster;
}

/// What a screen alone says: its candidates, in their direction.
inline RuleAnswers suspicions(const std::vector<stats::Screen>& screens) {
  RuleAnswers result;
  for (const stats::Screen& screen : screens) {
    Said said = screen.call == stats::Call::equivalent ? Said::same : Said::nothing;
    if (screen.candidate) said = direction(true, screen.change->effect);
    result.answers.push_back(said);
  }
  return result;
}

}  // namespace torchgate::simulations
