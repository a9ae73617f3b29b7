// SPDX-License-Identifier: Apache-2.0
// Everything the doctor reads from a machine at one moment. The checks depend on nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/doctor/gpu_snapshot.hpp"
#include "harness/machine/facts.hpp"
#include "harness/machine/load_watch.hpp"
#include "harness/machine/reading.hpp"

namespace torchgate::machine::doctor {

/// The kernel's counters of our processes.
struct ProcessCounters {
  std::int64_t involuntary_switches = 0;  ///< of this process and all its children that have ended
  std::int64_t voluntary_switches = 0;
  std::int64_t major_faults = 0;
  std::chrono::nanoseconds cpu{0};         ///< user and system time of the same
  std::optional<std::int64_t> migrations;  ///< of this process: /proc/self/sched
};

struct PowerSupply {
  std::string name;
  std::string type;    ///< "Battery", "Mains", "USB"
  std::string status;  ///< "Discharging", "Charging", "Full"; empty: none
};

struct Snapshot {
  std::chrono::steady_clock::time_point taken;
  std::vector<record::MachineFact> facts;  ///< of collect_machine
  LoadSnapshot load;
  ProcessCounters process;
  std::vector<int> cpus;
  std::map<int, Reading<std::string>> siblings;  ///< thread_siblings_list of each CPU in the mask
  Reading<std::string> isolated;                 ///< /sys/devices/system/cpu/isolated
  Reading<double> quota_cpus;                    ///< 0: a controller without a quota
  Reading<std::vector<PowerSupply>> power_supplies;
  Reading<std::string> numa_balancing;
  Reading<std::string> numa_nodes;
  Reading<std::int64_t> swap_used_kib;  ///< of all areas together
  Reading<bool> swap_there;
  std::map<std::string, std::string> environment;
  GpuSnapshot gpu;
};

/// The GPU part stays "not queried": look_at_gpus of nvml.hpp fills it.
Snapshot take_snapshot(const FactSources& sources);

}  // namespace torchgate::machine::doctor
