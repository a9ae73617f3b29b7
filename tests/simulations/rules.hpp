// SPDX-License-Identifier: Apache-2.0
// The rules whose rates are counted: a name, and the calls on a simulated pull request. The rules are those of stats/,
// called as the gate calls them.
#pragma once

#include <span>
#include <string_view>

#include "tests/simulations/answers.hpp"
#include "tests/simulations/question.hpp"

namespace torchgate::simulations {

struct Rule {
  std::string_view name;
  RuleAnswers (*ask)(Question&);
};

/// All rules that the program has, in the order of the table.
std::span<const Rule> all_rules();

/// The step for open cases with other settings, beside the one that the program has.
std::span<const Rule> open_case_rules();

inline constexpr std::string_view textbook_rule = "textbook, raw samples, 1 stored run";
inline constexpr std::string_view suite_rule = "two stages, 10 stored runs, drift of the suite removed";
inline constexpr std::string_view both_ways_rule = "two stages, speed-ups confirmed too";
inline constexpr std::string_view open_rule = "two stages, then the open cases, 10 stored runs";
inline constexpr std::string_view open_rule_few = "two stages, then the open cases, 3 stored runs, run SD by 3 runs";
inline constexpr std::string_view open_rule_one = "two stages, then the open cases, 1 stored run, run SD taken as 1 %";

}  // namespace torchgate::simulations
