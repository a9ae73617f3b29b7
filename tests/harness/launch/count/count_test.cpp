// SPDX-License-Identifier: Apache-2.0
// Counting a run's instructions, with a real Callgrind and a suite and a Google Benchmark program that have known numbers.
#include "harness/launch/count/count.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "harness/launch/count/count_cost.hpp"
#include "harness/process/interrupt.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

/// Six instructions a turn, at -O1; the loop around them has a few more.
constexpr double per_turn = 6;
constexpr double around_a_call = 60;

class Counting : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the instructions of a sanitizer are counted, too";
#endif
    if (!find_callgrind()) GTEST_SKIP() << find_callgrind().error().message;
  }

  static Request request(const std::string& program, const std::string& filter) {
    Request request;
    request.sides.push_back({"run", {program}, {}, {}});
    request.plan.profile = "quick";
    request.plan.filter = filter;
    request.plan.processes = 1;
    request.plan.seed = 1;
    request.plan.group_limit_s = 60;
    request.tool_version = "0.0.0";
    request.lock_file.clear();
    request.count = count_request(Counter::callgrind, "default");
    request.count->at_once = 2;
    return request;
  }

  static const record::InstructionCount& count_of(const record::Run& run, const std::string& name) {
    const auto found = std::find_if(run.instructions.begin(), run.instructions.end(),
                                    [&](const auto& each) { return each.case_name == name; });
    if (found != run.instructions.end()) return *found;
    static const record::InstructionCount none;
    ADD_FAILURE() << "no count of " << name;
    return none;
  }

  static void expect_turns(const record::InstructionCount& count, double turns) {
    ASSERT_FALSE(count.per_call.empty()) << count.case_name << ": " << count.unknown;
    for (const double each : count.per_call) EXPECT_NEAR(each, per_turn * turns, around_a_call) << count.case_name;
  }
};

struct Notes final : Observer {
  void on_plan(const Forecast& forecast) override { planned = forecast; }
  void on_note(const std::string& note) override { all.push_back(note); }
  std::vector<std::string> all;
  Forecast planned;
};

