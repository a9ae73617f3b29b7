// SPDX-License-Identifier: Apache-2.0
// What a machine that was unfit does to verdicts, and that it does nothing to those that need no quiet machine.
#include "ci/gate/evidence/fitness.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include <algorithm>

#include "ci/gate/judge.hpp"
#include "harness/record/short_samples.hpp"
#include "reports/formats/json.hpp"
#include "reports/formats/registry.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate {
namespace {

using record::CheckAnswer;
using record::CheckSeverity;
using record::MachineCheck;
using reports::Outcome;
using reports::Verdict;
using testing::add_case;
using testing::add_exact;
using testing::add_paired_case;
using testing::around;
using testing::finding;

const MachineCheck throttled{"thermal_throttling", CheckAnswer::bad, CheckSeverity::fatal, "it was hot", "cool it"};
const MachineCheck busy{"other_load", CheckAnswer::bad, CheckSeverity::warning, "others ran", "stop them"};
const MachineCheck no_governor{"governor", CheckAnswer::unknown, CheckSeverity::warning, "no such file", ""};
const MachineCheck layout{"aslr", CheckAnswer::bad, CheckSeverity::info, "it is off", "switch it on"};

record::Run run_of(const std::string& id, double slower) {
  record::Run run = testing::empty_run(id);
  add_case(run, "g/one", around(1e6 * slower, 0.001));
  add_case(run, "g/two", around(1e6, 0.001));
  return run;
}

Comparison comparison_of(const record::Run& before, const record::Run& after) {
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  return comparison;
}

reports::Report judge(const record::Run& before, const record::Run& after, const policy::Policy& policy = {}) {
  const auto report = judge_stored(comparison_of(before, after), policy);
  EXPECT_TRUE(report);
  return *report;
}

bool doubts(const reports::Report& report, const std::string& part) {
  return std::any_of(report.doubts.begin(), report.doubts.end(),
                     [&](const std::string& doubt) { return doubt.find(part) != std::string::npos; });
}

class Fitness : public ::testing::Test {
 protected:
  record::Run before_ = run_of("1000000000000000", 1);
  record::Run after_ = run_of("2000000000000000", 2);  // a doubling
};

TEST_F(Fitness, OfAFitMachineSaysNothing) {
  const auto report = judge(before_, after_);
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(finding(report, "g/one").verdict, Verdict::suspected);
  EXPECT_FALSE(doubts(report, "unfit"));
}

TEST_F(Fitness, AFatalFindingOnEitherSideMakesTimesInconclusive) {
  for (record::Run* const side : {&before_, &after_}) {
    for (auto* const moment : {&side->machine.checks_before, &side->machine.checks_after}) {
      *moment = {throttled};
      const auto report = judge(before_, after_);
      EXPECT_EQ(report.outcome, Outcome::no_verdict);
      EXPECT_EQ(report.cases_judged, 0);
      const std::string label = side == &before_ ? "baseline" : "this run";
      const std::string why = "unfit: " + label + ": thermal_throttling: it was hot";
      for (const char* const name : {"g/one", "g/two"}) {
        EXPECT_EQ(finding(report, name).verdict, Verdict::inconclusive) << name;
        EXPECT_EQ(facts::words_of(finding(report, name).reasons), std::vector<std::string>{why}) << name;
      }
      EXPECT_EQ(report.headline, "no case could be judged: " + why);
      EXPECT_TRUE(doubts(report, label + ": unfit: it was hot (times are not judged)"));
      EXPECT_TRUE(cases_for_pairs(comparison_of(before_, after_), {})->suspects.empty());
      EXPECT_TRUE(cases_for_pairs(comparison_of(before_, after_), {})->open.empty());
      moment->clear();
    }
  }
}

TEST_F(Fitness, UnknownOrOkIsNotFatal) {
  MachineCheck check = throttled;
  check.answer = CheckAnswer::unknown;
  after_.machine.checks_before = {check};
  check.answer = CheckAnswer::ok;
  after_.machine.checks_after = {check};
  EXPECT_EQ(judge(before_, after_).outcome, Outcome::fail);
}

TEST_F(Fitness, CountersFailuresAndMissingCasesAreJudgedAnyway) {
  after_.machine.checks_after = {throttled};
  add_exact(before_, "g/two", "peak_bytes", 100);
  add_exact(after_, "g/two", "peak_bytes", 200);
  policy::Policy strict;
  strict.memory = policy::Action::fail;
  const auto counted = judge(before_, after_, strict);
  EXPECT_EQ(finding(counted, "g/two", "peak_bytes").verdict, Verdict::changed);
  EXPECT_EQ(counted.outcome, Outcome::fail);
  EXPECT_EQ(finding(counted, "g/one").verdict, Verdict::inconclusive);

  for (const auto status : {record::CaseStatus::failed, record::CaseStatus::wrong}) {
    record::Run broken = after_;
    testing::result_of(broken, 0, "g/one").status = status;
    testing::result_of(broken, 0, "g/one").measurements.clear();
    const auto report = judge(before_, broken);
    EXPECT_EQ(report.outcome, Outcome::fail);
    EXPECT_EQ(report.findings.front().verdict, status == record::CaseStatus::failed ? Verdict::failed : Verdict::wrong);
  }

  add_case(before_, "g/gone", around(1e6, 0.001));
  const auto report = judge(before_, after_);
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(report.findings.front().verdict, Verdict::missing);
}

TEST_F(Fitness, AllowNoisyJudgesAndIsInEveryFormatWithDoubts) {
  after_.machine.checks_after = {throttled};
  policy::Policy allowing;
  allowing.allow_noisy = true;
  const auto report = judge(before_, after_, allowing);
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(finding(report, "g/one").verdict, Verdict::suspected);
  for (const reports::ReportFormat& format : reports::formats_of<reports::Report>()) {
    const std::string text = format.render(report, {});
    const bool has_doubts = std::set<std::string_view>{"terminal", "markdown", "html", "json"}.contains(format.name);
    if (has_doubts) {
      EXPECT_NE(text.find("--allow-noisy"), std::string::npos) << format.name;
    }
  }
}

// Samples of the case in the first PROCESSES of a run are as long as one call: 1 ms.
void shorten(record::Run& run, const std::string& name, std::size_t processes) {
  for (std::size_t i = 0; i < run.processes.size(); ++i)
    testing::result_of(run, i, name).calls_per_sample = i < processes ? 1 : 1000;
}

TEST_F(Fitness, ShortSamplesAreAMatterOfTheirCaseAlone) {
  before_ = run_of("aaaa", 1.0);
  after_ = run_of("bbbb", 1.5);
  for (record::Run* const run : {&before_, &after_}) {
    run->machine.facts.push_back({record::clock_step_fact, "20000", ""});
    for (const char* const name : {"g/one", "g/two"}) shorten(*run, name, 0);
    shorten(*run, "g/two", run->processes.size());
  }
  const auto report = judge(before_, after_);
  EXPECT_EQ(report.outcome, Outcome::fail) << report.headline;
  EXPECT_EQ(finding(report, "g/one").verdict, Verdict::suspected);
  EXPECT_EQ(finding(report, "g/two").verdict, Verdict::inconclusive);
  EXPECT_TRUE(doubts(report, "times of g/two are not judged: its samples of 999 us are shorter than 100 steps"));
  EXPECT_TRUE(doubts(report, "steps of the clock (20 us); make them longer"));
  EXPECT_FALSE(report.unfit);

  policy::Policy allowing;
  allowing.allow_noisy = true;
  EXPECT_FALSE(doubts(judge(before_, after_, allowing), "not judged"));
}

TEST_F(Fitness, OneProcessWithShortSamplesIsAnOutlierOfItsSide) {
  before_ = run_of("aaaa", 1.0);
  after_ = run_of("bbbb", 1.5);
  for (record::Run* const run : {&before_, &after_}) {
    run->machine.facts.push_back({record::clock_step_fact, "20000", ""});
    for (const char* const name : {"g/one", "g/two"}) shorten(*run, name, name == std::string("g/one") ? 1 : 0);
  }
  const auto report = judge(before_, after_);
  EXPECT_EQ(finding(report, "g/one").verdict, Verdict::suspected);
  EXPECT_FALSE(doubts(report, "not judged"));
}

TEST_F(Fitness, WhatARecordSaysOfItselfOverrulesNothing) {
  after_.machine.checks_after = {throttled};
  after_.machine.noisy_allowed = true;
  EXPECT_EQ(judge(before_, after_).outcome, Outcome::no_verdict);
  policy::Policy allowing;
  allowing.allow_noisy = true;
  EXPECT_EQ(judge(before_, after_, allowing).outcome, Outcome::fail);
}

TEST_F(Fitness, WarningsAreDoubtsInfosAndWhatIsUnknownAreNot) {
  after_.machine.checks_before = {no_governor, layout};
  after_.machine.checks_after = {busy};
  const auto report = judge(before_, after_);
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_TRUE(doubts(report, "this run: others ran"));
  EXPECT_EQ(report.doubts.front().fix, "stop them");
  EXPECT_FALSE(doubts(report, "could not be checked"));
  EXPECT_TRUE(testing::mentions(report.notes, "machine (this run): could not be checked: governor"));
  EXPECT_FALSE(doubts(report, "it is off"));
}

TEST_F(Fitness, WhatBothRunsShareIsSaidOnce) {
  before_.machine.checks_before = {busy};
  after_.machine.checks_before = {busy};
  after_.machine.checks_after = {busy};
  const auto report = judge(before_, after_);
  EXPECT_EQ(std::count_if(report.doubts.begin(), report.doubts.end(),
                          [](const std::string& doubt) { return doubt.find("others ran") != std::string::npos; }),
            1);
  EXPECT_TRUE(doubts(report, "baseline and this run: others ran"));
}

TEST_F(Fitness, ClaimsAboutTimesAreUndecided) {
  std::vector<reports::ClaimFinding> claims;
  for (const char* const metric : {"time", "operator_calls", "cpu_time"}) {
    reports::ClaimFinding claim;
    claim.case_name = "g/one";
    claim.metric = metric;
    claim.timed = claim.metric != "operator_calls";
    claim.state = reports::ClaimState::broken;
    claim.action = reports::GateAction::fail;
    claims.push_back(claim);
  }
  distrust_claims(claims, "unfit");
  EXPECT_EQ(claims[0].state, reports::ClaimState::undecided);
  EXPECT_EQ(claims[0].action, reports::GateAction::note);
  EXPECT_EQ(claims[1].state, reports::ClaimState::broken);
  EXPECT_EQ(claims[2].state, reports::ClaimState::undecided);
}

TEST_F(Fitness, UnfitPairsConfirmNothing) {
  record::Run pairs = testing::paired_run("3000000000000000");
  add_paired_case(pairs, "g/one", std::vector<double>(48, 1e6), std::vector<double>(48, 2e6));
  Comparison comparison;
  comparison.baseline = {&before_};
  comparison.current = &after_;
  comparison.pairs = &pairs;
  EXPECT_EQ(finding(*judge_stored(comparison, {}), "g/one").verdict, Verdict::regressed);
  pairs.machine.checks_after = {throttled};
  const auto report = judge_stored(comparison, {});
  EXPECT_EQ(finding(*report, "g/one").verdict, Verdict::suspected);
  EXPECT_NE(finding(*report, "g/one").confirmation->note.words().find("unfit: the pairs: thermal_throttling"),
            std::string::npos);
  const auto alone = judge_paired(pairs, {});
  EXPECT_EQ(alone->outcome, Outcome::no_verdict);
  pairs.machine.checks_after = {busy};
  EXPECT_TRUE(doubts(*judge_paired(pairs, {}), "the pairs: others ran"));
}

TEST_F(Fitness, UnfitStoredRunsAreNotPooled) {
  record::Run earlier = run_of("4000000000000000", 1);
  earlier.machine.checks_before = {throttled};
  Comparison comparison;
  comparison.baseline = {&before_, &earlier};
  comparison.current = &after_;
  const auto report = judge_stored(comparison, {});
  EXPECT_EQ(report->before.run_ids, std::vector<std::string>{before_.id});
  EXPECT_TRUE(doubts(*report, "stored run 4000000000000000: thermal_throttling: it was hot; excluded"));
  EXPECT_EQ(report->outcome, Outcome::fail);
}

}  // namespace
}  // namespace torchgate::gate
