// SPDX-License-Identifier: Apache-2.0
// A suspect, and pairs that are inconclusive or failed: neither clears it.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::add_paired_case;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::finding;
using gate::testing::paired_run;
using gate::testing::quiet;
using gate::testing::result_of;
using reports::GateAction;
using reports::Outcome;
using reports::Verdict;

reports::Report judged(const record::Run& before, const record::Run& after, const record::Run* pairs,
                       const policy::Policy& policy) {
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  comparison.pairs = pairs;
  const auto report = gate::judge_stored(comparison, policy);
  if (!report) throw std::runtime_error(report.error().message);
  return *report;
}

// A doubling on the screen; what the pairs bring is each test's own.
struct Confirmed {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  record::Run paired = paired_run("pppp");
  policy::Policy policy;

  Confirmed() {
    add_case(before, "g/one/v", around(1e5, quiet));
    add_case(after, "g/one/v", around(2e5, quiet));
  }
  [[nodiscard]] reports::Report judge() const { return judged(before, after, &paired, policy); }
  void add_pairs(std::size_t count, double after_ns = 1e5) {
    std::vector<double> of_before;
    std::vector<double> of_after;
    for (std::size_t i = 0; i < count; ++i) {
      of_before.push_back(1e5 * (1 + 0.001 * static_cast<double>(i % 5)));
      of_after.push_back(after_ns * (1 + 0.001 * static_cast<double>((i * 3) % 5)));
    }
    add_paired_case(paired, "g/one/v", of_before, of_after);
  }
  void lose(std::int64_t side, std::size_t from_pair, record::ProcessStatus status, const std::string& message) {
    for (record::Process& process : paired.processes) {
      if (process.side != side || process.pair.value_or(0) < static_cast<std::int64_t>(from_pair)) continue;
      process.status = status;
      process.message = message;
      process.cases.clear();
    }
  }
  [[nodiscard]] std::string reasons() const {
    std::string all;
    const auto report = judge();
    for (const facts::Fact& one : finding(report, "g/one/v").reasons) all += one.words() + "\n";
    return all;
  }
};

TEST(UndecidedPairs, PairsThatDecideNothingLeaveWhatTheScreenSaid) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    Confirmed confirmed;
    confirmed.add_pairs(count);
    const auto report = confirmed.judge();
    const auto& f = finding(report, "g/one/v");
    EXPECT_EQ(f.verdict, Verdict::suspected) << count;
    EXPECT_EQ(f.action, GateAction::fail) << count;
    EXPECT_EQ(report.outcome, Outcome::fail) << count;
    EXPECT_NE(confirmed.reasons().find("whole 99 % interval lies beyond the gate"), std::string::npos);
    confirmed.policy.unconfirmed = policy::Unconfirmed::warn;
    EXPECT_EQ(finding(confirmed.judge(), "g/one/v").action, GateAction::warn);
  }
  Confirmed nothing;  // the pairs have not even the case
  EXPECT_EQ(nothing.judge().outcome, Outcome::fail);
}

TEST(UndecidedPairs, PairsThatStayUndecidedFailNothingThatTheScreenWouldNotHaveFailed) {
  Confirmed confirmed;
  confirmed.after = empty_run("cccc");
  add_case(confirmed.after, "g/one/v", around(1.07e5, quiet));  // beyond the gate by its estimate, not by its interval
  confirmed.add_pairs(2);
  const auto report = confirmed.judge();
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::suspected);
  EXPECT_EQ(report.outcome, Outcome::no_verdict) << "nor do they make it a pass";
}

TEST(UndecidedPairs, ACrashOfTheAfterSideInThePairsIsFailedAndNamedFirst) {
  for (const auto status : {record::ProcessStatus::crashed, record::ProcessStatus::failed,
                            record::ProcessStatus::timed_out, record::ProcessStatus::bad_report}) {
    for (const std::size_t from_pair : {std::size_t{0}, std::size_t{17}, std::size_t{18}}) {  // all, three, two
      Confirmed confirmed;
      confirmed.add_pairs(20);
      confirmed.lose(1, from_pair, status, "killed by signal 11 (SIGSEGV)\nlast words");
      const auto report = confirmed.judge();
      const auto& f = finding(report, "g/one/v");
      EXPECT_EQ(f.verdict, Verdict::failed);
      EXPECT_EQ(f.action, GateAction::fail);
      EXPECT_FALSE(f.change.has_value());
      EXPECT_EQ(report.outcome, Outcome::fail);
      EXPECT_NE(report.headline.words().find("g/one/v: failed"), std::string::npos) << report.headline;
      EXPECT_NE(f.reasons.at(0).words().find("killed by signal 11 (SIGSEGV)"), std::string::npos) << f.reasons.at(0);
      EXPECT_TRUE(std::any_of(report.doubts.begin(), report.doubts.end(),
                              [](const auto& d) { return d.fact.words().find("the pairs: ") == 0; }));
    }
  }
}

TEST(UndecidedPairs, OneLossOfManyCostsItsOwnPairOnly) {
  Confirmed confirmed;
  confirmed.add_pairs(20);
  confirmed.lose(1, 19, record::ProcessStatus::crashed, "killed by signal 9 (SIGKILL)");
  EXPECT_EQ(finding(confirmed.judge(), "g/one/v").verdict, Verdict::equivalent);
}

