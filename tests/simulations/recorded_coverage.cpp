// SPDX-License-Identifier: Apache-2.0
// How often the screen's 99 % intervals miss the truth: unchanged code, whose change is 0.
#include <array>

#include "stats/change_estimate.hpp"
#include "tests/simulations/recorded_rules.hpp"
#include "tests/simulations/recorded_screens.hpp"

namespace torchgate::simulations {
namespace {

constexpr double shown_level = 0.99;
constexpr std::array unchanged_variants{"base", "base2"};

bool misses_zero(const stats::Screen& screen) {
  const stats::Interval interval = stats::effect_interval(*screen.change, shown_level).value();
  return interval.low > 0.0 || interval.high < 0.0;
}

struct FewRuns {
  std::size_t stored;
  std::size_t calibrated_by;  // sessions; 0: the run SD is taken as 1 %
};
constexpr std::array few_runs{FewRuns{1, 0}, FewRuns{1, 3}, FewRuns{1, 10},
                              FewRuns{3, 0}, FewRuns{3, 3}, FewRuns{3, 10}};

std::string name_of(const FewRuns& screening) {
  std::string name = std::to_string(screening.stored) + (screening.stored == 1 ? " stored run" : " stored runs");
  if (screening.calibrated_by == 0) return name + ", run SD taken as 1 %";
  return name + ", run SD calibrated by " + std::to_string(screening.calibrated_by) + " runs";
}

}  // namespace

CountTable missed_intervals(const Recordings& recordings, std::size_t folder) {
  CountTable table;
  for (std::size_t now = 1; now < recordings.sessions.size(); ++now) {
    if (recordings.sessions[now].folder != folder) continue;
    for (const FewRuns& screening : few_runs) {
      if (now < std::max(screening.stored, screening.calibrated_by)) continue;
      std::vector<double> run_sd(recordings.workloads.size(), stats::ScreenOptions{}.run_sd);
      if (screening.calibrated_by > 0) run_sd = calibrated_run_sd(recordings, now, screening.calibrated_by);
      for (std::size_t w = 0; w < recordings.workloads.size(); ++w) {
        for (const Variant variant : unchanged_variants) {
          const stats::Screen screen =
              screen_few(recordings, now, screening.stored, recordings.workloads[w], variant, 0.0, run_sd[w]);
          table.add(name_of(screening), variant, misses_zero(screen) ? 1 : 0);
        }
      }
    }
    if (now < recorded_history) continue;
    for (const Variant variant : unchanged_variants) {
      for (const stats::Screen& screen :
           screen_session(recordings, now, variant, &RecordedProcess::log_median, false)) {
        table.add("10 stored runs, drift kept", variant, misses_zero(screen) ? 1 : 0);
      }
    }
  }
  return table;
}

}  // namespace torchgate::simulations
