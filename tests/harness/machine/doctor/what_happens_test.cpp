// SPDX-License-Identifier: Apache-2.0
// Every row that judges the time between two snapshots, each forced to each answer; and settings that change meanwhile.
#include <gtest/gtest.h>

#include <functional>

#include "harness/machine/doctor/gpu_reasons.hpp"
#include "harness/machine/doctor/rows.hpp"
#include "tests/harness/machine/captured_machine.hpp"
#include "tests/harness/machine/doctor/answers.hpp"

namespace torchgate::machine::doctor {
namespace testing {
namespace {

using namespace std::chrono_literals;
using machine::testing::CapturedMachine;

// Ten seconds, of which our own processes used four.
struct Meanwhile {
  Snapshot before;
  Snapshot after;
  RunFacts run;
};

struct Event {
  const char* row;
  CheckAnswer answer;
  const char* seen;
  std::function<void(Meanwhile&)> happen;
};

Meanwhile quiet() {
  const CapturedMachine machine("virtual");
  Meanwhile m{take_snapshot(machine.sources), {}, {}};
  m.before.process = {};
  m.before.process.migrations = 5;
  m.before.load.thermal_throttles = 2;
  m.after = m.before;
  m.after.process.cpu = 4s;
  *m.after.load.busy_ms += 4000;
  *m.after.load.our_busy_ms += 4000;
  *m.after.load.total_ms += 20000;
  m.run.wall = 10s;
  m.run.suite_build = "optimised";
  m.run.gpu = GpuDuring{reason_application_clocks, 10, {{{1500, 1500}}}};
  return m;
}

const auto no_event = [](Meanwhile&) {};

// Counted by the kernel for five processes of a group, on two CPUs, half of which other programs used: the two ranks of
// distributed/ddp, and fusion/attention. The third group is made up: five preemptions per CPU second.
constexpr GroupSwitches ranks_alone{6390, 20559, 7585ms, 2};
constexpr GroupSwitches one_thread_beside_others{137, 69, 2136ms, 1};
constexpr GroupSwitches one_thread_undisturbed{11, 69, 2200ms, 1};

std::vector<Event> events() {
  return {
      {"other_load", ok_answer, "0.0 %", no_event},
      {"other_load", ok_answer, "9.5 %", [](Meanwhile& m) { *m.after.load.busy_ms += 1900; }},
      {"other_load", bad_answer, "20 % of the CPU time", [](Meanwhile& m) { *m.after.load.busy_ms += 4000; }},
      {"other_load", unknown_answer, "/proc/stat", [](Meanwhile& m) { m.after.load.busy_ms.reset(); }},
      {"cpu_waiting", ok_answer, "no competing processes",
       [](Meanwhile& m) { *m.after.load.cpu_pressure_us += 2'000'000; }},
      {"cpu_waiting", bad_answer, "overloaded during the run: threads waited for a CPU 20 %",
       [](Meanwhile& m) {
         *m.after.load.cpu_pressure_us += 2'000'000;
         *m.after.load.busy_ms += 1000;  // 5 % of each CPU
         *m.after.load.our_busy_ms += 1000;
       }},
      {"cpu_waiting", bad_answer, "overloaded during the run",
       [](Meanwhile& m) {  // on one of many CPUs, which is that of the run
         *m.after.load.cpu_pressure_us += 2'000'000;
         *m.after.load.our_busy_ms += 1000;
       }},
      {"cpu_waiting", ok_answer, "no competing processes",
       [](Meanwhile& m) {  // on CPUs that the run does not use
         *m.after.load.cpu_pressure_us += 2'000'000;
         *m.after.load.busy_ms += 1000;
       }},
      {"cpu_waiting", bad_answer, "overloaded during the run",
       [](Meanwhile& m) {
         *m.after.load.cpu_pressure_us += 2'000'000;
         *m.after.load.busy_ms += 1000;
         m.after.load.our_busy_ms.reset();
       }},
      {"cpu_waiting", unknown_answer, "/proc/pressure/cpu", [](Meanwhile& m) { m.after.load.cpu_pressure_us.reset(); }},
      {"steal", ok_answer, "quiet", no_event},
      {"steal", bad_answer, "moderate: the hypervisor gave 2.5 %", [](Meanwhile& m) { *m.after.load.steal_ms += 500; }},
      {"steal", bad_answer, "very noisy", [](Meanwhile& m) { *m.after.load.steal_ms += 4000; }},
      {"steal", unknown_answer, "/proc/stat", [](Meanwhile& m) { *m.after.load.steal_ms -= 1; }},  // ran backwards
      {"quota_throttling", ok_answer, "0 times", no_event},
      {"quota_throttling", bad_answer, "3 times", [](Meanwhile& m) { *m.after.load.quota_throttles += 3; }},
      {"quota_throttling", unknown_answer, "cpu.stat", [](Meanwhile& m) { m.after.load.quota_throttles.reset(); }},
      {"thermal_throttling", ok_answer, "0 times", no_event},
      {"thermal_throttling", bad_answer, "heat: 5 times", [](Meanwhile& m) { *m.after.load.thermal_throttles += 5; }},
      {"thermal_throttling", unknown_answer, "thermal_throttle",
       [](Meanwhile& m) { m.before.load.thermal_throttles.reset(); }},
      {"context_switches", ok_answer, "0.0 times", no_event},
      {"context_switches", ok_answer, "50 times", [](Meanwhile& m) { m.after.process.involuntary_switches = 200; }},
      {"context_switches", bad_answer, "250 times", [](Meanwhile& m) { m.after.process.involuntary_switches = 1000; }},
      {"context_switches", ok_answer, "not counted: the threads and ranks of each group preempt each other",
       [](Meanwhile& m) { m.run.switches = {ranks_alone}; }},
      {"context_switches", ok_answer, "preempted 5.0 times per CPU second (quiet machines: below 50), without 1 group",
       [](Meanwhile& m) {
         m.run.switches = {ranks_alone, one_thread_undisturbed};
       }},
      {"context_switches", bad_answer, "preempted 64 times per CPU second",
       [](Meanwhile& m) {
         m.run.switches = {ranks_alone, one_thread_beside_others};
       }},
      {"context_switches", bad_answer, "preempted 8667 times",  // more than its own wake-ups explain
       [](Meanwhile& m) {
         m.run.switches = {ranks_alone};
         m.run.switches[0].involuntary = 65740;
       }},
      {"context_switches", ok_answer, "not counted",  // threads that take turns on too few CPUs
       [](Meanwhile& m) {
         m.run.switches = {one_thread_beside_others};
         m.run.switches[0].threads = 4;
       }},
      {"context_switches", unknown_answer, "less than 0.05 s of CPU time",
       [](Meanwhile& m) { m.after.process.cpu = 1ms; }},
      {"major_faults", ok_answer, "no page", no_event},
      {"major_faults", ok_answer, "0 pages", [](Meanwhile& m) { m.run.timed_major_faults = 0; }},
      {"major_faults", bad_answer, "2 pages", [](Meanwhile& m) { m.run.timed_major_faults = 2; }},
      {"major_faults", unknown_answer, "7 pages", [](Meanwhile& m) { m.after.process.major_faults = 7; }},
      {"migrations", ok_answer, "100 times", [](Meanwhile& m) { *m.after.process.migrations += 100; }},
      {"migrations", bad_answer, "101 times", [](Meanwhile& m) { *m.after.process.migrations += 101; }},
      {"migrations", unknown_answer, "/proc/self/sched", [](Meanwhile& m) { m.after.process.migrations.reset(); }},
      {"suite_build", ok_answer, "optimised", no_event},
      {"suite_build", bad_answer, "assertions on", [](Meanwhile& m) { m.run.suite_build = "assertions on"; }},
      {"suite_build", unknown_answer, "do not report", [](Meanwhile& m) { m.run.suite_build.reset(); }},
      {"gpu_throttling", ok_answer, "no slowdown", no_event},
      {"gpu_throttling", bad_answer, "hardware slowdown", [](Meanwhile& m) { m.run.gpu->reasons |= 0x8; }},
      {"gpu_throttling", bad_answer, "software thermal", [](Meanwhile& m) { m.run.gpu->reasons |= 0x20; }},
      {"gpu_throttling", bad_answer, "hardware thermal", [](Meanwhile& m) { m.run.gpu->reasons |= 0x40; }},
      {"gpu_throttling", bad_answer, "power brake", [](Meanwhile& m) { m.run.gpu->reasons |= 0x80; }},
      {"gpu_throttling", unknown_answer, "not monitored", [](Meanwhile& m) { m.run.gpu.reset(); }},
      {"gpu_power_cap", ok_answer, "no power cap", no_event},
      {"gpu_power_cap", bad_answer, "power limit", [](Meanwhile& m) { m.run.gpu->reasons |= 0x4; }},
      {"gpu_power_cap", unknown_answer, "no event reasons", [](Meanwhile& m) { m.run.gpu->looks = 0; }},
      {"gpu_clock_change", ok_answer, "1500 to 1456", [](Meanwhile& m) { m.run.gpu->clocks[0]->last_mhz = 1456; }},
      {"gpu_clock_change", bad_answer, "1500 to 1454", [](Meanwhile& m) { m.run.gpu->clocks[0]->last_mhz = 1454; }},
      {"gpu_clock_change", unknown_answer, "no device was busy", [](Meanwhile& m) { m.run.gpu->clocks[0].reset(); }},
      {"gpu_clock_change", bad_answer, "1410 to 1200",
       [](Meanwhile& m) {
         m.run.gpu->clocks.push_back({{1410, 1200}});
       }},
      {"gpu_clock_change", ok_answer, "1500 to 1500",
       [](Meanwhile& m) {
         m.run.gpu->clocks.push_back({{1980, 1980}});
       }},
  };
}

}  // namespace

Forced force_what_happens() {
  Forced forced;
  for (const Event& event : events()) {
    Meanwhile m = quiet();
    event.happen(m);
    const MachineCheck check = row(examine_run(m.before, m.after, m.run, {}), event.row);
    EXPECT_STREQ(word(check.answer), word(event.answer)) << check.name << ": " << check.seen;
    EXPECT_NE(check.seen.find(event.seen), std::string::npos) << check.name << ": " << check.seen;
    forced.insert({check.name, check.answer});
  }
  return forced;
}

}  // namespace testing

namespace {

using machine::testing::CapturedMachine;
using testing::row;

TEST(DoctorWhatHappens, EachAnswerOfEachRow) {
  testing::force_what_happens();
}

TEST(DoctorWhatHappens, ASettingThatChangesIsBadWhateverItBecomes) {
  CapturedMachine desktop("desktop");
  const std::string governor = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
  desktop.write(governor, "powersave\n");
  const Snapshot before = take_snapshot(desktop.sources);
  desktop.write(governor, "performance\n");
  const MachineCheck changed = row(examine_run(before, take_snapshot(desktop.sources), {}, {}), "governor");
  EXPECT_EQ(changed.answer, CheckAnswer::bad);
  EXPECT_EQ(
      changed.seen,
      "changed during the run: the frequency governor is performance, powersave before, the frequency governor is "
      "performance after");
}

TEST(DoctorWhatHappens, SettingsThatStayAreNotSaidAgain) {
  const CapturedMachine desktop("desktop");
  const Snapshot before = take_snapshot(desktop.sources);
  for (const MachineCheck& check : examine_run(before, take_snapshot(desktop.sources), {}, {}))
    EXPECT_NE(find_kind(check.name)->moment, Moment::setting) << check.name << ": " << check.seen;
}

TEST(DoctorWhatHappens, ShortSamplesOfACaseDoNotConcernTheMachine) {
  for (const MachineCheck& check : examine_run({}, {}, {}, {})) EXPECT_NE(check.name, "timer");
}

}  // namespace
}  // namespace torchgate::machine::doctor