TEST(UndecidedPairs, LossesOnBothSidesLeaveTheCaseSuspected) {
  Confirmed confirmed;
  confirmed.add_pairs(20);
  confirmed.lose(0, 0, record::ProcessStatus::timed_out, "took longer than 0.001 s");
  confirmed.lose(1, 0, record::ProcessStatus::timed_out, "took longer than 0.001 s");
  const auto report = confirmed.judge();
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::suspected);
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_NE(confirmed.reasons().find("no interleaved pair was measured"), std::string::npos);
}

TEST(UndecidedPairs, ABaselineThatFailsInThePairsClearsNothing) {
  for (const auto status : {record::CaseStatus::failed, record::CaseStatus::wrong}) {
    Confirmed confirmed;
    confirmed.add_pairs(20);
    for (record::Process& process : confirmed.paired.processes) {
      if (process.side != 0) continue;
      process.cases.front().status = status;
      process.cases.front().message = "cannot open model.pt";
      process.cases.front().measurements.clear();
    }
    const auto report = confirmed.judge();
    EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::suspected);
    EXPECT_EQ(report.outcome, Outcome::fail);
    EXPECT_NE(confirmed.reasons().find("in 20 of 20 processes: cannot open model.pt"), std::string::npos)
        << confirmed.reasons();
  }
  Confirmed lost;
  lost.add_pairs(20);
  lost.lose(0, 0, record::ProcessStatus::crashed, "killed by signal 11 (SIGSEGV)");
  EXPECT_EQ(finding(lost.judge(), "g/one/v").verdict, Verdict::suspected);
  EXPECT_EQ(lost.judge().outcome, Outcome::fail);
}

TEST(UndecidedPairs, ProcessesThatWereNotStartedDecideNothing) {
  Confirmed confirmed;
  confirmed.add_pairs(20);
  for (const std::int64_t side : {0, 1})
    confirmed.lose(side, 1, record::ProcessStatus::not_started, "not started: the run reached its limit of 0.2 s");
  EXPECT_EQ(finding(confirmed.judge(), "g/one/v").verdict, Verdict::suspected);
  EXPECT_EQ(confirmed.judge().outcome, Outcome::fail);
}

TEST(UndecidedPairs, FailedAndWrongResultsOfTheAfterSideInThePairsHaveThatVerdict) {
  for (const auto& [status, verdict] :
       {std::pair{record::CaseStatus::failed, Verdict::failed}, std::pair{record::CaseStatus::wrong, Verdict::wrong}}) {
    Confirmed confirmed;
    confirmed.add_pairs(20);
    auto& result = result_of(confirmed.paired, 7, "g/one/v");  // the after process of the fourth pair
    result.status = status;
    result.message = "output differs";
    result.measurements.clear();
    const auto report = confirmed.judge();
    EXPECT_EQ(finding(report, "g/one/v").verdict, verdict);
    EXPECT_EQ(report.outcome, Outcome::fail);
    EXPECT_NE(
        finding(report, "g/one/v").reasons.at(0).words().find("in the pairs, in 1 of 20 processes: output differs"),
        std::string::npos);
  }
}

TEST(UndecidedPairs, ASuiteThatCouldNotBeListedInThePairsFails) {
  Confirmed confirmed;
  confirmed.add_pairs(20);
  std::erase_if(confirmed.paired.processes, [](const auto& process) { return process.side == 1; });
  record::Process unlisted;
  unlisted.index = 40;
  unlisted.side = 1;
  unlisted.suite = "g";
  unlisted.status = record::ProcessStatus::crashed;
  unlisted.message = "listing its cases failed: killed by signal 6 (SIGABRT)";
  confirmed.paired.processes.push_back(unlisted);
  const auto report = confirmed.judge();
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::failed);
  EXPECT_NE(finding(report, "g/one/v").reasons.at(0).words().find("SIGABRT"), std::string::npos);
}

TEST(UndecidedPairs, NumbersOfAProcessThatDidNotEndWellCountNowhere) {
  Confirmed confirmed;
  confirmed.add_pairs(20);
  for (record::Process& process : confirmed.paired.processes) {  // good numbers, and no objects that could be checked
    process.status = record::ProcessStatus::failed;
    process.message = "exit code 1";
  }
  EXPECT_EQ(finding(confirmed.judge(), "g/one/v").verdict, Verdict::suspected);
  EXPECT_EQ(confirmed.judge().outcome, Outcome::fail);

  record::Run current = empty_run("cccc");
  add_case(current, "g/one/v", around(1e5, quiet));
  for (record::Process& process : current.processes) process.status = record::ProcessStatus::failed;
  EXPECT_EQ(finding(judged(confirmed.before, current, nullptr, {}), "g/one/v").verdict, Verdict::failed);
}

// Two pairs that hardly differ would be decided by a few more, and no look before the twelfth can alarm.
TEST(UndecidedPairs, NeedNoFewerThanAFirstLook) {
  record::Run run = paired_run("pppp");
  run.plan.processes = 48;
  add_paired_case(run, "g/one/v", {1e5, 1e5}, {1.1e5, 1.1001e5});
  const auto report = gate::judge_paired(run, policy::Policy()).value();
  const auto& open = finding(report, "g/one/v");
  ASSERT_EQ(open.verdict, Verdict::inconclusive);
  ASSERT_TRUE(open.processes_needed);
  EXPECT_GE(*open.processes_needed, 10);
}

}  // namespace
