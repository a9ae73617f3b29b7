// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/load_watch.hpp"

#include <gtest/gtest.h>

#include "tests/harness/machine/captured_machine.hpp"

namespace torchgate::machine {
namespace {

using namespace std::chrono_literals;
using testing::CapturedMachine;
using Sentences = std::vector<std::string>;

class LoadWatchTest : public ::testing::Test {
 protected:
  /// Ten seconds, of which our own processes used four.
  LoadReport report() { return compare_load(before_, snapshot_load(machine_.sources), 10s, 4s); }
  Sentences warnings() { return report().warnings; }
  CapturedMachine machine_{"virtual"};
  LoadSnapshot before_ = snapshot_load(machine_.sources);
};

// The captured machine counts in ticks of 10 ms.
TEST_F(LoadWatchTest, ReadsCounters) {
  EXPECT_EQ(before_.load_average, 0.02);
  EXPECT_EQ(before_.cpu_pressure_percent, 0.0);
  EXPECT_EQ(before_.cpu_pressure_us, 1186762);
  EXPECT_EQ(before_.busy_ms, 15500);
  EXPECT_EQ(before_.steal_ms, 100);
  EXPECT_EQ(before_.total_ms, 15500 + 1'000'000 + 1000 + 100);
  EXPECT_EQ(before_.online_cpus, 2);
  EXPECT_EQ(before_.quota_throttles, 0);
  EXPECT_EQ(before_.thermal_throttles, std::nullopt);
}

TEST_F(LoadWatchTest, AQuietMachineHasNoWarnings) {
  machine_.replace("/proc/stat", "cpu  1000", "cpu  1400");  // our own four seconds
  EXPECT_EQ(warnings(), Sentences{});
}

TEST_F(LoadWatchTest, PressureBeforeTheRun) {
  before_.cpu_pressure_percent = 1.0;
  EXPECT_EQ(warnings(), Sentences{});
  before_.cpu_pressure_percent = 2.5;
  EXPECT_EQ(warnings(),
            (Sentences{"The machine was busy before the run: work waited for a CPU 2.5 % of the time; stop other "
                       "work for more certain timings"}));
  before_.cpu_pressure_percent = 24;
  EXPECT_EQ(warnings(),
            (Sentences{"The machine was overloaded before the run: work waited for a CPU 24 % of the time; do not "
                       "trust these timings, stop the other work and measure again"}));
}

TEST_F(LoadWatchTest, PressureDuringTheRunIsItsAverage) {
  machine_.replace("/proc/pressure/cpu", "total=1186762", "total=3186762");  // 2 s of 10 s
  machine_.replace("/proc/stat", "cpu  1000", "cpu  1500");                  // others had 1 s: 5 % of each CPU
  EXPECT_EQ(warnings(),
            (Sentences{"The machine was overloaded during the run: work waited for a CPU 20 % of the time; do not "
                       "trust these timings, stop the other work and measure again"}));
}

TEST_F(LoadWatchTest, PressureOfASuiteOnItselfIsNobodysFault) {
  machine_.replace("/proc/pressure/cpu", "total=1186762", "total=3186762");
  machine_.replace("/proc/stat", "cpu  1000", "cpu  1400");
  EXPECT_EQ(warnings(), Sentences{});
}

TEST_F(LoadWatchTest, LoadAverageBeforeTheRunCountsPerCpu) {
  before_.load_average = 0.2;
  EXPECT_EQ(warnings(), Sentences{});
  before_.load_average = 1.5;
  EXPECT_EQ(warnings(),
            (Sentences{"The load average before the run was 1.5 on 2 CPUs; wait until earlier work has ended"}));
}

TEST_F(LoadWatchTest, OnlyWhatOthersUsedCounts) {
  machine_.replace("/proc/stat", "cpu  1000",
                   "cpu  1599");  // 5.99 s on two CPUs in 10 s, 4 s of them ours: 9.95 % each
  EXPECT_EQ(warnings(), Sentences{});
  machine_.replace("/proc/stat", "cpu  1599", "cpu  1800");  // 8 s: 20 % each
  EXPECT_EQ(warnings(),
            (Sentences{"Other programs used 20 % of every CPU during the run; stop them for more certain timings"}));
}

TEST_F(LoadWatchTest, Steal) {
  machine_.replace("/proc/stat", "100000 100 0 50 10 0 0\ncpu0", "101900 100 0 50 60 0 0\ncpu0");  // 0.5 s of 19.5 s
  EXPECT_EQ(warnings(),
            (Sentences{"The hypervisor gave 2.6 % of this machine's CPU time to other guests during the run (steal)"}));
  EXPECT_EQ(report().facts.at(0).value, "2.6");
}

TEST_F(LoadWatchTest, Throttling) {
  machine_.replace("/sys/fs/cgroup/cpu/cpu.stat", "nr_throttled 0", "nr_throttled 3");
  EXPECT_EQ(warnings(),
            (Sentences{"The CPU quota of this container stopped it 3 times during the run; timings are those of the "
                       "quota, not of the code"}));
  EXPECT_EQ(report().facts.at(1).value, "3");

  CapturedMachine desktop("desktop");
  desktop.sources.cpus = {0, 1, 2, 3};
  const LoadSnapshot cool = snapshot_load(desktop.sources);
  EXPECT_EQ(cool.thermal_throttles, 0 + 1 + 2 + 3);
  EXPECT_EQ(cool.quota_throttles, 4);
  desktop.replace("/sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count", "2", "7");
  const LoadReport hot = compare_load(cool, snapshot_load(desktop.sources), 10s, 0s);
  EXPECT_EQ(hot.warnings, (Sentences{"The CPU slowed itself down for heat 5 times during the run"}));
  EXPECT_EQ(hot.facts.at(2).value, "5");
}

TEST_F(LoadWatchTest, UnknownIsNeitherFineNorZero) {
  const LoadReport nothing = compare_load({}, {}, 10s, 4s);
  EXPECT_EQ(nothing.warnings, Sentences{});
  for (const record::MachineFact& fact : nothing.facts) {
    EXPECT_EQ(fact.value, std::nullopt) << fact.name;
    EXPECT_NE(fact.unknown_reason, "") << fact.name;
  }
}

TEST_F(LoadWatchTest, ACounterThatRunsBackwardsIsUnknown) {
  machine_.replace("/proc/stat", "50 10 0 0\ncpu0", "50 3 0 0\ncpu0");  // a guest that migrated
  EXPECT_EQ(report().facts.at(0).value, std::nullopt);
  EXPECT_EQ(warnings(), Sentences{});
}

}  // namespace
}  // namespace torchgate::machine
