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

constexpr std::array kinds{
    CheckKind{"governor", warning, setting,
              "the clock follows the load, so a case's time depends on what ran before it",
              "set every CPU to `performance` (cpupower frequency-set -g performance)"},
    CheckKind{"turbo", warning, setting, "the clock depends on temperature and on how many cores are busy",
              "write 1 to intel_pstate/no_turbo, or 0 to cpufreq/boost"},
    CheckKind{"smt", warning, setting, "what runs on the sibling of a core takes up to half of it",
              "switch SMT off, or give the run both siblings of each of its cores (taskset)"},
    CheckKind{"affinity", fatal, setting, "threads that share a CPU measure the scheduler",
              "give the run at least as many CPUs as threads, or ask for fewer threads (--threads)"},
    CheckKind{"isolation", info, setting, "on CPUs that are not isolated the kernel may run anything",
              "isolate CPUs for benchmarks (isolcpus) and run on them (taskset)"},
    CheckKind{"load", warning, before, "earlier work may still be going on", "wait until earlier work has ended"},
    CheckKind{"runnable", warning, before, "other threads compete for the CPUs now", "stop other work"},
    CheckKind{"cpu_pressure", warning, before, "work waits for a CPU: times contain the waiting",
              "stop other work for more certain timings"},
    CheckKind{"memory_pressure", warning, before, "memory is reclaimed while cases run",
              "stop other work or add memory"},
    CheckKind{"io_pressure", warning, before, "disks are busy: whatever loads a file waits", "stop other work"},
    CheckKind{"cgroup_quota", warning, setting, "a quota below the threads stops the run again and again",
              "raise the container's CPU limit, or ask for fewer threads"},
    CheckKind{"aslr", info, setting, "with one layout in all processes its luck is a bias, not noise",
              "write 2 to /proc/sys/kernel/randomize_va_space"},
    CheckKind{"transparent_huge_pages", info, setting, "the kernel merges pages whenever it finds time",
              "write madvise to /sys/kernel/mm/transparent_hugepage/enabled"},
    CheckKind{"numa_balancing", warning, setting, "pages move between nodes while cases run",
              "write 0 to /proc/sys/kernel/numa_balancing, or bind the run to a node (numactl)"},
    CheckKind{"swap", warning, setting, "memory on disk is read back in the middle of a sample",
              "free memory, then swapoff -a"},
    CheckKind{"power_supply", warning, setting, "on battery the clock is lowered", "plug the machine in"},
    CheckKind{"virtualisation", warning, setting, "other guests share caches, memory and CPUs with us",
              "measure on bare metal; else trust interleaved pairs (torchgate ab) more than separate runs"},
    CheckKind{"clocksource", warning, setting, "reading a slow clock is a system call, which short samples contain",
              "boot with clocksource=tsc, or clocksource=kvm-clock inside a guest"},
    CheckKind{"build", fatal, setting, "assertions, sanitizers and -O0 cost more than what is measured",
              "build torchgate with CMAKE_BUILD_TYPE=Release"},
    CheckKind{"cuda_launch_blocking", fatal, setting, "every launch waits for its kernel: queueing is gone",
              "unset CUDA_LAUNCH_BLOCKING"},
    CheckKind{"environment", warning, setting, "these variables make libraries print, check or replace things",
              "unset them"},
    CheckKind{"timer", fatal, before, "a sample is at least a hundred ticks of its clock, or it measures the clock",
              "fix the clock source, or make samples longer"},
    CheckKind{"self_test", warning, before, "the same loop must take the same time again",
              "stop other work; if it stays, this machine cannot see small changes"},

    CheckKind{"other_load", warning, during, "other programs took CPU time and cache during the run",
              "stop them for more certain timings"},
    CheckKind{"cpu_waiting", warning, during, "work waited for a CPU: times contain the waiting",
              "stop other work for more certain timings"},
    CheckKind{"steal", warning, during, "the hypervisor ran other guests on our CPUs",
              "use a dedicated host, or trust interleaved pairs only"},
    CheckKind{"quota_throttling", fatal, during, "timings are those of the quota, not of the code",
              "raise the container's CPU limit"},
    CheckKind{"thermal_throttling", fatal, during, "the CPU slowed itself down for heat",
              "cool the machine, or lower its fixed clock"},
    CheckKind{"context_switches", warning, during, "others took our CPU in the middle of samples",
              "stop other work, or pin the run to CPUs of its own"},
    CheckKind{"major_faults", fatal, during, "pages were read from disk in the middle of samples",
              "free memory, and run once before to fill the page cache"},
    CheckKind{"migrations", info, during, "each move to another CPU starts with cold caches",
              "pin the run to CPUs of its own (taskset)"},
    CheckKind{"suite_build", fatal, during, "assertions, sanitizers and -O0 cost more than what is measured",
              "build the suites with CMAKE_BUILD_TYPE=Release"},

    CheckKind{"gpu_other_processes", fatal, setting, "they share the device's clock, memory and caches",
              "stop them, or use another device (CUDA_VISIBLE_DEVICES)"},
    CheckKind{"gpu_clocks_locked", warning, setting, "a free clock follows power and heat",
              "lock it below its maximum: nvidia-smi --lock-gpu-clocks"},
    CheckKind{"gpu_temperature", warning, setting, "close to its limit the device slows down", "cool it, or wait"},
    CheckKind{"gpu_persistence", warning, setting, "without it the driver unloads and the first call pays",
              "nvidia-smi -pm 1"},
    CheckKind{"gpu_mig", fatal, setting, "a slice of a device is another device", "set the MIG profile back"},
    CheckKind{"gpu_ecc", warning, setting, "a mode that waits for a reset makes two runs two devices",
              "reset the device, or set the mode back (nvidia-smi -e)"},
    CheckKind{"gpu_ecc_errors", fatal, setting, "uncorrected errors: results and times mean nothing",
              "take the device out of service"},
    CheckKind{"gpu_power_limit", warning, setting, "another limit is another clock",
              "set it to its default: nvidia-smi -pl"},
    CheckKind{"gpu_compute_mode", warning, setting, "a prohibited device runs nothing", "nvidia-smi -c DEFAULT"},
    CheckKind{"gpu_pcie", warning, setting, "a narrower link makes every copy slower",
              "reseat the card, or look at the slot's settings"},
    CheckKind{"gpu_memory", fatal, before, "cases fail, or the allocator waits for memory",
              "stop what holds the device's memory"},
    CheckKind{"gpu_throttling", fatal, during, "the device slowed itself down for heat or power",
              "cool it, check its power supply, and lock a lower clock"},
    CheckKind{"gpu_power_cap", warning, during, "the power limit set the clock",
              "lock a clock that stays below the limit"},
    CheckKind{"gpu_clock_change", warning, during, "the clock moved between the first and the last sample",
              "lock it: nvidia-smi --lock-gpu-clocks"},
};

MachineCheck answer(std::string_view name, CheckAnswer answer, std::string seen) {
  const CheckKind* const kind = find_kind(name);
  assert(kind != nullptr);
  return {std::string(name), answer, kind->severity, std::move(seen), answer == CheckAnswer::bad ? kind->mend : ""};
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
