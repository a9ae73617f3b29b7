// SPDX-License-Identifier: Apache-2.0
// Other load on the machine: before the run (load, runnable, pressure) and during it (other_load, cpu_waiting, steal,
// quota_throttling, thermal_throttling). Thresholds: load_watch.hpp.
#include <algorithm>

#include "harness/base/counted.hpp"

#include "harness/machine/doctor/rows.hpp"

namespace torchgate::machine::doctor {
namespace {

constexpr const char* no_stat = "/proc/stat: missing or unreadable";

MachineCheck load(const LoadSnapshot& now) {
  if (!now.load_average || !now.online_cpus)
    return unknown("load", "/proc/loadavg or /proc/stat: missing or unreadable");
  const std::string seen =
      "the load average was " + short_number(*now.load_average) + " on " + std::to_string(*now.online_cpus) + " CPUs";
  const bool busy = *now.load_average / static_cast<double>(*now.online_cpus) > doubtful_load_per_cpu;
  return busy ? bad("load", seen) : ok("load", seen);
}

/// Field 4 of /proc/loadavg includes the thread that reads it.
MachineCheck runnable(const LoadSnapshot& now) {
  if (!now.runnable || !now.online_cpus)
    return unknown("runnable", "/proc/loadavg or /proc/stat: missing or unreadable");
  const std::int64_t others = std::max<std::int64_t>(0, *now.runnable - 1);
  const std::string seen = std::to_string(others) + " other runnable threads on " + std::to_string(*now.online_cpus) +
                           " CPUs before the run";
  const bool busy = static_cast<double>(others) / static_cast<double>(*now.online_cpus) > doubtful_load_per_cpu;
  return busy ? bad("runnable", seen) : ok("runnable", seen);
}

std::string waited(const std::string& when, const char* what, double percent) {
  const char* const state = percent > heavy_pressure_percent      ? "the machine was overloaded "
                            : percent > doubtful_pressure_percent ? "the machine was busy "
                                                                  : "the machine was quiet ";
  return state + when + ": threads waited for " + what + " " + short_number(percent) + " % of the time";
}

MachineCheck judge_waiting(const char* name, const std::string& when, const char* what, double percent) {
  const std::string seen = waited(when, what, percent);
  if (percent <= doubtful_pressure_percent) return ok(name, seen);
  return bad(name, seen);
}

MachineCheck pressure(const char* name, const char* resource, const char* what, const std::optional<double>& percent) {
  if (!percent) return unknown(name, std::string("missing or invalid: /proc/pressure/") + resource);
  return judge_waiting(name, "before the run", what, *percent);
}

MachineCheck other_load(const LoadChange& change) {
  if (!change.others_per_cpu) return unknown("other_load", no_stat);
  const std::string seen = "other programs used " + short_number(std::max(0.0, 100 * *change.others_per_cpu)) +
                           " % of the CPU time during the run";
  return *change.others_per_cpu > doubtful_load_per_cpu ? bad("other_load", seen) : ok("other_load", seen);
}

/// The threads of a suite with more threads than CPUs wait for each other: without competing processes, pressure is not
/// evidence of other load.
MachineCheck cpu_waiting(const LoadChange& change) {
  if (!change.waited_percent) return unknown("cpu_waiting", "missing or invalid: /proc/pressure/cpu");
  // Of the CPUs of the run, where they are known: four busy ones of 256 are not noticeable. Less than nothing: it ran on other CPUs.
  const auto& own = change.others_per_own_cpu;
  const auto& others = own && *own >= -noticeable_load_per_cpu ? own : change.others_per_cpu;
  if (others && *others <= noticeable_load_per_cpu) return ok("cpu_waiting", "no competing processes");
  return judge_waiting("cpu_waiting", "during the run", "a CPU", *change.waited_percent);
}

MachineCheck steal(const LoadChange& change) {
  if (!change.steal_percent) return unknown("steal", no_stat);
  const double percent = *change.steal_percent;
  const char* const noise = percent <= doubtful_steal_percent   ? "quiet"
                            : percent <= moderate_steal_percent ? "moderate"
                            : percent <= noisy_steal_percent    ? "noisy"
                                                                : "very noisy";
  const std::string seen = std::string(noise) + ": the hypervisor gave " + short_number(percent) +
                           " % of this machine's CPU time to other guests during the run (steal)";
  return percent > doubtful_steal_percent ? bad("steal", seen) : ok("steal", seen);
}

MachineCheck counted(const char* name, const std::optional<std::int64_t>& times, const std::string& what,
                     const char* why_unknown) {
  if (!times) return unknown(name, why_unknown);
  const std::string seen = what + ": " + base::counted(*times, "time", "times") + " during the run";
  return *times > 0 ? bad(name, seen) : ok(name, seen);
}

}  // namespace

MachineChecks load_rows(const LoadSnapshot& now) {
  return {load(now), runnable(now), pressure("cpu_pressure", "cpu", "a CPU", now.cpu_pressure_percent),
          pressure("memory_pressure", "memory", "memory", now.memory_pressure_percent),
          pressure("io_pressure", "io", "disks", now.io_pressure_percent)};
}

MachineChecks load_change_rows(const LoadChange& change) {
  return {other_load(change), cpu_waiting(change), steal(change),
          counted("quota_throttling", change.quota_throttles, "throttled by the container's CPU quota",
                  "missing: cpu.stat of the control group"),
          counted("thermal_throttling", change.thermal_throttles, "CPU slowed down because of heat",
                  "missing: thermal_throttle below /sys/devices/system/cpu")};
}

}  // namespace torchgate::machine::doctor
