// SPDX-License-Identifier: Apache-2.0
// context_switches, major_faults, migrations: what the kernel counted of our processes.
#include "harness/machine/doctor/rows.hpp"

namespace torchgate::machine::doctor {
namespace {

// A thread that is alone on its CPU is interrupted a few times a second; one that shares it with one other is preempted at
// each slice, 100 to 300 times a second (3 to 10 ms). Voluntary switches are the program's own waiting.
constexpr double frequent_switches_per_cpu_second = 50;
// Moves that the balancer makes by itself while nothing presses.
constexpr double frequent_migrations_per_second = 10;
// Below this a rate is a guess.
constexpr double shortest_cpu_seconds = 0.05;

MachineCheck context_switches(const ProcessCounters& before, const ProcessCounters& after) {
  const double seconds = std::chrono::duration<double>(after.cpu - before.cpu).count();
  if (seconds < shortest_cpu_seconds) return unknown("context_switches", "too little was run to tell");
  const auto involuntary = static_cast<double>(after.involuntary_switches - before.involuntary_switches);
  const double rate = involuntary / seconds;
  const std::string seen = "others took the CPU from us " + short_number(rate) + " times per second of CPU time (" +
                           std::to_string(after.voluntary_switches - before.voluntary_switches) +
                           " times we waited ourselves)";
  return rate > frequent_switches_per_cpu_second ? bad("context_switches", seen) : ok("context_switches", seen);
}

/// Loading a library from a cold page cache is a major fault too, before anything is timed: fatal is only what suites counted
/// in their timed regions.
MachineCheck major_faults(const ProcessCounters& before, const ProcessCounters& after, const RunFacts& run) {
  const std::int64_t all = after.major_faults - before.major_faults;
  if (run.timed_major_faults) {
    const std::string seen = std::to_string(*run.timed_major_faults) + " pages were read from disk in timed regions";
    return *run.timed_major_faults > 0 ? bad("major_faults", seen) : ok("major_faults", seen);
  }
  if (all == 0) return ok("major_faults", "no page was read from disk");
  return unknown("major_faults",
                 std::to_string(all) + " pages were read from disk; whether in timed regions, the suites do not say");
}

MachineCheck migrations(const ProcessCounters& before, const ProcessCounters& after, const RunFacts& run) {
  if (!before.migrations || !after.migrations) return unknown("migrations", "/proc/self/sched does not tell it");
  const double seconds = std::chrono::duration<double>(run.wall).count();
  if (seconds <= 0) return unknown("migrations", "no time has passed");
  const std::int64_t moves = *after.migrations - *before.migrations;
  const std::string seen = "torchgate itself was moved between CPUs " + std::to_string(moves) + " times";
  const bool often = static_cast<double>(moves) / seconds > frequent_migrations_per_second;
  return often ? bad("migrations", seen) : ok("migrations", seen);
}

}  // namespace

MachineChecks process_rows(const ProcessCounters& before, const ProcessCounters& after, const RunFacts& run) {
  return {context_switches(before, after), major_faults(before, after, run), migrations(before, after, run)};
}

}  // namespace torchgate::machine::doctor
