// SPDX-License-Identifier: Apache-2.0
// The cases that a screen left undecided, measured in pairs until each is decided or a budget is spent: first those that
// need the fewest more pairs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/interleaved.hpp"
#include "tests/simulations/answers.hpp"
#include "tests/simulations/question.hpp"

namespace torchgate::simulations {

struct OpenAnswers {
  std::vector<Said> said;  ///< in the order of the cases
  std::size_t pairs = 0;
};

/// `options` are the same for all of them; their family is the number of cases.
OpenAnswers measure_open_cases(const Question& question, std::span<const std::size_t> cases,
                               const stats::InterleavedOptions& options, std::size_t budget);

}  // namespace torchgate::simulations
