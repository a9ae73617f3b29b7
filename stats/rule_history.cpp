// SPDX-License-Identifier: Apache-2.0
// What:    --rule history, and the default from five stored runs on. A prediction test: the new run against the spread
//          of the stored runs, trimmed from eight runs on, its variance moderated over the suite.
// Assumes: the stored runs are one level plus independent run-to-run error; no change point among them.
// Source:  t prediction interval; [tukey-mclaughlin-1963], [smyth-2004]; see stats/screen.hpp.
// Checked: tests/stats/rules_test.cpp; tests/stats/screen_test.cpp against the Python reference
#include <cmath>
#include <limits>
#include <optional>

#include "stats/moments.hpp"
#include "stats/rule_files.hpp"
#include "stats/run_value.hpp"

namespace torchgate::stats {
namespace {

// What cannot be summed up becomes NaN, and the screen says why.
double value_of(std::span<const double> processes) {
  return run_value(processes).value_or(std::numeric_limits<double>::quiet_NaN());
}

// Variance between the processes of a run, pooled over the stored ones; 0: each has one.
double process_variance(std::span<const std::vector<double>> baseline) {
  double squares = 0.0;
  double df = 0.0;
  for (const std::vector<double>& run : baseline) {
    const std::optional<Moments> m = moments(run);
    if (!m || m->n < 2) continue;
    squares += m->sum_of_squares;
    df += static_cast<double>(m->n - 1);
  }
  return df > 0.0 ? squares / df : 0.0;
}

// A run value varies by what its run has for itself, and by 1 / n of the variance between processes: the spread of the stored run values is that of
// their numbers of processes.
void allow_for_fewer_processes(const CaseNumbers& numbers, HistoryCase& one) {
  double share = 0.0;  // 1 / n of a stored run, on average
  std::size_t runs = 0;
  std::size_t of_one = 0;
  for (const std::vector<double>& run : numbers.baseline) {
    if (run.empty()) continue;
    ++runs;
    of_one += run.size() == 1 ? 1U : 0U;
    share += 1.0 / static_cast<double>(run.size());
  }
  if (runs == 0 || numbers.current.empty()) return;
  const double more = 1.0 / static_cast<double>(numbers.current.size()) - share / static_cast<double>(runs);
  if (more > 0.0) one.more_variance = more * process_variance(numbers.baseline);
  one.one_process = numbers.current.size() == 1 && 2 * of_one < runs;
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
    allow_for_fewer_processes(suite[i], cases.back());
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
