// SPDX-License-Identifier: Apache-2.0
// The rows by topic: pure functions of snapshots. examine.cpp combines them; tests call them one by one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/machine/doctor/asked.hpp"
#include "harness/machine/doctor/check.hpp"
#include "harness/machine/doctor/self_test.hpp"

namespace torchgate::machine::doctor {

MachineChecks frequency_rows(const Snapshot& now);                      ///< governor, turbo, smt
MachineChecks isolation_rows(const Snapshot& now, const Asked& asked);  ///< affinity, isolation
MachineChecks load_rows(const LoadSnapshot& now);                       ///< load, runnable, the three pressures
MachineChecks quota_rows(const Snapshot& now, const Asked& asked);      ///< cgroup_quota
MachineChecks memory_rows(const Snapshot& now);    ///< transparent_huge_pages, numa_balancing, swap
MachineChecks platform_rows(const Snapshot& now);  ///< power_supply, virtualisation, clocksource, aslr
MachineChecks environment_rows(const Snapshot& now, const Asked& asked);  ///< cuda_launch_blocking, environment
MachineChecks gpu_rows(const GpuSnapshot& now, const Asked& asked);       ///< settings and moment

MachineCheck build_row(const std::string& build);
MachineCheck suite_build_row(const std::optional<std::string>& build);
MachineCheck timer_row(const std::optional<double>& timer_ns);
MachineCheck self_test_row(const std::optional<SelfTest>& test);

/// other_load, cpu_waiting, steal, quota_throttling, thermal_throttling.
MachineChecks load_change_rows(const LoadChange& change);
/// context_switches, major_faults, migrations. `cpus` of the run's affinity mask; 0: unknown.
MachineChecks process_rows(const ProcessCounters& before, const ProcessCounters& after, const RunFacts& run,
                           std::size_t cpus);
/// gpu_throttling, gpu_power_cap, gpu_clock_change.
MachineChecks gpu_change_rows(const std::optional<GpuDuring>& during);

/// The value of a fact, or why it is unknown.
Reading<std::string> fact(const Snapshot& now, std::string_view name);

/// "2.5", "24": one digit below ten.
std::string short_number(double value);

}  // namespace torchgate::machine::doctor
