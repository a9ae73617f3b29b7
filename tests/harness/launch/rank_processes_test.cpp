// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/rank_processes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "harness/launch/launcher.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

using namespace std::chrono_literals;
using base::testing::TemporaryFolder;
using record::ProcessStatus;
using testing::read_text;
using testing::shell;

SuiteAnswer two(const std::string& script, std::chrono::milliseconds patience = 5s) {
  return ask_ranks(shell(script), 2, "/nonexistent/report.json", patience);
}

TEST(RankCommands, SayWhereEachRankStands) {
  process::Command command = shell("true");
  command.environment = {{"OMP_NUM_THREADS", "1"}, {"RANK", "7"}};
  const auto commands = rank_commands(command, 3, 4711);
  ASSERT_EQ(commands.size(), 3U);
  const std::vector<record::Parameter> second = {{"OMP_NUM_THREADS", "1"},  {"RANK", "1"},
                                                 {"LOCAL_RANK", "1"},       {"WORLD_SIZE", "3"},
                                                 {"LOCAL_WORLD_SIZE", "3"}, {"MASTER_ADDR", "127.0.0.1"},
                                                 {"MASTER_PORT", "4711"}};
  EXPECT_EQ(commands[1].environment, second);
  EXPECT_EQ(commands[2].environment[1].value, "2");
}

TEST(RankCommands, ShareACpuWhereThereAreTooFew) {
  EXPECT_EQ(shared_rank_cpu(2, {0, 1}), 1);
  EXPECT_EQ(shared_rank_cpu(2, {2, 3, 4, 5, 6}), 6);
  EXPECT_EQ(shared_rank_cpu(2, {0, 1, 2, 3, 4, 5}), std::nullopt);
  EXPECT_EQ(shared_rank_cpu(2, {}), std::nullopt);
  const auto commands = rank_commands(shell("true"), 2, 4711, 3);
  for (const process::Command& command : commands) {
    EXPECT_EQ(command.environment.back().name, "TORCHGATE_RANK_CPU");
    EXPECT_EQ(command.environment.back().value, "3");
  }
}

// What is said of them is in srun_test.cpp.
TEST(AskRanks, EndsTheOthersWhenOneCrashes) {
  const TemporaryFolder folder;
  const auto answer =
      two("[ $RANK = 0 ] && echo $$ > " + (folder.path() / "pid").string() + " && exec sleep 1000; while [ ! -s " +
              (folder.path() / "pid").string() + " ]; do sleep 0.01; done; kill -SEGV $$",
          100ms);
  EXPECT_EQ(answer.status, ProcessStatus::crashed);
  EXPECT_FALSE(testing::is_running(static_cast<pid_t>(std::stoi(read_text(folder.path() / "pid")))));
}

// Rank 0 tells; rank 1 alone waits fifty times.
TEST(AskRanks, CountsWhatAllRanksUsed) {
  const auto answer = two("[ $RANK = 0 ] || for i in $(seq 50); do sleep 0.001; done");
  ASSERT_EQ(answer.status, ProcessStatus::not_a_suite) << answer.message;  // ended well, without a report
  ASSERT_TRUE(answer.outcome.usage);
  EXPECT_GE(answer.outcome.usage->voluntary_switches, 50);
}

TEST(AskRanks, SaysThatThereIsNoSuchProgram) {
  process::Command command;
  command.executable = "/nonexistent/suite";
  const auto answer = ask_ranks(command, 2, "/nonexistent/report.json");
  EXPECT_EQ(answer.status, ProcessStatus::not_started);
  EXPECT_NE(answer.message.find("rank 0: cannot start /nonexistent/suite"), std::string::npos) << answer.message;
}

TEST(AskRanks, IsOneProcessForOneRank) {
  const auto answer = ask_ranks(shell("exit ${RANK:-4}"), 1, "/nonexistent/report.json");
  EXPECT_EQ(answer.message, "ended with exit code 4");
}

// From here on with a suite whose ranks really talk to each other.
record::Run measured(const std::string& filter, double limit_s) {
  Request request;
  request.sides.push_back({"run", {TORCHGATE_RANKS_SUITE}, {}, {}});
  request.plan.processes = 1;
  request.plan.seed = 1;
  request.plan.profile = "quick";
  request.plan.filter = filter;
  request.plan.group_limit_s = limit_s;
  request.lock_file.clear();
  Observer nobody;
  auto run = measure(request, nobody);
  if (!run) throw std::runtime_error(run.error().message);
  return *run;
}

TEST(MeasureRanks, MakesOneProcessOfEvidence) {
  const record::Run run = measured("ranks/well", 60);
  ASSERT_EQ(run.processes.size(), 1U);
  const record::Process& process = run.processes[0];
  EXPECT_EQ(process.status, ProcessStatus::ok) << process.message;
  ASSERT_EQ(process.cases.size(), 2U);
  for (const auto& result : process.cases) EXPECT_EQ(result.status, record::CaseStatus::ok) << result.message;
  EXPECT_EQ(run.groups.at(0).ranks, 2);
}

TEST(MeasureRanks, SaysWhichRankCrashed) {
  const record::Run run = measured("ranks/crash", 60);
  ASSERT_EQ(run.processes.size(), 1U);
  EXPECT_EQ(run.processes[0].status, ProcessStatus::crashed);
  EXPECT_EQ(run.processes[0].message.substr(0, 25), "rank 1: killed by SIGSEGV") << run.processes[0].message;
}

TEST(MeasureRanks, EndsAllRanksWhenOneHangs) {
  const record::Run run = measured("ranks/hang", 5);
  ASSERT_EQ(run.processes.size(), 1U);
  EXPECT_EQ(run.processes[0].status, ProcessStatus::timed_out) << run.processes[0].message;
  EXPECT_TRUE(testing::children().empty());
}

}  // namespace
}  // namespace torchgate::launch
