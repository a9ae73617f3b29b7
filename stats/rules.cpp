// SPDX-License-Identifier: Apache-2.0
#include "stats/rules.hpp"

#include <algorithm>
#include <array>

#include "stats/rule_files.hpp"

namespace torchgate::stats {
namespace {

constexpr std::array table{
    Rule{"default", "history where five runs are stored, else welch; what they suspect is confirmed by paired",
         rule_default},
    Rule{"textbook", "Welch p < 0.05 and Cohen's d > 0.2 on the raw samples as given", rule_textbook},
    Rule{"welch", "Welch on process values, with the machine's run-to-run variance added: one stored run is enough",
         rule_welch},
    Rule{"history", "prediction test of one run against five or more stored runs, variance shared over the suite",
         rule_history},
    Rule{"paired", "exact signed-rank test on interleaved pairs, stopped as soon as the answer is clear", rule_paired},
    Rule{"exact", "counted metrics only: any difference is a change, without a test", rule_exact},
};

}  // namespace

std::span<const Rule> rules() {
  return table;
}

const Rule* find_rule(std::string_view name) {
  const auto* const found =
      std::find_if(table.begin(), table.end(), [&](const Rule& rule) { return rule.name == name; });
  return found == table.end() ? nullptr : found;
}

}  // namespace torchgate::stats
