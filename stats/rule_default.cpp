// SPDX-License-Identifier: Apache-2.0
// What:    --rule default, the first of two stages: rule_history for the cases with five or more stored runs, rule_welch
//          for the others. Never more than `suspected`; rule_paired confirms.
// Assumes: what those two assume.
// Source:  the procedure of stats/README.md.
// Checked: tests/stats/rules_test.cpp
#include <algorithm>

#include "stats/rule_files.hpp"

namespace torchgate::stats {
namespace {

bool has_history(const CaseNumbers& one) {
  const auto runs =
      std::count_if(one.baseline.begin(), one.baseline.end(), [](const auto& run) { return !run.empty(); });
  return runs >= static_cast<std::ptrdiff_t>(history_from_runs);
}

}  // namespace

std::vector<RuleAnswer> rule_default(std::span<const CaseNumbers> suite, const RuleOptions& options) {
  // Only cases with a history share their variances.
  std::vector<CaseNumbers> with_history;
  for (const CaseNumbers& one : suite) {
    if (has_history(one)) with_history.push_back(one);
  }
  std::vector<RuleAnswer> answers;
  if (with_history.size() == suite.size()) {
    answers = history_answers(with_history, options);
  } else {
    answers = welch_answers(suite, options);
    std::vector<RuleAnswer> better = history_answers(with_history, options);
    auto next = better.begin();
    for (std::size_t i = 0; i < suite.size(); ++i) {
      if (has_history(suite[i])) answers[i] = *next++;
    }
  }
  keep_discoveries(answers, options);
  return answers;
}

}  // namespace torchgate::stats
