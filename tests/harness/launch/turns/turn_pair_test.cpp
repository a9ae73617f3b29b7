// SPDX-License-Identifier: Apache-2.0
// Pairs of real processes: a suite that takes turns, and programs that only begin to.
#include "harness/launch/turns/turn_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "harness/launch/launcher.hpp"
#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

using namespace std::chrono_literals;
using base::testing::TemporaryFolder;
using record::CaseStatus;
using record::ProcessStatus;

class TurnPair : public ::testing::Test {
 protected:
  static constexpr const char* spin = "turns/steady/spin";

  TurnSide side(std::size_t index, const std::string& group, const std::string& trouble = "") {
    process::Command command;
    command.executable = TORCHGATE_TURNS_SUITE;
    const auto report = (index == 0 ? before_ : after_).path() / "report.json";
    command.arguments = {"--torchgate_group=" + group, "--torchgate_out=" + report.string(),
                         "--torchgate_profile=quick"};
    command.time_limit = 60s;
    if (!trouble.empty()) command.environment.push_back({"TURNS_TROUBLE", trouble});
    return {command, report, index == 0 ? "before" : "after"};
  }

  TurnSide script(std::size_t index, const std::string& text) {
    TurnSide other = side(index, "turns/steady");
    other.command.executable = "/bin/bash";
    // The flag that says the descriptor comes last.
    other.command.arguments = {"-c", "for each; do fd=$((10#${each#*=})); done; " + text, "bash"};
    return other;
  }

  std::array<SuiteAnswer, 2> ask(const std::string& name, const TurnSide& before, const TurnSide& after) {
    return ask_pair({before, after}, {{name}}, 1);
  }

  /// The other side is ended, blamed for nothing, and no process is left.
  static void expect_lost(const std::array<SuiteAnswer, 2>& answers, const std::string& because) {
    EXPECT_EQ(answers[0].status, ProcessStatus::not_started);
    EXPECT_TRUE(answers[0].lost_by_other);
    EXPECT_FALSE(answers[0].report);
    EXPECT_EQ(answers[0].message.substr(0, 37), "the pair is lost: side 'after' " + because.substr(0, 6));
    EXPECT_TRUE(testing::children().empty());
  }

  TemporaryFolder before_;
  TemporaryFolder after_;
};

TEST_F(TurnPair, BothReportAsManyTurns) {
  const auto answers = ask(spin, side(0, "turns/steady"), side(1, "turns/steady"));
  std::vector<std::size_t> turns;
  for (const SuiteAnswer& answer : answers) {
    ASSERT_EQ(answer.status, ProcessStatus::ok) << answer.message;
    ASSERT_EQ(answer.report->results.size(), 1U);
    const record::CaseResult& result = answer.report->results.front();
    EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
    const record::Measurement& time = result.measurements.at(0);
    ASSERT_TRUE(time.turns) << time.metric;
    EXPECT_EQ(time.turns->means.size(), time.turns->counts.size());
    EXPECT_EQ(static_cast<std::size_t>(std::accumulate(time.turns->counts.begin(), time.turns->counts.end(), 0LL)),
              time.samples.size());
    EXPECT_GE(time.turns->floor, time.summary->min);
    EXPECT_LE(time.turns->floor, time.summary->median);
    turns.push_back(time.turns->means.size());
  }
  EXPECT_EQ(turns.front(), turns.back());
  EXPECT_GE(turns.front(), 5U) << "the fewest, where the time of the pair has ended on a busy machine";
}

TEST_F(TurnPair, WallTimesOfBothSidesAddUpToThePair) {
  const auto begin = std::chrono::steady_clock::now();
  const auto answers = ask(spin, side(0, "turns/steady"), side(1, "turns/steady"));
  const auto pair = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(answers[0].outcome.wall, pair);
  EXPECT_LT(answers[1].outcome.wall, pair);
  EXPECT_LT(answers[0].outcome.wall + answers[1].outcome.wall, pair * 11 / 10);
}

