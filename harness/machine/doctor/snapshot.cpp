// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/doctor/snapshot.hpp"

#include <sys/resource.h>

#include <system_error>

#include "harness/machine/cgroup.hpp"
#include "harness/machine/system_files.hpp"

namespace torchgate::machine::doctor {
namespace {

namespace fs = std::filesystem;

void add_usage(ProcessCounters& counters, decltype(RUSAGE_SELF) who) {
  rusage usage{};
  if (getrusage(who, &usage) != 0) return;
  counters.involuntary_switches += usage.ru_nivcsw;
  counters.voluntary_switches += usage.ru_nvcsw;
  counters.major_faults += usage.ru_majflt;
  for (const timeval& time : {usage.ru_utime, usage.ru_stime})
    counters.cpu += std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

/// "se.nr_migrations      :        12" of /proc/self/sched, which kernels without CONFIG_SCHED_DEBUG lack.
std::optional<std::int64_t> migrations(const FactSources& sources) {
  const auto text = read_system_file(sources.root, "/proc/self/sched");
  if (!text) return std::nullopt;
  for (const std::string_view line : lines(*text)) {
    const auto fields = words(line);
    if (fields.size() == 3 && fields[0] == "se.nr_migrations") return to_integer(fields[2]);
  }
  return std::nullopt;
}

ProcessCounters counters(const FactSources& sources) {
  ProcessCounters result;
  add_usage(result, RUSAGE_SELF);
  add_usage(result, RUSAGE_CHILDREN);
  result.migrations = migrations(sources);
  return result;
}

Reading<double> quota(const FactSources& sources) {
  const auto limit = cpu_quota(sources.root);
  if (!limit) return Reading<double>::unknown(limit.error().message);
  return limit->cpus.value_or(0);
}

Reading<std::vector<PowerSupply>> power_supplies(const FactSources& sources) {
  const std::string folder = "/sys/class/power_supply";
  std::vector<PowerSupply> supplies;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(sources.root / fs::path(folder).relative_path(), error)) {
    PowerSupply supply{entry.path().filename().string(), "", ""};
    const std::string path = folder + "/" + supply.name;
    // Of a mouse or a keyboard: it does not supply this machine.
    if (const auto scope = read_system_file(sources.root, path + "/scope"); scope && *scope == "Device") continue;
    if (const auto type = read_system_file(sources.root, path + "/type")) supply.type = *type;
    if (const auto status = read_system_file(sources.root, path + "/status")) supply.status = *status;
    supplies.push_back(std::move(supply));
  }
  if (error) return Reading<std::vector<PowerSupply>>::unknown("no such folder: " + folder);
  return supplies;
}

// "Filename Type Size Used Priority", then one line for each area; sizes in KiB.
void read_swap(const FactSources& sources, Snapshot& snapshot) {
  const auto text = read_system_file(sources.root, "/proc/swaps");
  if (!text) {
    snapshot.swap_there = Reading<bool>::unknown(text.error().message);
    snapshot.swap_used_kib = Reading<std::int64_t>::unknown(text.error().message);
    return;
  }
  std::int64_t used = 0;
  const auto areas = lines(*text);
  for (std::size_t i = 1; i < areas.size(); ++i) {
    const auto fields = words(areas[i]);
    const auto number = fields.size() >= 5 ? to_count(fields[3]) : std::nullopt;
    used += number.value_or(0);
  }
  snapshot.swap_there = areas.size() > 1;
  snapshot.swap_used_kib = used;
}

}  // namespace

Snapshot take_snapshot(const FactSources& sources) {
  const auto file = [&](const std::string& path) { return Reading<std::string>(read_system_file(sources.root, path)); };
  const std::string cpu_folder = "/sys/devices/system/cpu/";
  Snapshot snapshot;
  snapshot.taken = std::chrono::steady_clock::now();
  snapshot.facts = collect_machine(sources).facts;
  snapshot.load = snapshot_load(sources);
  snapshot.process = counters(sources);
  snapshot.cpus = sources.cpus;
  for (const int cpu : sources.cpus)
    snapshot.siblings.emplace(cpu, file(cpu_folder + "cpu" + std::to_string(cpu) + "/topology/thread_siblings_list"));
  snapshot.isolated = file(cpu_folder + "isolated");
  snapshot.quota_cpus = quota(sources);
  snapshot.power_supplies = power_supplies(sources);
  snapshot.numa_balancing = file("/proc/sys/kernel/numa_balancing");
  snapshot.numa_nodes = file("/sys/devices/system/node/online");
  read_swap(sources, snapshot);
  snapshot.environment = sources.environment;
  return snapshot;
}

}  // namespace torchgate::machine::doctor
