// SPDX-License-Identifier: Apache-2.0
// Other load on the machine before and during a run, which makes timings doubtful whatever code is under test.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/facts.hpp"
#include "harness/record/run.hpp"

namespace torchgate::machine {

/// Counters at one moment; what could not be read is absent. Times since boot are summed over all CPUs.
struct LoadSnapshot {
  std::optional<double> load_average;          ///< one minute, /proc/loadavg
  std::optional<std::int64_t> runnable;        ///< runnable threads including the reading one, field 4 of /proc/loadavg
  std::optional<double> cpu_pressure_percent;  ///< PSI cpu "some" avg10
  std::optional<std::int64_t> cpu_pressure_us;    ///< PSI cpu "some" total
  std::optional<double> memory_pressure_percent;  ///< PSI memory "some" avg10
  std::optional<double> io_pressure_percent;      ///< PSI io "some" avg10
  std::optional<std::int64_t> busy_ms;            ///< user, nice, system, irq, softirq of /proc/stat
  std::optional<std::int64_t> steal_ms;           ///< taken by the hypervisor for other guests
  std::optional<std::int64_t> total_ms;           ///< all columns of /proc/stat
  std::optional<std::int64_t> online_cpus;        ///< CPU lines of /proc/stat
  std::optional<std::int64_t> quota_throttles;    ///< nr_throttled of our cgroup
  std::optional<std::int64_t> thermal_throttles;  ///< core_throttle_count summed over CPUs
  std::optional<std::int64_t> our_busy_ms;        ///< busy_ms of the CPUs in the affinity mask alone
  std::int64_t our_cpus = 0;                      ///< how many these are
};

LoadSnapshot snapshot_load(const FactSources& sources);

/// The change between two snapshots; absent: unknown, or a counter ran backwards (a guest that migrated).
struct LoadChange {
  std::optional<double> others_per_cpu;           ///< CPU time that other programs used, as a share of all CPUs' time
  std::optional<double> waited_percent;           ///< share of the time in which some thread waited for a CPU (PSI)
  std::optional<double> steal_percent;            ///< of all CPU time
  std::optional<std::int64_t> quota_throttles;    ///< how often a CPU quota throttled the run
  std::optional<std::int64_t> thermal_throttles;  ///< how often a CPU slowed down because of heat
  std::optional<double>
      others_per_own_cpu;  ///< the share of the time of the CPUs in the affinity mask; absent: unknown
};

// Thresholds as in bencher's noise score and pyperf's `system` checks.
inline constexpr double doubtful_pressure_percent = 1;
inline constexpr double heavy_pressure_percent = 10;
inline constexpr double doubtful_load_per_cpu = 0.1;
inline constexpr double doubtful_steal_percent = 1;
inline constexpr double moderate_steal_percent = 5;
inline constexpr double noisy_steal_percent = 15;
/// An idle system causes less than this.
inline constexpr double noticeable_load_per_cpu = 0.02;

/// `wall` is the time between the snapshots, `own_cpu` the CPU time of our own processes, which is subtracted.
LoadChange change_of_load(const LoadSnapshot& before, const LoadSnapshot& after, std::chrono::nanoseconds wall,
                          std::chrono::nanoseconds own_cpu);

/// The counters of LOAD, when they were TAKEN (since boot) and the CPU time of this program so far: what another machine needs to know the load
/// of this one between two moments. Facts of class info.
std::vector<record::MachineFact> counter_facts(const LoadSnapshot& load, std::chrono::nanoseconds taken,
                                               std::chrono::nanoseconds own_cpu);

/// The change between two lists of one machine that have counter_facts(), each of a program of its own. CPU: of measured processes there.
LoadChange change_of_load(const std::vector<record::MachineFact>& before, const std::vector<record::MachineFact>& after,
                          std::chrono::nanoseconds cpu);

/// steal_percent, quota_throttles, thermal_throttles over the run, class info.
std::vector<record::MachineFact> load_facts(const LoadChange& change);

}  // namespace torchgate::machine
