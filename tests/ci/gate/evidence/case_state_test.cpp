// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/case_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "ci/gate/evidence/losses.hpp"
#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"
#include "tests/ci/gate/made_waiver.hpp"

namespace torchgate::gate {
namespace {

using record::ProcessStatus;
using reports::Outcome;
using reports::Verdict;
using testing::add_case;
using testing::around;
using testing::empty_run;
using testing::finding;
using testing::quiet;

struct Losing {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");

  Losing() {
    add_case(before, "g/one/v", around(1e5, quiet));
    add_case(after, "g/one/v", around(1e5, quiet));
  }
  [[nodiscard]] reports::Report judge() const {
    Comparison comparison;
    comparison.baseline = {&before};
    comparison.current = &after;
    auto report = judge_stored(comparison, policy::Policy());
    if (!report) throw std::runtime_error(report.error().message);
    return *std::move(report);
  }
};

void lose(record::Process& process, record::ProcessStatus status, const std::string& message) {
  process.status = status;
  process.message = message;
  process.cases.clear();
}

// A list of values of github-action-benchmark whose tool rounds to ms: 0 is less than half of one, and not work that the compiler removed.
TEST(CaseState, ATimeThatWasRoundedToZeroIsEqualToAnother) {
  const std::vector<double> zeros(5, 0.0);
  const auto judged = [](const std::string& unit, const std::vector<double>& before, const std::vector<double>& after,
                         const std::string& protocol = "github-action-benchmark/1") {
    Losing stored;
    add_case(stored.before, "g/one/zero", before);
    add_case(stored.after, "g/one/zero", after);
    for (record::Run* const run : {&stored.before, &stored.after}) {
      run->cases.back().protocol = protocol;
      run->cases.back().metrics.front().unit = unit;
    }
    return finding(stored.judge(), "g/one/zero");
  };
  for (const std::string unit : {"ns", "ns/frame"}) {
    const auto equal = judged(unit, zeros, zeros);
    EXPECT_EQ(equal.verdict, Verdict::equivalent) << unit;
    EXPECT_EQ(equal.reasons.front(), "equal: 0 " + unit + " in every process");
    const auto now = judged(unit, around(1e6, quiet), zeros);
    EXPECT_EQ(now.verdict, Verdict::failed);
    EXPECT_EQ(now.reasons.front(), "in 5 of 5 processes: time of 0 " + unit +
                                       ": below the resolution of the unit in its file; write it with decimals or in "
                                       "a finer unit");
    EXPECT_EQ(judged(unit, zeros, {0, 0, 1e6, 0, 0}).verdict, Verdict::failed) << "4 of 5";
    EXPECT_EQ(judged(unit, zeros, around(1e6, quiet)).verdict, Verdict::not_comparable);
  }
  EXPECT_EQ(judged("ns", zeros, zeros, "go/1").verdict, Verdict::failed) << "a tool that measures";
}

// As in pairs: one loss may be the machine's, two are the change's, however they were lost.
TEST(CaseState, TwoLossesAreAFailureWhereTheBaselineHadNone) {
  for (const ProcessStatus status : {ProcessStatus::crashed, ProcessStatus::failed, ProcessStatus::timed_out,
                                     ProcessStatus::not_a_suite, ProcessStatus::bad_report}) {
    Losing stored;
    lose(stored.after.processes[0], ProcessStatus::not_started, "not started: the run reached its limit of 5 s");
    lose(stored.after.processes[2], status, "killed by signal 11 (SIGSEGV)\nlast words");
    EXPECT_NE(finding(stored.judge(), "g/one/v").verdict, Verdict::failed) << "one loss";
    lose(stored.after.processes[3], status, "killed by signal 11 (SIGSEGV)\nlast words");
    const auto report = stored.judge();
    const auto& f = finding(report, "g/one/v");
    EXPECT_EQ(f.verdict, Verdict::failed) << static_cast<int>(status);
    EXPECT_EQ(report.outcome, Outcome::fail);
    EXPECT_EQ(f.reasons.front().words(),
              "in 2 of 4 processes: lost, killed by signal 11 (SIGSEGV); 1 more was not measured");
    lose(stored.before.processes[1], ProcessStatus::not_started, "not started: the run reached its limit of 5 s");
    EXPECT_EQ(finding(stored.judge(), "g/one/v").verdict, Verdict::failed) << "the baseline lost none";
  }
}

// One crash of the baseline explains as large a share of crashes, and not any number of them.
TEST(CaseState, LossesAreComparedWithTheShareOfTheBaseline) {
  const auto judged = [](std::size_t before, std::size_t after) {
    Losing stored;
    for (std::size_t i = 0; i < before; ++i) lose(stored.before.processes[i], ProcessStatus::crashed, "killed");
    for (std::size_t i = 0; i < after; ++i) lose(stored.after.processes[i], ProcessStatus::crashed, "killed");
    return stored.judge();
  };
  EXPECT_EQ(judged(1, 1).outcome, Outcome::pass);
  EXPECT_EQ(judged(2, 1).outcome, Outcome::pass);
  EXPECT_EQ(judged(2, 2).outcome, Outcome::pass) << "as often as before, and three processes of each decide";
  const auto unclear = judged(1, 2);
  EXPECT_EQ(unclear.outcome, Outcome::no_verdict) << unclear.headline;
  EXPECT_NE(unclear.headline.words().find("both sides lost processes (1 of 5 before, 2 of 5 after)"), std::string::npos)
      << unclear.headline;
  for (const std::size_t after : {3U, 4U, 5U}) EXPECT_EQ(judged(1, after).outcome, Outcome::fail) << after;
  EXPECT_EQ(judged(2, 3).outcome, Outcome::no_verdict);
  EXPECT_EQ(judged(2, 4).outcome, Outcome::fail);
  EXPECT_EQ(judged(4, 4).outcome, Outcome::no_verdict) << "one process of each side decides nothing";
}

// The rest of the processes may show a slow-down: that is not hidden by their losses.
TEST(CaseState, UnclearLossesHideNoSlowDown) {
  Losing stored;
  stored.after = empty_run("bbbb");
  add_case(stored.after, "g/one/v", around(2e5, quiet));
  lose(stored.before.processes[0], ProcessStatus::crashed, "killed");
  for (const std::size_t i : {0U, 1U}) lose(stored.after.processes[i], ProcessStatus::timed_out, "took longer");
  EXPECT_EQ(stored.judge().outcome, Outcome::fail) << stored.judge().headline;
}

// Nor by a waiver of the slow-down.
TEST(CaseState, AWaiverOfASlowDownAcceptsNoLosses) {
  Losing stored;
  stored.after = empty_run("bbbb");
  add_case(stored.after, "g/one/v", around(1.3e5, quiet));
  const auto outcome = [&] {
    Comparison comparison;
    comparison.baseline = {&stored.before};
    comparison.current = &stored.after;
    return judge_stored(comparison, testing::policy_with({testing::waiver("g/one/v", 0.5)}))->outcome;
  };
  ASSERT_EQ(outcome(), Outcome::pass);
  lose(stored.before.processes[0], ProcessStatus::crashed, "killed");
  for (const std::size_t i : {0U, 1U}) lose(stored.after.processes[i], ProcessStatus::timed_out, "took longer");
  EXPECT_EQ(outcome(), Outcome::no_verdict);
}

// Of two equal sides, each of whose processes is lost by that CHANCE, the share in which the after side fails.
double false_failures(double chance) {
  constexpr int processes = 5;
  const auto probability = [&](int lost) {
    constexpr std::array<int, processes + 1> ways = {1, 5, 10, 10, 5, 1};
    return ways.at(static_cast<std::size_t>(lost)) * std::pow(chance, lost) * std::pow(1 - chance, processes - lost);
  };
  double failures = 0;
  for (int before = 0; before <= processes; ++before) {
    for (int after = 0; after <= processes; ++after) {
      if (loss_change({before, processes}, {after, processes}) == LossChange::more)
        failures += probability(before) * probability(after);
    }
  }
  return failures;
}

// README.md has these numbers.
TEST(CaseState, EqualSidesThatLoseProcessesByChanceSeldomFail) {
  EXPECT_NEAR(false_failures(0.01), 0.001, 0.0005);
  EXPECT_NEAR(false_failures(0.05), 0.018, 0.0005);
}

// A limit of the whole run, or the user, ended the run: nothing of the case failed.
TEST(CaseState, ProcessesThatWereNotStartedAreNotLosses) {
  Losing stored;
  for (const std::size_t i : {2U, 3U})
    lose(stored.after.processes[i], ProcessStatus::not_started, "not started: the run reached its limit of 5 s");
  EXPECT_NE(finding(stored.judge(), "g/one/v").verdict, Verdict::failed);
}

// The launcher gives a group up after two failures, and records what it did not start.
TEST(CaseState, ProcessesThatWereNotStartedAreNotCountedAsLost) {
  Losing stored;
  for (std::size_t i = 0; i < stored.after.processes.size(); ++i) {
    const bool ran = i == 1 || i == 2;
    lose(stored.after.processes[i], ran ? ProcessStatus::crashed : ProcessStatus::not_started,
         ran ? "killed by signal 11" : "not started: g/one already failed 2 times");
  }
  const auto all_lost = finding(stored.judge(), "g/one/v");
  EXPECT_EQ(all_lost.verdict, Verdict::failed);
  EXPECT_EQ(all_lost.reasons.front().words(),
            "in 2 of 2 processes: lost, killed by signal 11; 3 more were not measured");
  std::swap(stored.before, stored.after);
  EXPECT_NE(finding(stored.judge(), "g/one/v")
                .reasons.front()
                .words()
                .find("failed in 2 of 2 processes: killed by signal 11; 3 more were not measured"),
            std::string::npos);
}

TEST(CaseState, WhereNoneWasStartedItsReasonStandsAlone) {
  Losing stored;
  for (record::Process& process : stored.after.processes)
    lose(process, ProcessStatus::not_started, "not started: the run reached its limit of 5 s");
  EXPECT_EQ(finding(stored.judge(), "g/one/v").reasons.front().words(),
            "in 5 of 5 processes: not started: the run reached its limit of 5 s");
}

// A slow machine is not a failure of the change, and what it left out is not known.
TEST(CaseState, ACaseThatWasNeverStartedIsOpen) {
  Losing stored;
  for (const char* group : {"g/two", "g/three"}) {
    for (record::Run* run : {&stored.before, &stored.after}) {
      add_case(*run, std::string(group) + "/v", around(1e5, quiet));
      run->cases.back().group = group;
    }
  }
  for (record::Run* run : {&stored.before, &stored.after}) {
    const std::size_t count = run->processes.size();
    for (const char* group : {"g/two", "g/three"})
      for (std::size_t i = 0; i < count; ++i) {
        run->processes.push_back(run->processes[i]);
        run->processes.back().group = group;
      }
    for (record::Process& process : run->processes)
      std::erase_if(process.cases,
                    [&](const record::CaseResult& result) { return result.name != process.group + "/v"; });
  }
  ASSERT_EQ(stored.judge().outcome, Outcome::pass) << stored.judge().headline;
  for (record::Process& process : stored.after.processes)
    if (process.group == "g/two")
      lose(process, ProcessStatus::not_started, "not started: the run reached its limit of 5 s");
  const auto report = stored.judge();
  EXPECT_EQ(finding(report, "g/two/v").verdict, Verdict::inconclusive);
  EXPECT_EQ(report.outcome, Outcome::no_verdict) << report.headline;
  EXPECT_NE(report.headline.words().find("g/two/v"), std::string::npos) << report.headline;
  const auto pairs = cases_for_pairs(
      [&] {
        Comparison comparison;
        comparison.baseline = {&stored.before};
        comparison.current = &stored.after;
        return comparison;
      }(),
      policy::Policy());
  ASSERT_TRUE(pairs);
  for (const auto* list : {&pairs->suspects, &pairs->open})
    EXPECT_EQ(std::count(list->begin(), list->end(), "g/two/v"), 0);
  std::swap(stored.before, stored.after);
  EXPECT_EQ(finding(stored.judge(), "g/two/v").reasons.front().words(),
            "has no numbers in the baseline, where it was not measured in 5 of 5 processes: not started: the run "
            "reached its limit of 5 s");
}

}  // namespace
}  // namespace torchgate::gate
