// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/recorded_screens.hpp"

#include "stats/drift.hpp"
#include "stats/run_value.hpp"
#include "tests/simulations/calibration.hpp"

namespace torchgate::simulations {
namespace {

double run_value(const RecordedSession& session, const Workload& workload, const Variant& variant, Value value) {
  return *stats::run_value(values_of(processes_of(session, workload, variant), value));
}

// The new run of a workload and the ten before it: run values, oldest first, the new one last.
std::vector<double> series(const Recordings& recordings, std::size_t now, const Workload& workload,
                           const Variant& variant, Value value) {
  std::vector<double> runs;
  for (std::size_t s = now - recorded_history; s < now; ++s) {
    runs.push_back(run_value(recordings.sessions[s], workload, "base", value));
  }
  runs.push_back(run_value(recordings.sessions[now], workload, variant, value));
  return runs;
}

}  // namespace

const std::vector<RecordedProcess>& processes_of(const RecordedSession& session, const Workload& workload,
                                                 const Variant& variant) {
  return session.processes.at({workload, variant});
}

std::vector<stats::Screen> screen_session(const Recordings& recordings, std::size_t now, const Variant& variant,
                                          Value value, bool without_drift) {
  std::vector<std::vector<double>> all;
  std::vector<std::vector<double>> unchanged;
  for (const Workload& workload : recordings.workloads) {
    all.push_back(series(recordings, now, workload, variant, value));
    unchanged.push_back(series(recordings, now, workload, "base2", value));
  }
  if (without_drift) {
    for (std::size_t w = 0; w < all.size(); ++w) {
      std::vector<std::vector<double>> others = unchanged;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(w));
      const auto shifts = stats::drift_of_controls(others);
      for (std::size_t run = 0; shifts && run < all[w].size(); ++run) all[w][run] -= (*shifts)[run];
    }
  }
  std::vector<stats::HistoryCase> suite;
  for (const std::vector<double>& one : all) {
    suite.push_back({std::span(one).first(recorded_history), std::span(one).subspan(recorded_history)});
  }
  return stats::screen_history(suite);
}

stats::Screen screen_few(const Recordings& recordings, std::size_t now, std::size_t stored, const Workload& workload,
                         const Variant& variant, double added, double run_sd) {
  std::vector<std::vector<double>> baseline;
  for (std::size_t s = now - stored; s < now; ++s) {
    baseline.push_back(values_of(processes_of(recordings.sessions[s], workload, "base"), &RecordedProcess::log_median));
  }
  std::vector<double> current =
      values_of(processes_of(recordings.sessions[now], workload, variant), &RecordedProcess::log_median);
  for (double& value : current) value += added;
  stats::ScreenOptions options;
  options.run_sd = run_sd;
  return stats::screen_few_runs(baseline, current, options);
}

std::vector<double> calibrated_run_sd(const Recordings& recordings, std::size_t now, std::size_t runs) {
  std::vector<std::vector<stats::ProcessNumbers>> cases;
  for (const Workload& workload : recordings.workloads) {
    std::vector<stats::ProcessNumbers>& processes = cases.emplace_back();
    for (std::size_t run = 0; run < runs; ++run) {
      // One number of a process is kept; what its iterations explain is then in the process part, not in the run part.
      for (const RecordedProcess& one : processes_of(recordings.sessions[now - runs + run], workload, "base")) {
        processes.push_back({run, one.log_median, 1, 0.0, 1.0});
      }
    }
  }
  return run_sd_of(cases, runs);
}

}  // namespace torchgate::simulations
