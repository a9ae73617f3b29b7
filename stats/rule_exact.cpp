// SPDX-License-Identifier: Apache-2.0
// What:    --rule exact. Two counts are the same or they are not: no test, no margin.
// Assumes: counts that repeat to the last unit (operator calls, allocations, bytes); other numbers are not counts.
// Source:  none needed.
// Checked: tests/stats/rules_test.cpp
#include <cmath>

#include "stats/rule_files.hpp"

namespace torchgate::stats {

std::vector<RuleAnswer> rule_exact(std::span<const CaseNumbers> suite, const RuleOptions& /*options*/) {
  std::vector<RuleAnswer> answers;
  answers.reserve(suite.size());
  for (const CaseNumbers& one : suite) {
    RuleAnswer answer;
    if (!one.before_count || !one.after_count) {
      answer.reasons.add(Reason::no_values);
    } else if (!std::isfinite(*one.before_count) || !std::isfinite(*one.after_count)) {
      answer.reasons.add(Reason::not_finite);
    } else {
      answer.call = *one.before_count == *one.after_count ? Call::equivalent : Call::changed;
      if (*one.before_count > 0.0 && *one.after_count > 0.0) {
        answer.effect = std::log(*one.after_count / *one.before_count);
        answer.levels = levels_from(std::log(*one.before_count), *answer.effect, Estimator::count);
      }
    }
    answers.push_back(answer);
  }
  return answers;
}

}  // namespace torchgate::stats
