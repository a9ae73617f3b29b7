// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/load_watch.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "harness/machine/cgroup.hpp"
#include "harness/machine/system_files.hpp"

namespace torchgate::machine {
namespace {

struct Pressure {
  std::optional<double> percent;
  std::optional<std::int64_t> total_us;
};

/// "some avg10=0.31 avg60=0.10 avg300=0.02 total=118676"
Pressure some_pressure(const FactSources& sources, const std::string& resource) {
  Pressure pressure;
  const auto text = read_system_file(sources.root, "/proc/pressure/" + resource);
  if (!text) return pressure;
  for (const std::string_view line : lines(*text)) {
    if (!line.starts_with("some ")) continue;
    for (const std::string_view word : words(line)) {
      if (word.starts_with("avg10=")) pressure.percent = to_real(word.substr(6));
      if (word.starts_with("total=")) pressure.total_us = to_count(word.substr(6));
    }
  }
  return pressure;
}

/// "cpu  4533 0 1178 161765 387 0 69 15 0 0": user nice system idle iowait irq softirq steal guest guest_nice, in
/// ticks. guest is part of user already.
struct CpuTimes {
  std::int64_t busy_ms = 0;
  std::int64_t idle_ms = 0;
  std::int64_t steal_ms = 0;
};

std::optional<CpuTimes> cpu_times(const std::vector<std::string_view>& fields) {
  constexpr std::size_t columns = 8;
  std::array<std::int64_t, columns> ms{};
  for (std::size_t i = 0; i < columns; ++i) {
    const auto ticks = i + 1 < fields.size() ? to_count(fields[i + 1]) : std::nullopt;
    if (!ticks) return std::nullopt;
    ms[i] = *ticks * 1000 / sysconf(_SC_CLK_TCK);
  }
  return CpuTimes{ms[0] + ms[1] + ms[2] + ms[5] + ms[6], ms[3] + ms[4], ms[7]};
}

/// Of one CPU of the affinity mask. Without the times of one of them those of all are unknown.
void add_our_cpu(const std::optional<CpuTimes>& times, LoadSnapshot& snapshot) {
  if (snapshot.our_cpus++ == 0) snapshot.our_busy_ms = 0;
  if (times && snapshot.our_busy_ms) {
    *snapshot.our_busy_ms += times->busy_ms;
  } else {
    snapshot.our_busy_ms.reset();
  }
}

void read_stat(const FactSources& sources, LoadSnapshot& snapshot) {
  const auto text = read_system_file(sources.root, "/proc/stat");
  if (!text) return;
  std::int64_t online = 0;
  for (const std::string_view line : lines(*text)) {
    const auto fields = words(line);
    if (fields.empty() || !fields[0].starts_with("cpu")) continue;
    const auto times = cpu_times(fields);
    if (fields[0] != "cpu") {
      ++online;
      const auto cpu = to_integer(fields[0].substr(3));
      if (cpu && std::find(sources.cpus.begin(), sources.cpus.end(), *cpu) != sources.cpus.end())
        add_our_cpu(times, snapshot);
      continue;
    }
    if (!times) return;
    snapshot.busy_ms = times->busy_ms;
    snapshot.steal_ms = times->steal_ms;
    snapshot.total_ms = times->busy_ms + times->idle_ms + times->steal_ms;
  }
  if (online > 0) snapshot.online_cpus = online;
}

std::optional<std::int64_t> count_thermal_throttles(const FactSources& sources) {
  std::optional<std::int64_t> sum;
  for (const int cpu : sources.cpus) {
    const auto text = read_system_file(
        sources.root, "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/thermal_throttle/core_throttle_count");
    const auto count = text ? to_count(*text) : std::nullopt;
    if (count) sum = sum.value_or(0) + *count;
  }
  return sum;
}

/// b - a where both are known and the counter did not run backwards (a virtual machine that migrated).
std::optional<std::int64_t> grown(const std::optional<std::int64_t>& a, const std::optional<std::int64_t>& b) {
  if (!a || !b || *b < *a) return std::nullopt;
  return *b - *a;
}

record::MachineFact info(const std::string& name, const std::optional<std::string>& value, const std::string& reason) {
  return {name, value, value ? "" : reason, record::FactClass::info};
}

std::optional<std::string> text_of(const std::optional<std::int64_t>& value) {
  if (!value) return std::nullopt;
  return std::to_string(*value);
}

struct Counter {
  const char* fact;
  std::optional<std::int64_t> LoadSnapshot::*value;
};
constexpr std::array counters{Counter{"counter_busy_ms", &LoadSnapshot::busy_ms},
                              Counter{"counter_steal_ms", &LoadSnapshot::steal_ms},
                              Counter{"counter_total_ms", &LoadSnapshot::total_ms},
                              Counter{"counter_online_cpus", &LoadSnapshot::online_cpus},
                              Counter{"counter_cpu_pressure_us", &LoadSnapshot::cpu_pressure_us},
                              Counter{"counter_quota_throttles", &LoadSnapshot::quota_throttles},
                              Counter{"counter_thermal_throttles", &LoadSnapshot::thermal_throttles}};
constexpr const char* counter_time = "counter_time_ms";
constexpr const char* counter_own_cpu = "counter_own_cpu_ms";

std::optional<std::int64_t> count_in(const std::vector<record::MachineFact>& facts, std::string_view name) {
  for (const record::MachineFact& fact : facts)
    if (fact.name == name && fact.value) return to_count(*fact.value);
  return std::nullopt;
}

LoadSnapshot load_in(const std::vector<record::MachineFact>& facts) {
  LoadSnapshot load;
  for (const Counter& counter : counters) load.*counter.value = count_in(facts, counter.fact);
  return load;
}

/// CPU time that other programs used on CPUs that were busy for so long, as a share of these CPUs' time.
std::optional<double> others_per_cpu(const std::optional<std::int64_t>& busy_ms, std::int64_t cpus,
                                     std::chrono::nanoseconds wall, std::chrono::nanoseconds own_cpu) {
  if (!busy_ms || cpus <= 0 || wall.count() <= 0) return std::nullopt;
  const double own_ms = std::chrono::duration<double, std::milli>(own_cpu).count();
  const double wall_ms = std::chrono::duration<double, std::milli>(wall).count();
  return (static_cast<double>(*busy_ms) - own_ms) / (wall_ms * static_cast<double>(cpus));
}

}  // namespace

LoadSnapshot snapshot_load(const FactSources& sources) {
  LoadSnapshot snapshot;
  if (const auto text = read_system_file(sources.root, "/proc/loadavg"); text && words(*text).size() >= 4) {
    const auto fields = words(*text);  // "0.02 0.05 0.01 1/83 4771"
    snapshot.load_average = to_real(fields[0]);
    snapshot.runnable = to_count(fields[3].substr(0, fields[3].find('/')));
  }
  const Pressure cpu = some_pressure(sources, "cpu");
  snapshot.cpu_pressure_percent = cpu.percent;
  snapshot.cpu_pressure_us = cpu.total_us;
  snapshot.memory_pressure_percent = some_pressure(sources, "memory").percent;
  snapshot.io_pressure_percent = some_pressure(sources, "io").percent;
  read_stat(sources, snapshot);
  if (const auto throttles = quota_throttles(sources.root)) snapshot.quota_throttles = *throttles;
  snapshot.thermal_throttles = count_thermal_throttles(sources);
  return snapshot;
}

LoadChange change_of_load(const LoadSnapshot& before, const LoadSnapshot& after, std::chrono::nanoseconds wall,
                          std::chrono::nanoseconds own_cpu) {
  LoadChange change;
  change.others_per_cpu =
      others_per_cpu(grown(before.busy_ms, after.busy_ms), after.online_cpus.value_or(0), wall, own_cpu);
  if (before.our_cpus == after.our_cpus)
    change.others_per_own_cpu =
        others_per_cpu(grown(before.our_busy_ms, after.our_busy_ms), after.our_cpus, wall, own_cpu);
  if (const auto waited_us = grown(before.cpu_pressure_us, after.cpu_pressure_us); waited_us && wall.count() > 0)
    change.waited_percent =
        100 * static_cast<double>(*waited_us) / std::chrono::duration<double, std::micro>(wall).count();
  const auto steal_ms = grown(before.steal_ms, after.steal_ms);
  const auto total_ms = grown(before.total_ms, after.total_ms);
  if (steal_ms && total_ms && *total_ms > 0)
    change.steal_percent = 100 * static_cast<double>(*steal_ms) / static_cast<double>(*total_ms);
  change.quota_throttles = grown(before.quota_throttles, after.quota_throttles);
  change.thermal_throttles = grown(before.thermal_throttles, after.thermal_throttles);
  return change;
}

std::vector<record::MachineFact> counter_facts(const LoadSnapshot& load, std::chrono::nanoseconds taken,
                                               std::chrono::nanoseconds own_cpu) {
  using Ms = std::chrono::milliseconds;
  std::vector<record::MachineFact> facts{
      info(counter_time, std::to_string(std::chrono::duration_cast<Ms>(taken).count()), ""),
      info(counter_own_cpu, std::to_string(std::chrono::duration_cast<Ms>(own_cpu).count()), "")};
  for (const Counter& counter : counters)
    facts.push_back(info(counter.fact, text_of(load.*counter.value), "missing or unreadable"));
  return facts;
}

LoadChange change_of_load(const std::vector<record::MachineFact>& before, const std::vector<record::MachineFact>& after,
                          std::chrono::nanoseconds cpu) {
  const auto wall_ms = grown(count_in(before, counter_time), count_in(after, counter_time));
  const std::chrono::milliseconds own_cpu(count_in(after, counter_own_cpu).value_or(0));
  return change_of_load(load_in(before), load_in(after), std::chrono::milliseconds(wall_ms.value_or(0)), cpu + own_cpu);
}

std::vector<record::MachineFact> load_facts(const LoadChange& change) {
  std::optional<std::string> steal;
  if (change.steal_percent) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), *change.steal_percent < 10 ? "%.1f" : "%.0f", *change.steal_percent);
    steal = text.data();
  }
  return {info("steal_percent", steal, "/proc/stat: missing or unreadable"),
          info("quota_throttles", text_of(change.quota_throttles), "missing: cpu.stat of the control group"),
          info("thermal_throttles", text_of(change.thermal_throttles),
               "missing: thermal_throttle below /sys/devices/system/cpu")};
}

}  // namespace torchgate::machine
