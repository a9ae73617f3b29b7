// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/facts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/harness/machine/captured_machine.hpp"

namespace torchgate::machine {
namespace {

using testing::CapturedMachine;
using testing::value_of;

std::string value(const CapturedMachine& machine, const std::string& name) {
  return value_of(collect_machine(machine.sources), name);
}

TEST(Facts, OfAVirtualMachine) {
  const CapturedMachine machine("virtual");
  const record::Machine facts = collect_machine(machine.sources);
  EXPECT_EQ(value_of(facts, "architecture"), "x86_64");
  EXPECT_EQ(value_of(facts, "cpu_model"), "Intel(R) Xeon(R) Processor (family 6 model 143)");
  EXPECT_EQ(value_of(facts, "cpu_count"), "2");
  EXPECT_EQ(value_of(facts, "threads"), "default");
  EXPECT_EQ(value_of(facts, "kernel"), "6.1.0");
  EXPECT_EQ(value_of(facts, "libc"), "glibc 2.36");
  EXPECT_EQ(value_of(facts, "microcode"), "0x1");
  EXPECT_EQ(value_of(facts, "governor"),
            "unknown: no such file: /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  EXPECT_EQ(value_of(facts, "turbo"), "unknown: no such file: /sys/devices/system/cpu/cpufreq/boost");
  EXPECT_EQ(value_of(facts, "smt"), "off");
  EXPECT_EQ(value_of(facts, "transparent_huge_pages"), "madvise");
  EXPECT_EQ(value_of(facts, "virtual_machine"), "yes");
  EXPECT_EQ(value_of(facts, "clocksource"), "tsc");
  EXPECT_EQ(value_of(facts, "swap"), "off");
  EXPECT_EQ(value_of(facts, "cgroup_cpu_quota"), "none");
  EXPECT_EQ(value_of(facts, "aslr"), "2");
  EXPECT_EQ(value_of(facts, "environment_switches"), "none");
  EXPECT_EQ(value_of(facts, "hostname"), "runner-7");
  EXPECT_EQ(value_of(facts, "load_average"), "0.02 0.05 0.01 1/83 4771");
  EXPECT_EQ(value_of(facts, "boot_time"), "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(value_of(facts, "gpu"), "absent");
  EXPECT_EQ(facts.device_key, std::nullopt);
}

TEST(Facts, OfADesktop) {
  const CapturedMachine machine("desktop");
  const record::Machine facts = collect_machine(machine.sources);
  EXPECT_EQ(value_of(facts, "cpu_model"), "AMD Ryzen 9 5950X 16-Core Processor (family 25 model 33)");
  EXPECT_EQ(value_of(facts, "governor"), "performance");
  EXPECT_EQ(value_of(facts, "turbo"), "on");
  EXPECT_EQ(value_of(facts, "smt"), "on");
  EXPECT_EQ(value_of(facts, "transparent_huge_pages"), "always");
  EXPECT_EQ(value_of(facts, "virtual_machine"), "no");
  EXPECT_EQ(value_of(facts, "swap"), "on");
  EXPECT_EQ(value_of(facts, "cgroup_cpu_quota"), "1.5 CPUs");
  EXPECT_EQ(value_of(facts, "cpu_pressure"), "unknown: no such file: /proc/pressure/cpu");
}

TEST(Facts, OfAnArmServerWithNumbersForNames) {
  CapturedMachine machine("arm");
  machine.sources.architecture = "aarch64";
  const record::Machine facts = collect_machine(machine.sources);
  EXPECT_EQ(value_of(facts, "cpu_model"), "implementer 0x41 part 0xd40");
  EXPECT_EQ(value_of(facts, "virtual_machine"), "unknown: /proc/cpuinfo: missing line 'flags'");
  EXPECT_EQ(value_of(facts, "cgroup_cpu_quota"), "unknown: no such file: /proc/self/cgroup");
}

TEST(Facts, ModelsOfOtherArchitecturesHaveOtherLines) {
  const auto model = [](const std::string& cpuinfo) {
    CapturedMachine machine("arm");
    machine.write("/proc/cpuinfo", cpuinfo);
    machine.sources.cpus = {1};
    return value(machine, "cpu_model");
  };
  const std::string first = "processor\t: 0\ncpu\t\t: other\nuarch\t: other\n\nprocessor\t: 1\n";
  EXPECT_EQ(model(first + "cpu\t\t: POWER9, altivec supported\nrevision\t: 2.2\n"), "POWER9, altivec supported");
  EXPECT_EQ(model(first + "hart\t: 1\nisa\t: rv64imafdcv\nuarch\t: sifive,u74-mc\n"), "sifive,u74-mc");
  EXPECT_EQ(model(first + "isa\t: rv64imafdcv\nmvendorid\t: 0x489\nmarchid\t: 0x7\n"), "vendor 0x489 design 0x7");
  EXPECT_EQ(model(first + "cpu model\t: Loongson-3 V0.4\n"), "Loongson-3 V0.4");
  EXPECT_EQ(model(first + "Model Name\t: Loongson-3A5000\n"), "Loongson-3A5000");
  EXPECT_EQ(model("vendor_id       : IBM/S390\n# processors    : 2\n"
                  "processor 0: version = FF,  identification = 0133E8,  machine = 8561\n"
                  "processor 1: version = FF,  identification = 0133E8,  machine = 8561\n"),
            "IBM/S390 machine 8561");
  for (const char* const none : {"isa\t: rv64imafdcv\n", "mvendorid\t: 0x0\nmarchid\t: 0x0\n", ""})
    EXPECT_EQ(model(first + none), "unknown: /proc/cpuinfo: missing line 'model name'") << none;
}

TEST(Facts, AHypervisorWithoutAFlag) {
  CapturedMachine machine("arm");
  EXPECT_EQ(value(machine, "virtual_machine"), "unknown: /proc/cpuinfo: missing line 'flags'");
  machine.write("/proc/device-tree/hypervisor/compatible", "linux,kvm");
  EXPECT_EQ(value(machine, "virtual_machine"), "yes");
}

// Every fact is either known or says why it is not, and collecting never fails.
TEST(Facts, OfNothingAtAll) {
  FactSources sources;
  sources.root = "/no/such/folder";
  for (const record::MachineFact& fact : collect_machine(sources).facts) {
    const bool never_unknown = fact.name == "threads" || fact.name == "allocator" ||
                               fact.name == "environment_switches" || fact.name == "library_environment";
    EXPECT_EQ(fact.value.has_value(), never_unknown) << fact.name;
    EXPECT_EQ(fact.unknown_reason.empty(), never_unknown) << fact.name;
  }
}

TEST(Facts, OneFieldAtATime) {
  struct Edit {
    std::string path, from, to, fact, value;
  };
  const std::string cpu = "/sys/devices/system/cpu/";
  for (const Edit& edit : std::vector<Edit>{
           {cpu + "cpu1/cpufreq/scaling_governor", "performance", "powersave", "governor", "performance, powersave"},
           {cpu + "cpufreq/boost", "1", "0", "turbo", "off"},
           {cpu + "cpufreq/boost", "1", "maybe", "turbo", "unknown: 'maybe' is neither 1 nor 0"},
           {cpu + "smt/active", "1", "0", "smt", "off"},
           {"/sys/kernel/mm/transparent_hugepage/enabled", "[always]", "always", "transparent_huge_pages",
            "unknown: no mode in brackets: 'always madvise never'"},
           {"/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc", "hpet", "clocksource", "hpet"},
           {"/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc", "", "clocksource",
            "unknown: empty"},
           {"/proc/cpuinfo", "sse2", "sse2 hypervisor", "virtual_machine", "yes"},
           {"/proc/cpuinfo", "0xa20120e", "0xa201210", "microcode", "0xa201210"},
           {"/proc/cpuinfo", "model name", "model_name", "cpu_model",
            "unknown: /proc/cpuinfo: missing line 'model name'"},
           {"/sys/fs/cgroup/ci.slice/job.scope/cpu.max", "150000", "max", "cgroup_cpu_quota", "none"},
           {"/sys/fs/cgroup/ci.slice/cpu.max", "max", "50000", "cgroup_cpu_quota",
            "0.5 CPUs"},  // the parent is tighter
           {"/proc/sys/kernel/randomize_va_space", "2", "0", "aslr", "0"},
           {"/proc/stat", "btime 1767225600", "btime x", "boot_time", "unknown: /proc/stat: missing line 'btime'"}}) {
    CapturedMachine machine("desktop");
    machine.replace(edit.path, edit.from, edit.to);
    EXPECT_EQ(value(machine, edit.fact), edit.value) << edit.path;
  }
}

TEST(Facts, TurboOfIntelIsTheOtherWayRound) {
  CapturedMachine machine("desktop");
  machine.write("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  EXPECT_EQ(value(machine, "turbo"), "off");
  machine.write("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
  EXPECT_EQ(value(machine, "turbo"), "on");
}

TEST(Facts, ModelIsThatOfTheFirstCpuWeMayUse) {
  CapturedMachine machine("desktop");
  machine.replace("/proc/cpuinfo", "processor\t: 3\nvendor_id\t: AuthenticAMD\ncpu family\t: 25",
                  "processor\t: 3\nvendor_id\t: AuthenticAMD\ncpu family\t: 26");
  EXPECT_NE(value(machine, "cpu_model").find("family 25"), std::string::npos);
  machine.sources.cpus = {3};
  EXPECT_NE(value(machine, "cpu_model").find("family 26"), std::string::npos);
  EXPECT_EQ(value(machine, "cpu_count"), "1");
}

TEST(Facts, QuotaOfVersion1AndOfAContainerWithoutItsOwnNamespace) {
  CapturedMachine machine("virtual");
  machine.write("/proc/self/cgroup", "4:cpu,cpuacct:/docker/3f\n0::/\n");
  machine.write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000\n");
  machine.write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(value(machine, "cgroup_cpu_quota"), "2 CPUs");
  machine.write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(value(machine, "cgroup_cpu_quota"), "none");
  machine.remove("/sys/fs/cgroup");
  EXPECT_EQ(value(machine, "cgroup_cpu_quota"), "unknown: no CPU control group is mounted below /sys/fs/cgroup");
}

TEST(Facts, ThreadsAndSwitchesComeFromTheSuitesEnvironment) {
  CapturedMachine machine("virtual");
  machine.sources.environment = {
      {"OMP_NUM_THREADS", "4"}, {"MKL_NUM_THREADS", "2"}, {"HOME", "/root"}, {"LD_PRELOAD", "/x.so"}};
  EXPECT_EQ(value(machine, "threads"), "OMP_NUM_THREADS=4 MKL_NUM_THREADS=2");
  EXPECT_EQ(value(machine, "environment_switches"), "LD_PRELOAD=/x.so");
}

// They may be secrets, and records are published.
TEST(Facts, HaveNoVariableOfTorchgateItself) {
  CapturedMachine machine("virtual");
  machine.sources.environment = {{"TORCHGATE_BASELINE_STORE", "postgresql://ci:hunter2@db/store"},
                                 {"TORCHGATE_GITHUB_TOKEN", "hunter2"},
                                 {"TORCH_LOGS", "all"}};
  EXPECT_EQ(value(machine, "library_environment"), "TORCH_LOGS=all");
  for (const record::MachineFact& fact : collect_machine(machine.sources).facts)
    EXPECT_EQ(fact.value.value_or("").find("hunter2"), std::string::npos) << fact.name;
}

TEST(Facts, OfAJobOfSlurmNameItAndChangeNoHostKey) {
  CapturedMachine machine("virtual");
  const std::string host = collect_machine(machine.sources).host_key;
  EXPECT_EQ(value(machine, "slurm_job"), "absent");
  EXPECT_EQ(value(machine, "slurm_cpu_list"), "absent");
  machine.sources.environment = {{"SLURM_JOB_ID", "4711"}};
  EXPECT_EQ(value(machine, "slurm_job"), "4711");
  EXPECT_EQ(value(machine, "slurm_attempt"), "0");
  EXPECT_EQ(value(machine, "slurm_node"), "unknown: SLURMD_NODENAME is not set in this job of Slurm");
  EXPECT_EQ(value(machine, "slurm_gpus"), "absent");
  machine.sources.environment = {{"SLURM_JOB_ID", "4711"},      {"SLURM_ARRAY_JOB_ID", "4700"},
                                 {"SLURM_ARRAY_TASK_ID", "3"},  {"SLURM_RESTART_COUNT", "2"},
                                 {"SLURMD_NODENAME", "node7"},  {"SLURM_JOB_PARTITION", "bench"},
                                 {"SLURM_CPUS_ON_NODE", "128"}, {"SLURM_JOB_GPUS", "0,1"}};
  EXPECT_EQ(value(machine, "slurm_job"), "4700_3");
  EXPECT_EQ(value(machine, "slurm_attempt"), "2");
  EXPECT_EQ(value(machine, "slurm_node"), "node7");
  EXPECT_EQ(value(machine, "slurm_partition"), "bench");
  EXPECT_EQ(value(machine, "slurm_cpus"), "128");
  EXPECT_EQ(value(machine, "slurm_gpus"), "0,1");
  EXPECT_EQ(collect_machine(machine.sources).host_key, host);
  for (const record::MachineFact& fact : collect_machine(machine.sources).facts) {
    if (fact.name.starts_with("slurm_")) {
      EXPECT_EQ(fact.fact_class, record::FactClass::info) << fact.name;
    }
  }
}

TEST(Facts, CpusOfAJobOfSlurmAreThoseOfTheAffinityMask) {
  CapturedMachine machine("virtual");
  machine.sources.environment = {{"SLURM_JOB_ID", "1"}};
  for (const auto& [cpus, text] :
       std::vector<std::pair<std::vector<int>, std::string>>{{{}, "unknown: the affinity mask is unknown"},
                                                             {{3}, "3"},
                                                             {{0, 1, 2, 3, 8}, "0-3,8"},
                                                             {{0, 2, 3}, "0,2-3"}}) {
    machine.sources.cpus = cpus;
    EXPECT_EQ(value(machine, "slurm_cpu_list"), text);
  }
}

TEST(Facts, TheAllocatorIsOfTheSystemWhereNoVariableChangesIt) {
  CapturedMachine machine("virtual");
  EXPECT_EQ(value(machine, "allocator"), "system");
  machine.sources.environment = {{"GLIBC_TUNABLES", "glibc.malloc.mmap_max=0"}, {"MALLOC_ARENA_MAX", "1"}};
  EXPECT_EQ(value(machine, "allocator"), "GLIBC_TUNABLES=glibc.malloc.mmap_max=0 MALLOC_ARENA_MAX=1");
}

TEST(Facts, AGpuIsUnknownAndNotFine) {
  CapturedMachine machine("virtual");
  machine.write("/dev/nvidia0", "");
  EXPECT_EQ(value(machine, "gpu"), "unknown: NVML was not queried");
  EXPECT_EQ(collect_machine(machine.sources).device_key, std::nullopt);
}

TEST(Facts, OfThisMachineHaveAHostKey) {
  const record::Machine machine = collect_machine(this_machine());
  EXPECT_NE(value_of(machine, "cpu_count").substr(0, 7), "unknown");
  EXPECT_NE(value_of(machine, "kernel").substr(0, 7), "unknown");
  EXPECT_EQ(machine.host_key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-"), std::string::npos);
  EXPECT_EQ(machine.host_key, collect_machine(this_machine()).host_key);
}

}  // namespace
}  // namespace torchgate::machine