TEST_F(TurnPair, ACrashNamesTheTurnAndEndsTheOther) {
  const auto answers = ask("turns/trouble/spin", side(0, "turns/trouble"), side(1, "turns/trouble", "crash"));
  EXPECT_EQ(answers[1].status, ProcessStatus::crashed);
  EXPECT_EQ(answers[1].message.substr(0, 38), "killed by SIGSEGV (Segmentation fault)");
  EXPECT_NE(answers[1].message.find("of turns/trouble/spin"), std::string::npos) << answers[1].message;
  expect_lost(answers, "killed");
}

TEST_F(TurnPair, AnExitInItsTurnIsABadReport) {
  const auto answers = ask("turns/trouble/spin", side(0, "turns/trouble"), side(1, "turns/trouble", "exit"));
  EXPECT_EQ(answers[1].status, ProcessStatus::bad_report);
  EXPECT_EQ(answers[1].message.substr(0, 35), "ended before its pair was complete,");
  expect_lost(answers, "ended ");
}

TEST_F(TurnPair, AHangIsEndedAtTheLimitOfItsSide) {
  TurnSide hanging = side(1, "turns/trouble", "hang");
  hanging.command.time_limit = 2s;
  const auto answers = ask("turns/trouble/spin", side(0, "turns/trouble"), hanging);
  EXPECT_EQ(answers[1].status, ProcessStatus::timed_out);
  EXPECT_EQ(answers[1].message.substr(0, 34), "killed after its time limit of 2 s");
  expect_lost(answers, "killed");
}

TEST_F(TurnPair, NonsenseIsABadReport) {
  const auto answers = ask("turns/trouble/spin", side(0, "turns/trouble"), side(1, "turns/trouble", "nonsense"));
  EXPECT_EQ(answers[1].status, ProcessStatus::bad_report);
  EXPECT_EQ(answers[1].message.substr(0, 25), "answered \"took forty-two\"") << answers[1].message;
  expect_lost(answers, "answer");
}

TEST_F(TurnPair, AnExceptionInATurnFailsTheCaseAndNothingElse) {
  const auto answers = ask("turns/trouble/spin", side(0, "turns/trouble"), side(1, "turns/trouble", "throw"));
  ASSERT_EQ(answers[0].status, ProcessStatus::ok) << answers[0].message;
  ASSERT_EQ(answers[1].status, ProcessStatus::ok) << answers[1].message;
  EXPECT_EQ(answers[0].report->results.at(0).status, CaseStatus::ok);
  EXPECT_EQ(answers[1].report->results.at(0).status, CaseStatus::failed);
  EXPECT_EQ(answers[1].report->results.at(0).message, "no more");
}

TEST_F(TurnPair, CasesWithoutMemoryForBothAreMeasuredOneAfterTheOther) {
  const std::string spin_on_device = "full_device/whole/spin/device:cuda";
  std::array<TurnSide, 2> sides{side(0, "full_device/whole"), side(1, "full_device/whole")};
  for (TurnSide& each : sides) {
    each.command.executable = TORCHGATE_FULL_DEVICE_SUITE;
    each.command.environment.push_back({"FULL_DEVICE", (before_.path() / "memory").string()});
  }
  const auto answers = ask(spin_on_device, sides[0], sides[1]);
  int later = 0;
  for (const SuiteAnswer& answer : answers) {
    ASSERT_EQ(answer.status, ProcessStatus::ok) << answer.message;
    const record::CaseResult& result = answer.report->results.at(0);
    EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
    const bool was_later = result.message.text().starts_with("measured when the other side was done");
    EXPECT_EQ(result.measurements.at(0).turns.has_value(), !was_later) << "turns that have no neighbours are none";
    later += was_later ? 1 : 0;
  }
  EXPECT_EQ(later, 1);
}

