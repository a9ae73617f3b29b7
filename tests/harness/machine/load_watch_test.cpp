// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/load_watch.hpp"

#include <gtest/gtest.h>

#include "tests/harness/machine/captured_machine.hpp"

namespace torchgate::machine {
namespace {

using namespace std::chrono_literals;
using testing::CapturedMachine;

class LoadWatchTest : public ::testing::Test {
 protected:
  /// Ten seconds, of which our own processes used four.
  LoadChange change() { return change_of_load(before_, snapshot_load(machine_.sources), 10s, 4s); }
  CapturedMachine machine_{"virtual"};
  LoadSnapshot before_ = snapshot_load(machine_.sources);
};

// The captured machine counts in ticks of 10 ms.
TEST_F(LoadWatchTest, ReadsCounters) {
  EXPECT_EQ(before_.load_average, 0.02);
  EXPECT_EQ(before_.runnable, 1);
  EXPECT_EQ(before_.cpu_pressure_percent, 0.0);
  EXPECT_EQ(before_.cpu_pressure_us, 1186762);
  EXPECT_EQ(before_.busy_ms, 15500);
  EXPECT_EQ(before_.steal_ms, 100);
  EXPECT_EQ(before_.total_ms, 15500 + 1'000'000 + 1000 + 100);
  EXPECT_EQ(before_.online_cpus, 2);
  EXPECT_EQ(before_.quota_throttles, 0);
  EXPECT_EQ(before_.thermal_throttles, std::nullopt);
}

TEST_F(LoadWatchTest, OnlyWhatOthersUsedCounts) {
  machine_.replace("/proc/stat", "cpu  1000", "cpu  1400");  // our own four seconds
  EXPECT_NEAR(*change().others_per_cpu, 0, 1e-9);
  machine_.replace("/proc/stat", "cpu  1400", "cpu  1800");  // 8 s on two CPUs in 10 s, 4 s of them ours
  EXPECT_NEAR(*change().others_per_cpu, 0.2, 1e-9);
}

TEST_F(LoadWatchTest, OfTheCpusOfTheAffinityMaskItIsKnownApart) {
  CapturedMachine desktop("desktop");
  desktop.sources.cpus = {1, 3};
  const LoadSnapshot before = snapshot_load(desktop.sources);
  EXPECT_EQ(before.our_busy_ms, 380 + 400);
  EXPECT_EQ(before.our_cpus, 2);
  desktop.replace("/proc/stat", "cpu3 25", "cpu3 825");  // 8 s on two CPUs in 10 s, 4 s of them ours
  EXPECT_NEAR(*change_of_load(before, snapshot_load(desktop.sources), 10s, 4s).others_per_own_cpu, 0.2, 1e-9);
  desktop.replace("/proc/stat", "cpu3 825", "cpu3 x");
  EXPECT_EQ(change_of_load(before, snapshot_load(desktop.sources), 10s, 4s).others_per_own_cpu, std::nullopt);
  desktop.sources.cpus.clear();
  EXPECT_EQ(snapshot_load(desktop.sources).our_busy_ms, std::nullopt);
}

TEST_F(LoadWatchTest, WaitingIsAShareOfTheRun) {
  machine_.replace("/proc/pressure/cpu", "total=1186762", "total=3186762");  // 2 s of 10 s
  EXPECT_NEAR(*change().waited_percent, 20, 1e-9);
}

TEST_F(LoadWatchTest, Steal) {
  machine_.replace("/proc/stat", "100000 100 0 50 10 0 0\ncpu0", "101900 100 0 50 60 0 0\ncpu0");  // 0.5 s of 19.5 s
  EXPECT_NEAR(*change().steal_percent, 100 * 0.5 / 19.5, 1e-9);
  EXPECT_EQ(load_facts(change()).at(0).value, "2.6");
}

TEST_F(LoadWatchTest, Throttling) {
  machine_.replace("/sys/fs/cgroup/cpu/cpu.stat", "nr_throttled 0", "nr_throttled 3");
  EXPECT_EQ(change().quota_throttles, 3);
  EXPECT_EQ(load_facts(change()).at(1).value, "3");

  CapturedMachine desktop("desktop");
  desktop.sources.cpus = {0, 1, 2, 3};
  const LoadSnapshot cool = snapshot_load(desktop.sources);
  EXPECT_EQ(cool.thermal_throttles, 0 + 1 + 2 + 3);
  EXPECT_EQ(cool.quota_throttles, 4);
  desktop.replace("/sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count", "2", "7");
  const LoadChange hot = change_of_load(cool, snapshot_load(desktop.sources), 10s, 0s);
  EXPECT_EQ(hot.thermal_throttles, 5);
  EXPECT_EQ(load_facts(hot).at(2).value, "5");
}

TEST_F(LoadWatchTest, UnknownIsNeitherFineNorZero) {
  const LoadChange nothing = change_of_load({}, {}, 10s, 4s);
  EXPECT_EQ(nothing.others_per_cpu, std::nullopt);
  EXPECT_EQ(nothing.waited_percent, std::nullopt);
  for (const record::MachineFact& fact : load_facts(nothing)) {
    EXPECT_EQ(fact.value, std::nullopt) << fact.name;
    EXPECT_NE(fact.unknown_reason, "") << fact.name;
  }
}

// Another machine knows it in this way.
TEST_F(LoadWatchTest, TheChangeFollowsFromFacts) {
  const auto before = counter_facts(before_, 1000s, 500ms);
  machine_.replace("/proc/stat", "cpu  1000", "cpu  1800");
  const auto after = counter_facts(snapshot_load(machine_.sources), 1010s, 1s);
  const LoadChange change = change_of_load(before, after, 3s);  // and a second of the program that read the second ones
  EXPECT_NEAR(*change.others_per_cpu, 0.2, 1e-9);
  EXPECT_EQ(change.quota_throttles, 0);
  EXPECT_EQ(change.thermal_throttles, std::nullopt);
  EXPECT_EQ(change_of_load(after, before, 0s).others_per_cpu, std::nullopt) << "time ran backwards";
}

TEST_F(LoadWatchTest, ACounterThatRunsBackwardsIsUnknown) {
  machine_.replace("/proc/stat", "50 10 0 0\ncpu0", "50 3 0 0\ncpu0");  // a guest that migrated
  EXPECT_EQ(change().steal_percent, std::nullopt);
}

}  // namespace
}  // namespace torchgate::machine
