// SPDX-License-Identifier: Apache-2.0
// Pairs of a real Google Benchmark program, which has no support for turns.
#include "harness/launch/foreign/benchmark_pair.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

namespace fs = std::filesystem;
using record::ProcessStatus;

/// 30 on a machine that does nothing else; on a busy one calls look longer.
constexpr std::size_t fewest_turns = 10;

Request pairs_of(const fs::path& before, const fs::path& after, const std::string& filter) {
  Request request = testing::in_pairs(testing::fake_request(""));
  request.sides[0].suites = {before};
  request.sides[1].suites = {after};
  request.plan.profile = "quick";
  request.plan.filter = filter;
  request.plan.processes = 2;
  return request;
}

const record::Measurement* time_of(const record::CaseResult& result) {
  for (const record::Measurement& each : result.measurements)
    if (each.metric == "time") return &each;
  return nullptr;
}

/// The program behind a script, which does COMMAND before it measures in a pair.
fs::path behind_script(const fs::path& folder, const fs::path& program, const std::string& command) {
  const fs::path path = folder / program.filename();
  std::ofstream(path) << "#!/bin/sh\ncase \"$BENCHMARK_LIST_TESTS $*\" in true*|*--benchmark_repetitions=3\\ *) ;; *) "
                      << command << " ;; esac\nexec " << program.string() << " \"$@\"\n";
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

TEST(BenchmarkPair, RepetitionsAreTheTurnsOfBothSides) {
  const record::Run run =
      testing::run(pairs_of(TORCHGATE_MANUAL_BENCHMARK, TORCHGATE_MANUAL_BENCHMARK, "BM_sum/20000|BM_threads"));
  ASSERT_EQ(run.processes.size(), 8U);  // two families, two pairs
  for (const record::Process& process : run.processes) {
    EXPECT_EQ(process.status, ProcessStatus::ok) << process.message;
    for (const record::CaseResult& result : process.cases) {
      const record::Measurement* const time = time_of(result);
      ASSERT_TRUE(time != nullptr && time->turns) << result.name;
      EXPECT_GE(time->turns->means.size(), fewest_turns) << result.name;
      EXPECT_EQ(time->turns->means, time->samples);
      EXPECT_GT(time->turns->floor, 0);
    }
  }
  EXPECT_TRUE(testing::children().empty());
}

TEST(BenchmarkPair, WithRawSamplesARepetitionIsStillATurn) {
  const record::Run run = testing::run(pairs_of(TORCHGATE_RAW_BENCHMARK, TORCHGATE_RAW_BENCHMARK, "BM_sum/20000"));
  ASSERT_FALSE(run.processes.empty());
  bool joined =
      false;  // on a busy machine the samples of a repetition may disagree with its mean, and are then left out
  for (const record::Process& process : run.processes) {
    const record::Measurement* const time = time_of(process.cases.at(0));
    ASSERT_TRUE(time != nullptr && time->turns);
    EXPECT_GE(time->turns->means.size(), fewest_turns);
    joined = joined || time->samples.size() > time->turns->means.size();
  }
  EXPECT_TRUE(joined);
}

TEST(BenchmarkPair, ASideThatCrashesLosesThePairAndTheOtherIsExcused) {
  const base::testing::TemporaryFolder folder;
  const fs::path crashing = behind_script(folder.path(), TORCHGATE_MANUAL_BENCHMARK, "kill -SEGV $$");
  Request request = pairs_of(TORCHGATE_MANUAL_BENCHMARK, crashing, "BM_sum/");
  request.plan.processes = 1;
  const record::Run run = testing::run(request);
  ASSERT_EQ(run.processes.size(), 2U);
  for (const record::Process& process : run.processes) {
    if (process.side == 1) {
      EXPECT_EQ(process.status, ProcessStatus::crashed);
      continue;
    }
    EXPECT_EQ(process.status, ProcessStatus::not_started);
    EXPECT_NE(process.message.find("the pair is lost: side 'after'"), std::string::npos) << process.message;
  }
  EXPECT_TRUE(testing::children().empty());
}

// Two processes of some programs cannot live at once: a port, a lock.
TEST(BenchmarkPair, AfterAFailureItsProcessesRunOneAfterTheOther) {
  const base::testing::TemporaryFolder folder;
  const std::string lock = "\"" + (folder.path() / "lock").string() + "\"";
  const fs::path exclusive =
      behind_script(folder.path(), TORCHGATE_MANUAL_BENCHMARK, "exec 9>" + lock + "; flock -n 9 || exit 7");
  Request request = pairs_of(exclusive, exclusive, "BM_sum/20000");
  request.plan.processes = 3;
  const record::Run run = testing::run(request);
  ASSERT_EQ(run.processes.size(), 6U);
  for (const record::Process& process : run.processes) {
    if (process.pair == 0) continue;
    EXPECT_EQ(process.status, ProcessStatus::ok) << process.message;
  }
}

TEST(BenchmarkPair, LongCallsRunOneAfterTheOther) {
  const base::testing::TemporaryFolder folder;
  // Nothing is known of a program whose probe fails.
  const fs::path silent = folder.path() / fs::path(TORCHGATE_MANUAL_BENCHMARK).filename();
  std::ofstream(silent) << "#!/bin/sh\ncase \"$*\" in *--benchmark_repetitions=3\\ *) exit 3 ;; esac\nexec "
                        << TORCHGATE_MANUAL_BENCHMARK << " \"$@\"\n";
  fs::permissions(silent, fs::perms::owner_all);
  const record::Run run = testing::run(pairs_of(silent, silent, "BM_sum/20000"));
  ASSERT_EQ(run.processes.size(), 4U);
  for (const record::Process& process : run.processes) {
    ASSERT_EQ(process.status, ProcessStatus::ok) << process.message;
    EXPECT_FALSE(time_of(process.cases.at(0))->turns);
  }
}

// Its repetitions are longer than any turn: the stops would be a part of all of them, and both sides would look equal.
TEST(BenchmarkPair, WhatWaitsRunsOneAfterTheOther) {
  Request request = pairs_of(TORCHGATE_COUNTED_BENCHMARK, TORCHGATE_COUNTED_BENCHMARK, "BM_waits");
  request.plan.processes = 1;
  const record::Run run = testing::run(request);
  ASSERT_EQ(run.processes.size(), 2U);
  for (const record::Process& process : run.processes) {
    ASSERT_EQ(process.status, ProcessStatus::ok) << process.message;
    EXPECT_FALSE(time_of(process.cases.at(0))->turns);
  }
}

TEST(BenchmarkProbe, KnowsHowLongARepetitionTakes) {
  const BenchmarkTimes times = benchmark_times_in_turns("default", 1e-6);
  ASSERT_EQ(times.min_time_s, 0.005);
  EXPECT_EQ(longest_repetition_s({1e-6, 0.001, 1, true}, times), 0.005);
  EXPECT_EQ(longest_repetition_s({0.03, 0.03, 1, true}, times), 0.03) << "one call";
  EXPECT_EQ(longest_repetition_s({1e-6, 0.5, 1, true}, times), 0.5) << "/min_time:0.5";
  EXPECT_EQ(longest_repetition_s({0.009, 0.18, 180, true}, times), 0.9) << "50 us of 9 ms are CPU time";
  const BenchmarkProbe both = joined({0.009, 0.001, 2, true}, {0.001, 0.5, 3, false});
  EXPECT_EQ(both.longest_call_s, 0.009);
  EXPECT_EQ(both.longest_repetition_s, 0.5);
  EXPECT_EQ(both.wall_ratio, 3);
  EXPECT_FALSE(both.one_thread);
}

TEST(BenchmarkPair, ASideThatHangsIsEndedAtItsLimit) {
  const base::testing::TemporaryFolder folder;
  const fs::path hanging = behind_script(folder.path(), TORCHGATE_MANUAL_BENCHMARK, "sleep 100");
  Request request = pairs_of(TORCHGATE_MANUAL_BENCHMARK, hanging, "BM_sum/20000");
  request.plan.processes = 1;
  request.plan.group_limit_s = 4;
  const record::Run run = testing::run(request);
  ASSERT_EQ(run.processes.size(), 2U);
  EXPECT_EQ(run.processes[run.processes[0].side == 1 ? 0 : 1].status, ProcessStatus::timed_out);
  EXPECT_TRUE(testing::children().empty());
}

TEST(BenchmarkTimesInTurns, AreAsLongInTotalAndShortEach) {
  const BenchmarkTimes usual = benchmark_times("default");
  const BenchmarkTimes turns = benchmark_times_in_turns("default", 1e-6);
  EXPECT_EQ(turns.repetitions, 60);
  EXPECT_NEAR(turns.repetitions * turns.min_time_s, usual.repetitions * usual.min_time_s, 1e-9);
  EXPECT_EQ(benchmark_times_in_turns("quick", 0).repetitions, 30);
  EXPECT_EQ(benchmark_times_in_turns("quick", 0).min_time_s, 0.005);
  EXPECT_EQ(benchmark_times_in_turns("default", 0.02).repetitions, 15) << "a call of 20 ms: 0.3 s in total";
  EXPECT_NEAR(benchmark_times_in_turns("default", 0.02).min_time_s, 0.02, 1e-12)
      << "and for the short ones beside it, too";
  EXPECT_EQ(benchmark_times_in_turns("default", 5).repetitions, usual.repetitions);
  EXPECT_EQ(benchmark_times_in_turns("quick", 1e300).repetitions, benchmark_times("quick").repetitions);
}

}  // namespace
}  // namespace torchgate::launch
