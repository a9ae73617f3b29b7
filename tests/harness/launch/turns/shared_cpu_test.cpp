// SPDX-License-Identifier: Apache-2.0
// With real processes that work in one thread or in two.
#include "harness/launch/turns/shared_cpu.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace torchgate::launch {
namespace {

using namespace std::chrono_literals;

/// A process whose threads spin until it is killed.
class Spinner {
 public:
  explicit Spinner(int threads) : pid_(fork()) {
    if (pid_ != 0) return;
    const auto spin = [] {
      std::atomic<unsigned> turns = 0;
      for (;;) ++turns;
    };
    for (int i = 1; i < threads; ++i) std::thread(spin).detach();
    spin();
  }
  ~Spinner() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Spinner(const Spinner&) = delete;
  Spinner& operator=(const Spinner&) = delete;
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] std::vector<int> cpus() const { return cpus_of(pid_); }

 private:
  pid_t pid_;
};

class SharedCpuTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (allowed_cpus().size() < 2) GTEST_SKIP() << "this machine has one CPU, so there is nothing to choose";
  }
  /// The case is prepared by these, as long as the threads of a busy machine need to be seen.
  static void prepare(SharedCpu& cpu, const Spinner& one, const Spinner& other) {
    cpu.begin_case();
    cpu.preparing(0, one.pid());
    cpu.preparing(1, other.pid());
    std::this_thread::sleep_for(200ms);
    cpu.prepared(0, one.pid());
    cpu.prepared(1, other.pid());
  }
};

TEST(ThreadTimes, OtherThreadsThatOnlyWaitDidNotWork) {
  const ThreadTimes before{100ms, 100ms, 0ms};
  EXPECT_FALSE(other_threads_worked(before, {200ms, 199ms, 0ms}));
  EXPECT_TRUE(other_threads_worked(before, {200ms, 190ms, 0ms}));
  EXPECT_FALSE(other_threads_worked(before, before));
  EXPECT_FALSE(thread_times(0x7ffffffe)) << "no such process";
}

TEST_F(SharedCpuTest, BothProcessesHaveOneCpuAndAllAgain) {
  SharedCpu cpu(allowed_cpus(), 1);
  const Spinner one(1);
  const Spinner other(1);
  prepare(cpu, one, other);
  ASSERT_TRUE(cpu.cpu());
  cpu.before_turn(0, one.pid());
  cpu.before_turn(1, other.pid());
  EXPECT_EQ(one.cpus(), std::vector<int>{*cpu.cpu()});
  EXPECT_EQ(other.cpus(), one.cpus());
  cpu.release(0, one.pid());
  EXPECT_EQ(one.cpus(), allowed_cpus());
  EXPECT_EQ(other.cpus().size(), 1U);
}

TEST_F(SharedCpuTest, ACaseOfSeveralThreadsMayUseAllOfThem) {
  SharedCpu cpu(allowed_cpus(), 1);
  const Spinner one(1);
  const Spinner two(2);
  prepare(cpu, one, two);
  EXPECT_FALSE(cpu.cpu());
  cpu.before_turn(0, one.pid());
  EXPECT_EQ(one.cpus(), allowed_cpus());
  cpu.begin_case();
  EXPECT_TRUE(cpu.cpu()) << "the next case is another question";
}

TEST_F(SharedCpuTest, ThreadsThatAreStartedInATurnGetTheirCpusBack) {
  SharedCpu cpu(allowed_cpus(), 1);
  const Spinner two(2);
  cpu.begin_case();
  cpu.before_turn(0, two.pid());
  ASSERT_EQ(two.cpus().size(), 1U);
  std::this_thread::sleep_for(200ms);
  cpu.after_turn(0, two.pid());
  cpu.before_turn(0, two.pid());
  EXPECT_EQ(two.cpus(), allowed_cpus());
}

TEST_F(SharedCpuTest, AProcessThatHasChosenItsCpuKeepsIt) {
  SharedCpu cpu(allowed_cpus(), 1);
  const Spinner one(1);
  const int own = allowed_cpus().back();
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(own), &set);
  ASSERT_EQ(sched_setaffinity(one.pid(), sizeof set, &set), 0);
  cpu.begin_case();
  cpu.before_turn(0, one.pid());
  EXPECT_FALSE(cpu.cpu());
  cpu.release(0, one.pid());
  EXPECT_EQ(one.cpus(), std::vector<int>{own});
}

TEST_F(SharedCpuTest, ACpuThatIsWantedByOthersIsLeftAFewTimes) {
  SharedCpu cpu(allowed_cpus(), 1);
  const Spinner one(1);
  const Spinner neighbour(1);
  cpu.begin_case();
  int moves = 0;
  for (int round = 0; round < 6; ++round) {
    ASSERT_TRUE(cpu.cpu());
    const int here = *cpu.cpu();
    cpu.before_turn(0, one.pid());
    cpu.before_turn(1, neighbour.pid());  // neither is stopped: they share this CPU
    std::this_thread::sleep_for(100ms);
    cpu.after_turn(0, one.pid());
    cpu.after_turn(1, neighbour.pid());
    cpu.end_round();
    moves += cpu.cpu() != here ? 1 : 0;
  }
  EXPECT_GE(moves, 1);
  EXPECT_LE(moves, 3) << "where all are wanted, moving brings nothing";
}

TEST(SharedCpu, WithOneCpuNothingIsSet) {
  SharedCpu cpu({allowed_cpus().front()}, 1);
  cpu.begin_case();
  EXPECT_FALSE(cpu.cpu());
}

TEST(SharedCpu, TheSeedDrawsAllCpus) {
  std::vector<int> drawn(2, 0);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SharedCpu cpu({0, 1}, seed);
    cpu.begin_case();
    ++drawn.at(static_cast<std::size_t>(*cpu.cpu()));
  }
  EXPECT_GT(drawn[0], 30);
  EXPECT_GT(drawn[1], 30);
}

}  // namespace
}  // namespace torchgate::launch
