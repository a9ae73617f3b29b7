// SPDX-License-Identifier: Apache-2.0
// What:    --rule welch, and the default while fewer than five runs are stored. Welch's t on process values, plus the
//          machine's run-to-run variance once for each side.
// Assumes: processes of a run are exchangeable; the run-to-run variance is known (from calibration, else SD 1 %).
// Source:  [welch-1947], degrees of freedom [satterthwaite-1946]; see stats/screen.hpp.
// Checked: tests/stats/rules_test.cpp; tests/stats/screen_test.cpp against the Python reference
#include "stats/rule_files.hpp"

namespace torchgate::stats {

std::vector<RuleAnswer> welch_answers(std::span<const CaseNumbers> suite, const RuleOptions& options) {
  std::vector<RuleAnswer> answers;
  answers.reserve(suite.size());
  ScreenOptions screen = screen_options(options);
  for (std::size_t i = 0; i < suite.size(); ++i) {
    if (i < options.run_sd_of_case.size()) screen.run_sd = options.run_sd_of_case[i];
    answers.push_back(as_answer(screen_few_runs(suite[i].baseline, suite[i].current, screen), options));
  }
  return answers;
}

std::vector<RuleAnswer> rule_welch(std::span<const CaseNumbers> suite, const RuleOptions& options) {
  std::vector<RuleAnswer> answers = welch_answers(suite, options);
  keep_discoveries(answers, options);
  return answers;
}

}  // namespace torchgate::stats
