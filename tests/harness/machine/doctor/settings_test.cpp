// SPDX-License-Identifier: Apache-2.0
// Every row that is read at one moment, each forced to each answer by one edit of a captured machine.
#include <gtest/gtest.h>

#include <functional>

#include "harness/machine/doctor/rows.hpp"
#include "tests/harness/machine/captured_machine.hpp"
#include "tests/harness/machine/doctor/answers.hpp"

namespace torchgate::machine::doctor {
namespace testing {
namespace {

using machine::testing::CapturedMachine;

struct Edit {
  const char* row;
  CheckAnswer answer;
  const char* seen;  // part of it
  std::function<void(CapturedMachine&)> edit;
};

const std::string cpu = "/sys/devices/system/cpu/";
const std::string batteries = "/sys/class/power_supply/";

/// A desktop that nothing is wrong with: each edit below makes one thing so.
void mend(CapturedMachine& m) {
  m.sources.environment = {{"PATH", "/bin"}, {"OMP_NUM_THREADS", "1"}};
  m.write(cpu + "cpufreq/boost", "0\n");
  m.write(cpu + "smt/active", "0\n");
  m.write(cpu + "isolated", "0-1\n");
  m.write("/proc/loadavg", "0.10 0.20 0.30 1/500 900\n");
  for (const char* const resource : {"cpu", "memory", "io"})
    m.write(std::string("/proc/pressure/") + resource, "some avg10=0.31 avg60=0.10 avg300=0.02 total=118676\n");
  m.write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  m.write("/proc/sys/kernel/numa_balancing", "0\n");
  m.write("/sys/devices/system/node/online", "0-1\n");
  m.write(batteries + "AC/type", "Mains\n");
}

const auto no_edit = [](CapturedMachine&) {};

std::function<void(CapturedMachine&)> writes(const std::string& path, const std::string& text) {
  return [=](CapturedMachine& m) { m.write(path, text); };
}
std::function<void(CapturedMachine&)> removes(const std::string& path) {
  return [=](CapturedMachine& m) { m.remove(path); };
}
std::function<void(CapturedMachine&)> sets(const std::string& name, const std::string& value) {
  return [=](CapturedMachine& m) { m.sources.environment[name] = value; };
}
std::function<void(CapturedMachine&)> siblings(const std::string& list) {
  return [=](CapturedMachine& m) {
    m.write(cpu + "smt/active", "1\n");
    for (const char* const each : {"cpu0", "cpu1"}) m.write(cpu + each + "/topology/thread_siblings_list", list);
  };
}

std::vector<Edit> edits() {
  return {
      {"governor", ok_answer, "is performance", no_edit},
      {"governor", bad_answer, "performance, powersave", writes(cpu + "cpu1/cpufreq/scaling_governor", "powersave")},
      {"governor", unknown_answer, "no such file", removes(cpu + "cpu1/cpufreq")},
      {"turbo", ok_answer, "off", no_edit},
      {"turbo", bad_answer, "on", writes(cpu + "cpufreq/boost", "1\n")},
      {"turbo", bad_answer, "on", writes(cpu + "intel_pstate/no_turbo", "0\n")},
      {"turbo", unknown_answer, "no such file", removes(cpu + "cpufreq/boost")},
      {"smt", ok_answer, "off", no_edit},
      {"smt", ok_answer, "both siblings of each core", siblings("0-1")},
      {"smt", bad_answer, "CPU 2", siblings("0-2")},
      {"smt", bad_answer, "CPU 4", siblings("0,1,4")},
      {"smt", unknown_answer, "thread_siblings_list", writes(cpu + "smt/active", "1\n")},
      {"smt", unknown_answer, "'?'", siblings("?")},
      {"smt", unknown_answer, "no such file", removes(cpu + "smt")},
      {"affinity", ok_answer, "2 CPUs for 1 thread", no_edit},
      {"affinity", unknown_answer, "mask", [](CapturedMachine& m) { m.sources.cpus.clear(); }},
      {"isolation", ok_answer, "0-1", no_edit},
      {"isolation", bad_answer, "no CPUs are isolated", writes(cpu + "isolated", "\n")},
      {"isolation", bad_answer, "(isolated: 1-3)", writes(cpu + "isolated", "1-3\n")},
      {"isolation", unknown_answer, "no such file", removes(cpu + "isolated")},
      {"load", ok_answer, "0.1 on 4 CPUs", no_edit},
      {"load", bad_answer, "1.5 on 4 CPUs", writes("/proc/loadavg", "1.50 0.20 0.30 1/500 900\n")},
      {"load", unknown_answer, "/proc/loadavg", removes("/proc/loadavg")},
      {"runnable", ok_answer, "0 other", no_edit},
      {"runnable", bad_answer, "3 other", writes("/proc/loadavg", "0.10 0.20 0.30 4/500 900\n")},
      {"runnable", unknown_answer, "/proc/loadavg", writes("/proc/loadavg", "0.10 0.20\n")},
      {"cpu_pressure", ok_answer, "quiet before the run: threads waited for a CPU 0.3 %", no_edit},
      {"cpu_pressure", bad_answer, "busy before the run: threads waited for a CPU 2.5 %",
       writes("/proc/pressure/cpu", "some avg10=2.50 avg60=0 avg300=0 total=1\n")},
      {"cpu_pressure", bad_answer, "overloaded", writes("/proc/pressure/cpu", "some avg10=24.00 total=1\n")},
      {"cpu_pressure", unknown_answer, "/proc/pressure/cpu", removes("/proc/pressure/cpu")},
      {"memory_pressure", ok_answer, "for memory 0.3 %", no_edit},
      {"memory_pressure", bad_answer, "for memory 1.1 %", writes("/proc/pressure/memory", "some avg10=1.10 total=1\n")},
      {"memory_pressure", unknown_answer, "/proc/pressure/memory", removes("/proc/pressure/memory")},
      {"io_pressure", ok_answer, "for disks", no_edit},
      {"io_pressure", bad_answer, "for disks 50 %", writes("/proc/pressure/io", "some avg10=50.00 total=1\n")},
      {"io_pressure", unknown_answer, "/proc/pressure/io", writes("/proc/pressure/io", "full avg10=0 total=0\n")},
      {"cgroup_quota", ok_answer, "1.5 CPUs for 1 thread", no_edit},
      {"cgroup_quota", ok_answer, "no CPU quota", writes("/sys/fs/cgroup/ci.slice/job.scope/cpu.max", "max 100000\n")},
      {"cgroup_quota", bad_answer, "0.5 CPUs for 1 thread",
       writes("/sys/fs/cgroup/ci.slice/job.scope/cpu.max", "50000 100000\n")},
      {"cgroup_quota", unknown_answer, "no CPU control group", removes("/sys/fs/cgroup")},
      {"aslr", ok_answer, "2", no_edit},
      {"aslr", bad_answer, "0", writes("/proc/sys/kernel/randomize_va_space", "0\n")},
      {"aslr", unknown_answer, "no such file", removes("/proc/sys/kernel/randomize_va_space")},
      {"transparent_huge_pages", ok_answer, "madvise", no_edit},
      {"transparent_huge_pages", bad_answer, "always",
       writes("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n")},
      {"transparent_huge_pages", unknown_answer, "no such file", removes("/sys/kernel/mm")},
      {"numa_balancing", ok_answer, "off", no_edit},
      {"numa_balancing", bad_answer, "nodes 0-1", writes("/proc/sys/kernel/numa_balancing", "1\n")},
      {"numa_balancing", ok_answer, "single node",
       [](CapturedMachine& m) {
         m.write("/proc/sys/kernel/numa_balancing", "1\n");
         m.write("/sys/devices/system/node/online", "0\n");
       }},
      {"numa_balancing", unknown_answer, "node/online",
       [](CapturedMachine& m) {
         m.write("/proc/sys/kernel/numa_balancing", "1\n");
         m.remove("/sys/devices/system/node");
       }},
      {"swap", ok_answer, "on and empty", no_edit},
      {"swap", ok_answer, "no swap", writes("/proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n")},
      {"swap", bad_answer, "3 MiB",
       [](CapturedMachine& m) { m.replace("/proc/swaps", "8388604\t0", "8388604\t3000"); }},
      {"swap", unknown_answer, "no such file", removes("/proc/swaps")},
      {"power_supply", ok_answer, "not on battery", no_edit},
      {"power_supply", bad_answer, "BAT0",
       [](CapturedMachine& m) {
         m.write(batteries + "BAT0/type", "Battery\n");
         m.write(batteries + "BAT0/status", "Discharging\n");
       }},
      {"power_supply", ok_answer, "not on battery",
       [](CapturedMachine& machine) {  // a wireless mouse
         machine.write(batteries + "hidpp_battery_0/type", "Battery\n");
         machine.write(batteries + "hidpp_battery_0/scope", "Device\n");
         machine.write(batteries + "hidpp_battery_0/status", "Discharging\n");
       }},
      {"power_supply", unknown_answer, "no such folder", removes("/sys/class")},
      {"virtualisation", ok_answer, "no hypervisor", no_edit},
      {"virtualisation", bad_answer, "virtual machine",
       [](CapturedMachine& m) { m.replace("/proc/cpuinfo", "flags\t\t:", "flags\t\t: hypervisor"); }},
      {"virtualisation", unknown_answer, "no such file", removes("/proc/cpuinfo")},
      {"clocksource", ok_answer, "tsc", no_edit},
      {"clocksource", ok_answer, "kvm-clock",
       writes("/sys/devices/system/clocksource/clocksource0/current_clocksource", "kvm-clock\n")},
      {"clocksource", ok_answer, "timebase",
       writes("/sys/devices/system/clocksource/clocksource0/current_clocksource", "timebase\n")},
      {"clocksource", ok_answer, "riscv_clocksource",
       writes("/sys/devices/system/clocksource/clocksource0/current_clocksource", "riscv_clocksource\n")},
      {"clocksource", bad_answer, "hpet",
       writes("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n")},
      {"clocksource", unknown_answer, "no such file", removes("/sys/devices/system/clocksource")},
      {"cuda_launch_blocking", ok_answer, "not set", sets("CUDA_LAUNCH_BLOCKING", "0")},
      {"cuda_launch_blocking", bad_answer, "is set", sets("CUDA_LAUNCH_BLOCKING", "1")},
      {"cuda_launch_blocking", unknown_answer, "environment",
       [](CapturedMachine& m) { m.sources.environment.clear(); }},
      {"environment", ok_answer, "no interfering variables", no_edit},
      {"environment", bad_answer, "DEBUG=1", sets("DEBUG", "1")},
      {"environment", bad_answer, "MKLDNN_VERBOSE=1", sets("MKLDNN_VERBOSE", "1")},
      {"environment", bad_answer, "PYTORCH_JIT_LOG_LEVEL=x", sets("PYTORCH_JIT_LOG_LEVEL", "x")},
      {"environment", bad_answer, "LD_PRELOAD=a.so", sets("LD_PRELOAD", "a.so")},
      {"environment", bad_answer, "NCCL_DEBUG=INFO", sets("NCCL_DEBUG", "INFO")},
      {"environment", bad_answer, "OMP_NUM_THREADS=8 (suites get 1)", sets("OMP_NUM_THREADS", "8")},
      {"environment", unknown_answer, "environment", [](CapturedMachine& m) { m.sources.environment.clear(); }},
  };
}

Snapshot of_desktop(const std::function<void(CapturedMachine&)>& edit) {
  CapturedMachine desktop("desktop");
  mend(desktop);
  edit(desktop);
  return take_snapshot(desktop.sources);
}

void expect(const MachineCheck& check, CheckAnswer answer, const std::string& seen, Forced& forced) {
  EXPECT_STREQ(word(check.answer), word(answer)) << check.name << ": " << check.seen;
  EXPECT_NE(check.seen.find(seen), std::string::npos) << check.name << ": '" << check.seen << "' without " << seen;
  EXPECT_EQ(check.advice.empty(), answer != bad_answer) << check.name;
  forced.insert({check.name, check.answer});
}

SelfTest self_test(double spread) {
  const std::vector<double> steady(5, 1.0);
  // 1 - s, 1, 1, 1, 1 + s: the SD is s / sqrt(2), the mean 1.
  return {{{"compute", steady, steady}, {"memory", steady, {1 - spread, 1, 1, 1, 1 + spread}}}};
}

}  // namespace

Forced force_settings() {
  Forced forced;
  for (const Edit& edit : edits()) {
    const MachineChecks checks = examine(of_desktop(edit.edit), {}, {});
    expect(row(checks, edit.row), edit.answer, edit.seen, forced);
  }
  Asked three;
  three.threads = 3;
  expect(row(examine(of_desktop(no_edit), {}, three), "affinity"), bad_answer, "2 CPUs for 3 threads", forced);
  expect(build_row("optimised"), ok_answer, "optimised", forced);
  expect(build_row("assertions on"), bad_answer, "assertions on", forced);
  expect(build_row(""), unknown_answer, "", forced);
  expect(timer_row(30.0), ok_answer, "30 ns", forced);
  expect(timer_row(10'000.0), ok_answer, "10000 ns", forced);
  expect(timer_row(10'001.0), bad_answer, "1000 us", forced);
  expect(timer_row(std::nullopt), unknown_answer, "did not advance", forced);
  expect(self_test_row(self_test(0.04)), ok_answer, "2.8 % (memory)", forced);
  expect(self_test_row(self_test(0.1)), bad_answer, "0.0 % (compute), 7.1 % (memory)", forced);
  EXPECT_EQ(self_test_row(self_test(0.1)).severity, CheckSeverity::warning);
  expect(self_test_row(self_test(0.2)), bad_answer, "small changes cannot be detected on this machine",
         forced);  // 14 %
  expect(self_test_row(std::nullopt), unknown_answer, "not run", forced);
  return forced;
}

}  // namespace testing

namespace {

using machine::testing::CapturedMachine;
using testing::row;

TEST(DoctorSettings, EachAnswerOfEachRow) {
  testing::force_settings();
}

TEST(DoctorSettings, CudaLaunchBlockingIsFatalOnlyWhereCudaIsMeasured) {
  CapturedMachine desktop("desktop");
  desktop.sources.environment = {{"CUDA_LAUNCH_BLOCKING", "1"}};
  const Snapshot now = take_snapshot(desktop.sources);
  Asked asked;
  EXPECT_EQ(row(examine(now, {}, asked), "cuda_launch_blocking").severity, CheckSeverity::warning);
  asked.cuda = true;
  EXPECT_EQ(row(examine(now, {}, asked), "cuda_launch_blocking").severity, CheckSeverity::fatal);
}

// A machine that says hardly anything: every row still answers.
TEST(DoctorSettings, SurvivesAMachineWithoutFiles) {
  FactSources nothing;
  nothing.root = "/nonexistent";
  const MachineChecks checks = examine(take_snapshot(nothing), {}, {});
  for (const CheckKind& kind : check_kinds()) {
    if (kind.moment == Moment::during) continue;
    EXPECT_EQ(row(checks, kind.name).answer, CheckAnswer::unknown) << kind.name;
    EXPECT_NE(row(checks, kind.name).seen, "") << kind.name;
  }
}

TEST(DoctorProbes, MeasureSomething) {
  const Probes probes = probe();
  ASSERT_TRUE(probes.timer_ns);
  EXPECT_GT(*probes.timer_ns, 0);
  ASSERT_TRUE(probes.self_test);
  ASSERT_EQ(probes.self_test->loops.size(), 3U);
  for (const SelfTest::Loop& loop : probes.self_test->loops) {
    EXPECT_EQ(loop.first.size(), 5U) << loop.name;
    EXPECT_EQ(loop.second.size(), 5U) << loop.name;
    EXPECT_TRUE(variation_percent(loop)) << loop.name;
  }
}

TEST(DoctorOrder, WorstFirst) {
  MachineChecks checks{ok("governor", ""), unknown("turbo", ""), bad("aslr", ""), bad("turbo", ""), bad("build", "")};
  sort_worst_first(checks);
  std::string order;
  for (const MachineCheck& check : checks) order += check.name + " ";
  EXPECT_EQ(order, "build turbo aslr turbo governor ");
}

}  // namespace
}  // namespace torchgate::machine::doctor
