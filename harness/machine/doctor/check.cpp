// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/doctor/check.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace torchgate::machine::doctor {
namespace {

constexpr auto fatal = CheckSeverity::fatal;
constexpr auto warning = CheckSeverity::warning;
constexpr auto info = CheckSeverity::info;
constexpr auto setting = Moment::setting;
constexpr auto before = Moment::before;
constexpr auto during = Moment::during;
constexpr auto of_machine = Subject::machine;
constexpr auto of_load = Subject::load;

constexpr std::array kinds{
    CheckKind{"governor", warning, setting,
              "the CPU frequency follows the load, so a case's time depends on what ran before it",
              "set every CPU to `performance` (cpupower frequency-set -g performance)", of_machine},
    CheckKind{"turbo", warning, setting, "the CPU frequency depends on temperature and on the number of busy cores",
              "disable turbo: write 1 to intel_pstate/no_turbo, or 0 to cpufreq/boost", of_machine},
    CheckKind{"smt", warning, setting, "a thread on the sibling of a core can use up to half of that core",
              "disable SMT, or give the run both siblings of each of its cores (taskset)", of_machine},
    CheckKind{"affinity", fatal, setting, "with more threads than CPUs, timings measure the scheduler",
              "give the run at least as many CPUs as threads, or use fewer threads (--threads)"},
    CheckKind{"isolation", info, setting, "the kernel can schedule other work on CPUs that are not isolated",
              "isolate CPUs for benchmarks (isolcpus) and pin the run to them (taskset)", of_machine},
    CheckKind{"load", warning, before, "earlier work may still be running", "wait until earlier work has ended",
              of_load, 6},
    CheckKind{"runnable", warning, before, "other threads compete for the CPUs", "stop other work", of_load, 5},
    CheckKind{"cpu_pressure", warning, before, "timings include the time that threads wait for a CPU",
              "stop other work", of_load, 4},
    CheckKind{"memory_pressure", warning, before, "the kernel reclaims memory while cases run",
              "stop other work or add memory"},
    CheckKind{"io_pressure", warning, before, "disks are busy, so reading a file takes longer", "stop other work"},
    CheckKind{"cgroup_quota", warning, setting, "a CPU quota below the number of threads stops the run repeatedly",
              "raise the container's CPU limit, or use fewer threads (--threads)"},
    CheckKind{"aslr", info, setting,
              "with the same memory layout in all processes, its effect is a bias instead of noise",
              "write 2 to /proc/sys/kernel/randomize_va_space", of_machine},
    CheckKind{"transparent_huge_pages", info, setting,
              "the kernel merges pages in the background, at unpredictable times",
              "write madvise to /sys/kernel/mm/transparent_hugepage/enabled", of_machine},
    CheckKind{"numa_balancing", warning, setting, "pages move between nodes while cases run",
              "write 0 to /proc/sys/kernel/numa_balancing, or bind the run to one node (numactl)", of_machine},
    CheckKind{"swap", warning, setting, "swapped memory is read back from disk in the middle of a sample",
              "free memory, then run swapoff -a"},
    CheckKind{"power_supply", warning, setting, "on battery the CPU frequency is lowered", "connect the power supply"},
    CheckKind{"virtualisation", warning, setting, "other guests share this machine's caches, memory and CPUs",
              "measure on bare metal", of_machine},
    CheckKind{"clocksource", warning, setting,
              "reading a slow clock is a system call, and its cost is part of short samples",
              "boot with clocksource=tsc, or clocksource=kvm-clock inside a guest", of_machine},
    CheckKind{"build", fatal, setting, "assertions, sanitizers and -O0 can cost more than the measured code",
              "build torchgate with CMAKE_BUILD_TYPE=Release"},
    CheckKind{"cuda_launch_blocking", fatal, setting, "every launch waits for its kernel, so launches are not queued",
              "unset CUDA_LAUNCH_BLOCKING"},
    CheckKind{"environment", warning, setting, "these variables make libraries print, check or replace code",
              "unset them"},
    CheckKind{"timer", fatal, before, "samples shorter than 100 ticks of the clock measure the clock's resolution",
              "fix the clock source"},
    CheckKind{"self_test", warning, before, "the same loop must take the same time on every repetition",
              "stop other work", of_load, 7},

    CheckKind{"other_load", warning, during, "other programs used CPU time and caches during the run",
              "stop other programs", of_load, 1},
    CheckKind{"cpu_waiting", warning, during, "timings include the time that threads waited for a CPU",
              "stop other work", of_load, 2},
    CheckKind{"steal", warning, during, "the hypervisor ran other guests on this machine's CPUs",
              "use a dedicated host"},
    CheckKind{"quota_throttling", fatal, during, "timings are determined by the CPU quota, not by the code",
              "raise the container's CPU limit"},
    CheckKind{"thermal_throttling", fatal, during, "the CPU lowered its frequency because of heat",
              "cool the machine, or fix its clock at a lower frequency"},
    CheckKind{"context_switches", warning, during, "other programs preempted the run in the middle of samples",
              "stop other work, or pin the run to CPUs reserved for it (taskset)", of_load, 3},
    CheckKind{"major_faults", fatal, during, "pages were read from disk in the middle of samples",
              "free memory, and run the suites once beforehand to fill the page cache"},
    CheckKind{"migrations", info, during, "after each move to another CPU the caches are cold",
              "pin the run to CPUs reserved for it (taskset)"},
    CheckKind{"suite_build", fatal, during, "assertions, sanitizers and -O0 can cost more than the measured code",
              "build the suites with CMAKE_BUILD_TYPE=Release"},

    CheckKind{"gpu_other_processes", fatal, setting, "other processes share the device's clock, memory and caches",
              "stop them, or use another device (CUDA_VISIBLE_DEVICES)"},
    CheckKind{"gpu_clocks_locked", warning, setting, "an unlocked clock varies with power and temperature",
              "lock the clock below its maximum: nvidia-smi --lock-gpu-clocks", of_machine},
    CheckKind{"gpu_temperature", warning, setting, "near its temperature limit the device lowers its clock",
              "cool the device, or wait"},
    CheckKind{"gpu_persistence", warning, setting,
              "without persistence mode the driver unloads, and the first call includes loading it",
              "enable persistence mode: nvidia-smi -pm 1", of_machine},
    CheckKind{"gpu_mig", fatal, setting, "a MIG slice performs like a different device", "restore the MIG profile"},
    CheckKind{"gpu_ecc", warning, setting,
              "a pending ECC mode changes the device at its next reset, so runs before and after it are not comparable",
              "reset the device, or restore the mode (nvidia-smi -e)", of_machine},
    CheckKind{"gpu_ecc_errors", fatal, setting, "after uncorrected errors, results and timings are invalid",
              "take the device out of service"},
    CheckKind{"gpu_power_limit", warning, setting, "a different power limit leads to a different clock",
              "restore the default limit: nvidia-smi -pl", of_machine},
    CheckKind{"gpu_compute_mode", warning, setting, "no program can use a device in prohibited mode",
              "set the default compute mode: nvidia-smi -c DEFAULT"},
    CheckKind{"gpu_pcie", warning, setting, "a narrower link makes every copy slower",
              "reseat the card, or check the settings of its slot", of_machine},
    CheckKind{"gpu_memory", fatal, before, "cases fail, or the allocator waits for memory",
              "stop the processes that use the device's memory"},
    CheckKind{"gpu_throttling", fatal, during, "the device lowered its clock because of heat or power",
              "cool the device, check its power supply, and lock a lower clock"},
    CheckKind{"gpu_power_cap", warning, during, "the power limit determined the clock",
              "lock a clock that stays below the power limit"},
    CheckKind{"gpu_clock_change", warning, during, "the clock changed between the first and the last sample",
              "lock the clock: nvidia-smi --lock-gpu-clocks"},
};

MachineCheck answer(std::string_view name, CheckAnswer answer, std::string seen) {
  const CheckKind* const kind = find_kind(name);
  assert(kind != nullptr);
  return {std::string(name), answer, kind->severity, std::move(seen), answer == CheckAnswer::bad ? kind->fix : ""};
}

}  // namespace

std::span<const CheckKind> check_kinds() {
  return kinds;
}

const CheckKind* find_kind(std::string_view name) {
  const auto* const found =
      std::find_if(kinds.begin(), kinds.end(), [&](const CheckKind& k) { return name == k.name; });
  return found == kinds.end() ? nullptr : found;
}

MachineCheck ok(std::string_view name, std::string seen) {
  return answer(name, CheckAnswer::ok, std::move(seen));
}

MachineCheck bad(std::string_view name, std::string seen) {
  return answer(name, CheckAnswer::bad, std::move(seen));
}

MachineCheck bad(std::string_view name, std::string seen, CheckSeverity severity) {
  MachineCheck check = bad(name, std::move(seen));
  check.severity = severity;
  return check;
}

MachineCheck unknown(std::string_view name, std::string why) {
  return answer(name, CheckAnswer::unknown, std::move(why));
}

}  // namespace torchgate::machine::doctor
