// SPDX-License-Identifier: Apache-2.0
// What:    --rule textbook. Regressed iff Welch p < 0.05 and Cohen's d > 0.2, on the raw samples as given.
// Assumes: independent samples. Iterations of one process are not: 12-31 % false alarms per test on unchanged code.
// Source:  [welch-1947], [cohen-1988]; see stats/textbook.hpp.
// Checked: tests/stats/rules_test.cpp, tests/stats/textbook_test.cpp, tests/stats/welch_test.cpp (SciPy)
#include <cmath>

#include "stats/rule_files.hpp"

namespace torchgate::stats {

std::vector<RuleAnswer> rule_textbook(std::span<const CaseNumbers> suite, const RuleOptions& /*options*/) {
  std::vector<RuleAnswer> answers;
  answers.reserve(suite.size());
  for (const CaseNumbers& one : suite) {
    TextbookOptions literal;
    literal.better = one.better;
    const Textbook judged = textbook(one.before_samples, one.after_samples, literal);
    const double worse = one.better == Better::lower ? 1.0 : -1.0;
    RuleAnswer answer;
    answer.call = judged.call;
    answer.reasons = judged.reasons;
    answer.p = judged.p;
    answer.p_limit = literal.alpha;
    if (judged.d) answer.cohen_d = worse * *judged.d;
    if (judged.ratio && *judged.ratio > 0.0) {
      answer.effect = worse * std::log(*judged.ratio);
      answer.levels = levels_from(worse * std::log(*judged.mean_before), *answer.effect, Estimator::sample_mean);
    }
    answers.push_back(answer);
  }
  return answers;
}

}  // namespace torchgate::stats