TEST_F(TurnPair, ACaseThatDoesNotFitAloneEitherFails) {
  std::array<TurnSide, 2> sides{side(0, "full_device/whole"), side(1, "full_device/whole")};
  for (TurnSide& each : sides) each.command.executable = TORCHGATE_FULL_DEVICE_SUITE;
  for (const SuiteAnswer& answer : ask("full_device/whole/spin/device:cuda", sides[0], sides[1])) {
    ASSERT_EQ(answer.status, ProcessStatus::ok) << answer.message;
    EXPECT_EQ(answer.report->results.at(0).status, CaseStatus::failed);
    EXPECT_EQ(answer.report->results.at(0).message, "CUDA out of memory, whoever asks");
  }
}

TEST_F(TurnPair, WhatAForkLeftIsKilled) {
  const auto answers = ask("turns/trouble/spin", side(0, "turns/trouble"), side(1, "turns/trouble", "fork"));
  EXPECT_EQ(answers[1].status, ProcessStatus::ok) << answers[1].message;
  EXPECT_GE(answers[1].outcome.left_behind, 1);
  EXPECT_TRUE(testing::children().empty());
}

TEST_F(TurnPair, ASideOfAnotherVersionIsRefused) {
  const auto answers = ask(spin, side(0, "turns/steady"), script(1, "echo 'turns 2' >&$fd; read -u $fd line"));
  EXPECT_EQ(answers[1].status, ProcessStatus::bad_report);
  EXPECT_EQ(answers[1].message.substr(0, 88),
            "cannot take turns with this torchgate: it began with \"turns 2\", expected \"turns 1\"");
  expect_lost(answers, "cannot");
}

TEST_F(TurnPair, AnEndlessAnswerIsNotKept) {
  const auto answers = ask(spin, side(0, "turns/steady"), script(1, "head -c 100000 /dev/zero >&$fd; sleep 60"));
  EXPECT_EQ(answers[1].status, ProcessStatus::bad_report);
  EXPECT_EQ(answers[1].message.substr(0, 23), "wrote an endless answer");
}

TEST_F(TurnPair, RefusesAnAnswerOutOfTurn) {
  // Both lines in one write: a side that is stopped between two writes answers its first turn with "done".
  const auto answers = ask(
      spin, side(0, "turns/steady"),
      script(1, "echo 'turns 1' >&$fd; while read -u $fd line; do cat <<<$'ready 1 1000000000\\ndone' >&$fd; done"));
  EXPECT_EQ(answers[1].status, ProcessStatus::bad_report) << answers[1].message;
  expect_lost(answers, answers[1].message);
}

TEST_F(TurnPair, ASideThatCannotBeStartedLosesThePair) {
  TurnSide missing = side(1, "turns/steady");
  missing.command.executable = "/nonexistent/suite";
  const auto answers = ask(spin, side(0, "turns/steady"), missing);
  EXPECT_EQ(answers[1].status, ProcessStatus::not_started);
  EXPECT_FALSE(answers[1].lost_by_other);
  expect_lost(answers, "cannot");
}

// Through the launcher: what the record of a pair has.
TEST(PairInTurns, IsRecordedWithItsTurns) {
  Request request = testing::fake_request("ok");
  request.sides[0].suites = {TORCHGATE_TURNS_SUITE};
  request = testing::in_pairs(std::move(request));
  request.plan.profile = "quick";
  request.plan.filter = "steady|idle";
  request.plan.processes = 2;
  const record::Run result = testing::run(request);
  ASSERT_EQ(result.processes.size(), 8U);
  for (const record::Process& process : result.processes) {
    EXPECT_EQ(process.status, ProcessStatus::ok) << process.message;
    ASSERT_EQ(process.cases.size(), 1U);
    EXPECT_TRUE(process.cases[0].measurements.at(0).turns);
  }
  request.turns = false;
  for (const record::Process& process : testing::run(request).processes)
    EXPECT_FALSE(process.cases.at(0).measurements.at(0).turns);
}

}  // namespace
}  // namespace torchgate::launch
