// SPDX-License-Identifier: Apache-2.0
// context_switches, major_faults, migrations: the kernel's counters of the run's processes.
#include "harness/machine/doctor/rows.hpp"

#include <vector>

#include "harness/base/counted.hpp"

namespace torchgate::machine::doctor {
namespace {

// A thread that is alone on its CPU is interrupted a few times a second; one that shares it with one other is preempted at
// each slice, 100 to 300 times a second (3 to 10 ms).
constexpr double frequent_switches_per_cpu_second = 50;
// Moves that the scheduler's load balancer makes on an idle machine.
constexpr double frequent_migrations_per_second = 10;
// A rate over a shorter time is not reliable.
constexpr double shortest_cpu_seconds = 0.05;

double seconds_of(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

/// A group can preempt itself in two ways: more threads than CPUs take turns, and a thread that wakes up (after a voluntary
/// switch: a rank that got its message, a worker of a data loader) takes the CPU of another one. Where these explain all
/// preemptions they are not evidence of other programs.
bool may_preempt_itself(const GroupSwitches& group, std::size_t cpus) {
  if (cpus > 0 && group.threads > static_cast<std::int64_t>(cpus)) return true;
  const bool wakes_often =
      static_cast<double>(group.voluntary) > frequent_switches_per_cpu_second * seconds_of(group.cpu);
  return wakes_often && group.voluntary >= group.involuntary;
}

MachineCheck context_switches(const ProcessCounters& before, const ProcessCounters& after, const RunFacts& run,
                              std::size_t cpus) {
  std::vector<GroupSwitches> groups = run.switches;
  if (groups.empty())
    groups.push_back({after.involuntary_switches - before.involuntary_switches,
                      after.voluntary_switches - before.voluntary_switches, after.cpu - before.cpu, 1});
  GroupSwitches counted;
  std::size_t left_out = 0;
  for (const GroupSwitches& group : groups) {
    if (may_preempt_itself(group, cpus)) {
      ++left_out;
      continue;
    }
    counted.involuntary += group.involuntary;
    counted.cpu += group.cpu;
  }
  const double seconds = seconds_of(counted.cpu);
  if (seconds < shortest_cpu_seconds && left_out == groups.size())
    return ok("context_switches", "not counted: the threads and ranks of each group preempt each other");
  if (seconds < shortest_cpu_seconds)
    return unknown("context_switches", "less than 0.05 s of CPU time: too short for a rate");
  const double rate = static_cast<double>(counted.involuntary) / seconds;
  std::string seen = "preempted " + short_number(rate) + " times per CPU second (quiet machines: below 50)";
  if (left_out > 0)
    seen +=
        ", without " + base::counted(left_out, "group", "groups") + " whose own threads and ranks preempt each other";
  return rate > frequent_switches_per_cpu_second ? bad("context_switches", seen) : ok("context_switches", seen);
}

/// Loading a library from a cold page cache is a major fault too, before anything is timed: only faults that the suites
/// counted in their timed regions are fatal.
MachineCheck major_faults(const ProcessCounters& before, const ProcessCounters& after, const RunFacts& run) {
  const std::int64_t all = after.major_faults - before.major_faults;
  if (run.timed_major_faults) {
    const std::string seen = std::to_string(*run.timed_major_faults) + " pages were read from disk in timed regions";
    return *run.timed_major_faults > 0 ? bad("major_faults", seen) : ok("major_faults", seen);
  }
  if (all == 0) return ok("major_faults", "no page was read from disk");
  return unknown("major_faults",
                 std::to_string(all) + " pages were read from disk; the suites do not report whether in timed regions");
}

MachineCheck migrations(const ProcessCounters& before, const ProcessCounters& after, const RunFacts& run) {
  if (!before.migrations || !after.migrations) return unknown("migrations", "/proc/self/sched: missing or unreadable");
  const double seconds = std::chrono::duration<double>(run.wall).count();
  if (seconds <= 0) return unknown("migrations", "no time has passed");
  const std::int64_t moves = *after.migrations - *before.migrations;
  const std::string seen = "torchgate's own process moved between CPUs: " + base::counted(moves, "time", "times");
  const bool often = static_cast<double>(moves) / seconds > frequent_migrations_per_second;
  return often ? bad("migrations", seen) : ok("migrations", seen);
}

}  // namespace

MachineChecks process_rows(const ProcessCounters& before, const ProcessCounters& after, const RunFacts& run,
                           std::size_t cpus) {
  return {context_switches(before, after, run, cpus), major_faults(before, after, run), migrations(before, after, run)};
}

}  // namespace torchgate::machine::doctor
