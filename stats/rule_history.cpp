// SPDX-License-Identifier: Apache-2.0
// What:    --rule history, and the default from five stored runs on. A prediction test: the new run against the spread
//          of the stored runs, trimmed from eight runs on, its variance moderated over the suite.
// Assumes: the stored runs are one level plus independent run-to-run error; no change point among them.
// Source:  t prediction interval; [tukey-mclaughlin-1963], [smyth-2004]; see stats/screen.hpp.
// Checked: tests/stats/rules_test.cpp; tests/stats/screen_test.cpp against the Python reference
#include <cmath>
#include <limits>

#include "stats/rule_files.hpp"
#include "stats/run_value.hpp"

namespace torchgate::stats {
namespace {

// What cannot be summed up becomes NaN, and the screen says why.
double value_of(std::span<const double> processes) {
  return run_value(processes).value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

std::vector<RuleAnswer> history_answers(std::span<const CaseNumbers> suite, const RuleOptions& options) {
  struct RunValues {
    std::vector<double> baseline;
    std::vector<double> current;
  };
  std::vector<RunValues> values(suite.size());
  std::vector<HistoryCase> cases;
  cases.reserve(suite.size());
  for (std::size_t i = 0; i < suite.size(); ++i) {
    for (const std::vector<double>& run : suite[i].baseline) {
      if (!run.empty()) values[i].baseline.push_back(value_of(run));
    }
    if (!suite[i].current.empty()) values[i].current.push_back(value_of(suite[i].current));
    cases.push_back({values[i].baseline, values[i].current});
  }
  std::vector<RuleAnswer> answers;
  answers.reserve(suite.size());
  for (const Screen& screen : screen_history(cases, screen_options(options))) {
    answers.push_back(as_answer(screen, options));
  }
  return answers;
}

std::vector<RuleAnswer> rule_history(std::span<const CaseNumbers> suite, const RuleOptions& options) {
  std::vector<RuleAnswer> answers = history_answers(suite, options);
  keep_discoveries(answers, options);
  return answers;
}

}  // namespace torchgate::stats