TEST_F(Counting, OnlyTheCallsOfACaseCountAndTheyRepeat) {
  const Request wanted = request(TORCHGATE_COUNTED_SUITE, "^counted/(loop|prepared|own)/");
  Notes notes;
  const auto run = measure(wanted, notes);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_FALSE(run->interrupted);
  ASSERT_EQ(run->instructions.size(), 4U);
  expect_turns(count_of(*run, "counted/loop/loop/turns:1000"), 1000);
  expect_turns(count_of(*run, "counted/loop/loop/turns:100000"), 100'000);
  expect_turns(count_of(*run, "counted/prepared/prepared"), 1000);
  const record::InstructionCount& own = count_of(*run, "counted/own/loop");
  ASSERT_EQ(own.per_call.size(), 2U) << own.unknown;
  EXPECT_NEAR(own.per_call.front(), per_turn * 3000, 1000) << "its process looks up a variable in each call";
  for (const record::InstructionCount& each : run->instructions) {
    EXPECT_EQ(each.per_call.size(), 2U);
    EXPECT_EQ(each.per_call.front(), each.per_call.back()) << each.case_name;
    EXPECT_EQ(each.counter.substr(0, 10), "callgrind-");
    ASSERT_FALSE(each.largest.empty());
    EXPECT_EQ(each.largest.front().object, "counted_suite");
    EXPECT_NE(each.largest.front().name.find("turns"), std::string::npos);
  }
  ASSERT_TRUE(notes.planned.count);
  EXPECT_EQ(notes.planned.count->cases, 4);
  EXPECT_EQ(notes.planned.count->processes, 6);
  EXPECT_NE(notes.all.front().find("counting instructions of 4 cases with callgrind-"), std::string::npos);
  ASSERT_TRUE(run->plan.count);
  EXPECT_EQ(run->plan.count->calls, 3);
}

TEST_F(Counting, AColdStartIsBuildingAndTheFirstCall) {
  const record::Run run = testing::run(request(TORCHGATE_COUNTED_SUITE, "^counted/cold/"));
  const record::InstructionCount& count = count_of(run, "counted/cold/cold");
  ASSERT_EQ(count.per_call.size(), 2U) << count.unknown;
  EXPECT_NEAR(count.per_call.front(), per_turn * 30'000, 1000) << "and what the first allocation takes";
}

TEST_F(Counting, AGoogleBenchmarkProgramIsCountedWithoutARebuild) {
  const record::Run run = testing::run(request(TORCHGATE_COUNTED_BENCHMARK, ""));
  expect_turns(count_of(run, "counted_benchmark/BM_loop/1000"), 1000);
  expect_turns(count_of(run, "counted_benchmark/BM_loop/100000"), 100'000);
  expect_turns(count_of(run, "counted_benchmark/BM_of_time/1000"), 1000);
  expect_turns(count_of(run, "counted_benchmark/BM_of_iterations/1000"), 1000);
  expect_turns(count_of(run, "counted_benchmark/BM_keep_running"), 2000);
  EXPECT_NE(count_of(run, "counted_benchmark/BM_paused").unknown.find("pauses its timer"), std::string::npos);
  EXPECT_NE(count_of(run, "counted_benchmark/BM_manual").unknown.find("manual_time"), std::string::npos);
  EXPECT_NE(count_of(run, "counted_benchmark/BM_threads/threads:2").unknown.find("several threads"), std::string::npos);
  EXPECT_NE(count_of(run, "counted_benchmark/BM_error").unknown.find("no such file"), std::string::npos);
}

TEST_F(Counting, AProcessThatFailsLosesItsOwnCountsOnly) {
  Request wanted = request(TORCHGATE_COUNTED_SUITE, "^counted/(illegal|killed|hanging|throwing|loop)/");
  wanted.plan.group_limit_s = 5;  // and six times that while it is counted
  const record::Run run = testing::run(wanted);
  expect_turns(count_of(run, "counted/loop/loop/turns:1000"), 1000);
  expect_turns(count_of(run, "counted/throwing/loop"), 1000);
  EXPECT_NE(count_of(run, "counted/illegal/illegal").unknown.find("an instruction that Valgrind does not know"),
            std::string::npos);
  expect_turns(count_of(run, "counted/illegal/loop"), 1000);  // of the same group, in a process of its own
  EXPECT_NE(count_of(run, "counted/killed/killed").unknown.find("killed by signal 9"), std::string::npos);
  EXPECT_NE(count_of(run, "counted/hanging/hanging").unknown.find("time limit"), std::string::npos);
  EXPECT_NE(count_of(run, "counted/throwing/throwing").unknown.find("no such kernel"), std::string::npos);
  for (const record::Process& process : run.processes)
    EXPECT_EQ(process.status, record::ProcessStatus::ok) << "timing is not affected: " << process.message;
}

// The first batch is smaller than what may run at once.
TEST_F(Counting, TheOtherCasesOfAKilledProcessAreCountedAlsoWhereItWasTheOnlyOne) {
  Request wanted = request(TORCHGATE_COUNTED_SUITE, "^counted/illegal/");
  wanted.count->processes = 1;
  wanted.count->at_once = 4;
  const record::Run run = testing::run(wanted);
  EXPECT_NE(count_of(run, "counted/illegal/illegal").unknown.find("an instruction that Valgrind does not know"),
            std::string::npos);
  expect_turns(count_of(run, "counted/illegal/loop"), 1000);
}

TEST_F(Counting, AProcessThatDidNotCountIsNamedBesideTheOneThatDid) {
  const base::testing::TemporaryFolder folder;
  Request wanted = request(TORCHGATE_COUNTED_SUITE, "^counted/second_fails/");
  wanted.environment = {{"COUNTED_MARK", (folder.path() / "mark").string()}};
  wanted.count->at_once = 1;
  const record::Run run = testing::run(wanted);
  EXPECT_EQ(count_of(run, "counted/second_fails/second_fails").per_call.size(), 1U);
  EXPECT_TRUE(std::any_of(run.warnings.begin(), run.warnings.end(), [](const std::string& warning) {
    return warning.find("only 1 of 2 processes counted its instructions: ") != std::string::npos;
  }));
}

TEST_F(Counting, ThreadsAreCountedTogether) {
  const record::Run run = testing::run(request(TORCHGATE_COUNTED_SUITE, "^counted/threads/"));
  const record::InstructionCount& count = count_of(run, "counted/threads/threads");
  ASSERT_FALSE(count.per_call.empty()) << count.unknown;
  EXPECT_GT(count.per_call.front(), per_turn * 10'000);
}

TEST_F(Counting, WithoutValgrindTheRunSaysSoAndIsARun) {
  Request wanted = request(TORCHGATE_COUNTED_SUITE, "^counted/prepared/");
  wanted.count->counter = Counter::any;
  const std::string path = getenv("PATH");
  setenv("PATH", "/no/such/folder", 1);
  Notes notes;
  const auto run = measure(wanted, notes);
  wanted.count->counter = Counter::callgrind;
  const auto by_name = measure(wanted, notes);
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(by_name) << "what was asked for by name is not replaced";
  EXPECT_EQ(by_name.error().code, base::ErrorCode::bad_input);
  if (check_hardware_counter()) return;  // that one is used
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->instructions.empty());
  EXPECT_EQ(run->processes.size(), 1U);
  EXPECT_TRUE(std::any_of(run->warnings.begin(), run->warnings.end(), [](const std::string& warning) {
    return warning.find("instructions cannot be counted: valgrind is not in PATH") != std::string::npos;
  }));
  EXPECT_TRUE(notes.planned.count && notes.planned.count->counter.empty());
}

TEST_F(Counting, InterruptedItIsIncompleteAndKeepsWhatWasCounted) {
  const base::testing::TemporaryFolder folder;
  const std::string started = (folder.path() / "started").string();
  Request wanted = request(TORCHGATE_COUNTED_SUITE, "^counted/(loop|slow)/");
  wanted.environment = {{"COUNTED_STARTED", started}};
  wanted.count->at_once = 1;
  std::thread ctrl_c([&] {
    if (testing::eventually([&] { return !testing::read_text(started).empty(); })) kill(getpid(), SIGINT);
  });
  Notes notes;
  const auto run = measure(wanted, notes);
  ctrl_c.join();
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->interrupted);
  EXPECT_EQ(run->processes.size(), 2U) << "the times are complete";
  EXPECT_FALSE(testing::is_running(static_cast<pid_t>(std::stol(testing::read_text(started)))));
  for (const record::InstructionCount& each : run->instructions)
    EXPECT_FALSE(each.per_call.empty()) << each.case_name << " was not counted: " << each.unknown;
}

TEST_F(Counting, CountsWithoutTimingAnything) {
  Request wanted = request(TORCHGATE_COUNTED_SUITE, "^counted/loop/");
  wanted.count->functions = true;
  Notes notes;
  const auto counted = count_only(wanted, {}, std::chrono::minutes(10), notes);
  ASSERT_TRUE(counted) << counted.error().message;
  ASSERT_EQ(counted->size(), 2U);
  EXPECT_FALSE(counted->front().functions.empty());
}

// COUNTED_EXTRA adds thousandths: three of them are 0.3 %.
TEST_F(Counting, ThreeThousandthsMoreAreSeen) {
  const auto per_call = [&](const char* program, const char* filter, const char* name, const char* extra) {
    Request wanted = request(program, filter);
    if (*extra != '\0') wanted.environment = {{"COUNTED_EXTRA", extra}};
    wanted.count->processes = 1;
    const record::Run run = testing::run(wanted);
    const record::InstructionCount& count = count_of(run, name);
    return count.per_call.empty() ? 0 : count.per_call.front();
  };
  const auto change = [&](const char* program, const char* filter, const char* name) {
    return per_call(program, filter, name, "3") / per_call(program, filter, name, "") - 1;
  };
  EXPECT_NEAR(change(TORCHGATE_COUNTED_SUITE, "^counted/loop/loop/turns:100000$", "counted/loop/loop/turns:100000"),
              0.003, 1e-5);
  EXPECT_NEAR(change(TORCHGATE_COUNTED_BENCHMARK, "BM_loop/100000$", "counted_benchmark/BM_loop/100000"), 0.003, 1e-5);
}

TEST(CountCost, ProcessesThatWereTimedMakeTheEstimate) {
  record::Run run;
  run.processes.resize(3);
  for (std::size_t i = 0; i < 3; ++i) {
    run.processes[i].start = record::ProcessStart{};
    run.processes[i].start->main_ns = static_cast<std::int64_t>(i + 1) * 100'000'000;
  }
  record::CaseResult result;
  result.name = "s/g/a";
  record::Measurement time;
  time.metric = "time";
  time.summary.emplace();
  time.summary->median = 2e9;
  result.measurements = {time};
  run.processes[0].cases = {result};
  const KnownTimes known = times_of(run);
  EXPECT_DOUBLE_EQ(known.load_s, 0.2);
  EXPECT_DOUBLE_EQ(known.call_s.at("s/g/a"), 2);
  GroupOnSide side;
  const CountJob job{&side, "s/g", "", {"s/g/a"}};
  CountSettings hardware{{}, "hardware", 3, false};
  EXPECT_DOUBLE_EQ(count_seconds(job, hardware, known), 0.2 + (2 + 3) * 2);
  CountSettings callgrind{"/usr/bin/valgrind", "callgrind-3.19.0", 3, false};
  EXPECT_GT(count_seconds(job, callgrind, known), 10 * count_seconds(job, hardware, known));
}

TEST(CountCost, SaysItInOneSentence) {
  EXPECT_EQ(words_of({"callgrind-3.19.0", "", 12, 8, 2, 40}),
            "counting instructions of 12 cases with callgrind-3.19.0: 8 processes, 2 at a time, about 40 s");
  EXPECT_EQ(words_of({"", "instructions cannot be counted: no valgrind", 0, 0, 1, 0}),
            "instructions cannot be counted: no valgrind");
}

}  // namespace
}  // namespace torchgate::launch
