// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/question.hpp"

#include "stats/drift.hpp"

namespace torchgate::simulations {

using stats::HistoryCase;
using stats::Screen;

Question::RunValues Question::without_drift(Drift drift) const {
  const std::size_t cases = request_.cases();
  RunValues values;
  values.cases.resize(cases);
  for (std::size_t which = 0; which < cases; ++which) {
    const std::span<const double> stored = request_.stored(which);
    values.cases[which].assign(stored.begin(), stored.end());
    values.cases[which].push_back(request_.current(which) + effect(which));
  }
  if (drift == Drift::kept) return values;
  const std::size_t watched = drift == Drift::of_controls ? control_cases : cases;
  const std::vector<double> shifts = *stats::drift_of_controls(std::span(values.cases).first(watched));
  for (std::vector<double>& one : values.cases) {
    for (std::size_t run = 0; run <= stored_runs; ++run) one[run] -= shifts[run];
  }
  values.shift = shifts.back();
  return values;
}

const Question::RunValues& Question::values(Drift drift) {
  auto& values = values_[static_cast<std::size_t>(drift)];
  if (!values) values = without_drift(drift);
  return *values;
}

double Question::suite_shift() {
  return values(Drift::of_suite).shift;
}

std::vector<double> Question::pairs(std::size_t which, std::size_t n) const {
  const std::span<const double> unchanged = request_.pairs(which, n);
  std::vector<double> differences(unchanged.begin(), unchanged.end());
  for (double& difference : differences) difference += effect(which);
  return differences;
}

std::vector<Screen> Question::screen_few(const Screening& screening) const {
  const double assumed = stats::ScreenOptions{}.run_sd;
  const std::vector<double>* calibrated = nullptr;
  if (screening.run_sd == RunSd::calibrated_by_3) calibrated = &request_.calibrated_run_sd(3);
  if (screening.run_sd == RunSd::calibrated_by_10) calibrated = &request_.calibrated_run_sd(stored_runs);
  std::vector<Screen> screens;
  for (std::size_t which = 0; which < request_.cases(); ++which) {
    const double run_sd = calibrated != nullptr ? (*calibrated)[which] : assumed;
    screens.push_back(request_.few_runs(which, effect(which), screening.stored, run_sd));
  }
  return screens;
}

const std::vector<Screen>& Question::screens(const Screening& screening) {
  std::vector<Screen>& screens = screens_[screening];
  if (!screens.empty()) return screens;
  if (screening.stored < stats::history_from_runs) return screens = screen_few(screening);
  std::vector<HistoryCase> suite;
  for (const std::vector<double>& one : values(screening.drift).cases) {
    suite.push_back({std::span(one).first(stored_runs), std::span(one).subspan(stored_runs)});
  }
  return screens = stats::screen_history(suite);
}

}  // namespace torchgate::simulations
