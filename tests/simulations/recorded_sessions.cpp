// SPDX-License-Identifier: Apache-2.0
// Sessions: a new run against stored ones.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "stats/change_estimate.hpp"
#include "tests/simulations/recorded_rules.hpp"
#include "tests/simulations/recorded_screens.hpp"

namespace torchgate::simulations {
namespace {

using stats::Call;

constexpr std::array variants{"base2", "alt", "p2", "p5", "p10"};

// Workloads whose changed variants mean something: those that share alpha.
std::size_t family_of(const Recordings& recordings) {
  return static_cast<std::size_t>(std::count_if(recordings.workloads.begin(), recordings.workloads.end(),
                                                [](const Workload& w) { return is_valid(w, "p10"); }));
}

}  // namespace

CountTable judge_sessions(const Recordings& recordings, std::size_t folder) {
  CountTable table;
  for (std::size_t now = recorded_history; now < recordings.sessions.size(); ++now) {
    const RecordedSession& session = recordings.sessions[now];
    const RecordedSession& last = recordings.sessions[now - 1];
    if (session.folder != folder) continue;
    for (const Variant variant : variants) {
      const auto kept = screen_session(recordings, now, variant, &RecordedProcess::log_median, false);
      const auto removed = screen_session(recordings, now, variant, &RecordedProcess::log_median, true);
      for (std::size_t w = 0; w < recordings.workloads.size(); ++w) {
        const Workload& workload = recordings.workloads[w];
        if (!is_valid(workload, variant)) continue;
        const auto& before = processes_of(last, workload, "base");
        const auto& after = processes_of(session, workload, variant);
        const auto add = [&](const std::string& rule, double alarms) { table.add(rule, variant, alarms); };
        for (std::size_t p = 0; p < after.size(); ++p) {
          add("textbook, raw samples, 1 process per side", textbook(before[p].samples, after[p].samples) ? 1 : 0);
        }
        add("textbook, raw samples, all processes", textbook(pooled(before), pooled(after)) ? 1 : 0);
        const stats::Moments means_before = moments_of(before, &RecordedProcess::mean);
        add("textbook on process means", textbook(means_before, moments_of(after, &RecordedProcess::mean)) ? 1 : 0);
        for (const std::size_t stored : {1U, 3U}) {
          const stats::Screen few = screen_few(recordings, now, stored, workload, variant);
          const std::string name = std::to_string(stored) + " stored run" + (stored > 1 ? "s" : "");
          add(name + ", suspected", few.call == Call::suspected ? 1 : 0);
        }
        const bool suspected = kept[w].call == Call::suspected;
        add(screen_rule, suspected ? 1 : 0);
        add("screen against 10 runs, drift of the others removed", removed[w].call == Call::suspected ? 1 : 0);
      }
    }
  }
  return table;
}

CountTable judge_unconfirmed(const Recordings& recordings, std::size_t folder) {
  struct Change {
    const char* column;
    Variant variant;
    double factor;
  };
  const std::array changes{Change{"A/A", "base2", 1},    Change{"+10 %", "p10", 1},    Change{"x1.2", "base2", 1.2},
                           Change{"x1.3", "base2", 1.3}, Change{"x1.5", "base2", 1.5}, Change{"x2", "base2", 2}};
  CountTable table;
  const std::size_t family = family_of(recordings);
  const auto count_session = [&](const std::string& rule, const Change& change,
                                 const std::function<bool(std::size_t)>& fails) {
    bool any = false;
    for (std::size_t w = 0; w < recordings.workloads.size(); ++w) {
      if (!is_valid(recordings.workloads[w], "p10")) continue;
      const bool one = fails(w);
      any |= one;
      table.add(rule, change.column, one ? 1 : 0);
    }
    if (std::string(change.column) == "A/A") table.add(rule, "runs with any", any ? 1 : 0);
  };
  for (std::size_t now = 1; now < recordings.sessions.size(); ++now) {
    if (recordings.sessions[now].folder != folder) continue;
    for (const Change& change : changes) {
      const double added = std::log(change.factor);
      for (const std::size_t stored : {1U, 3U}) {
        if (now < stored) continue;
        count_session(std::to_string(stored) + " stored run" + (stored > 1 ? "s" : ""), change, [&](std::size_t w) {
          const auto screen = screen_few(recordings, now, stored, recordings.workloads[w], change.variant, added);
          return stats::beyond_gate(*screen.change, family);
        });
      }
      if (now < recorded_history) continue;
      auto screens = screen_session(recordings, now, change.variant, &RecordedProcess::log_median, false);
      count_session("10 stored runs", change, [&](std::size_t w) {
        stats::ChangeEstimate moved = *screens[w].change;
        moved.effect += added;
        return stats::beyond_gate(moved, family);
      });
    }
  }
  return table;
}

}  // namespace torchgate::simulations
