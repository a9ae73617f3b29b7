// SPDX-License-Identifier: Apache-2.0
// Pairs with the baseline's binaries that no run came before: what they say of cases on both sides, and of those on one of them.
#include <gtest/gtest.h>

#include "ci/gate/judge.hpp"
#include "ci/gate/pairs/after_side.hpp"
#include "ci/policy/since_pin.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {
namespace {

using reports::GateAction;
using reports::Outcome;
using reports::Verdict;

class JudgeFromStart : public ::testing::Test {
 protected:
  JudgeFromStart() { pairs_.plan.processes = 48; }

  /// A case that both builds list, SLOWER times as slow now. In the stored run it may have taken any time.
  void add(const std::string& name, double slower) {
    add_case(stored_, name, around(7e5, quiet));
    add_pairs(name, slower);
  }
  void add_pairs(const std::string& name, double slower) {
    add_paired_case(pairs_, name, wobble(1e5, 2, 48), wobble(slower * 1e5, 3, 48));
    listed_.cases.push_back(pairs_.cases.back());
  }
  /// Takes the results of one side out: its build does not list the case.
  void drop(const std::string& name, std::int64_t side) {
    for (record::Process& process : pairs_.processes)
      if (process.side == side)
        std::erase_if(process.cases, [&](const record::CaseResult& result) { return result.name == name; });
    if (side == 1) std::erase_if(listed_.cases, [&](const record::Case& each) { return each.name == name; });
  }
  [[nodiscard]] reports::Report judge(const policy::Policy& project = {}) {
    pairs_.plan.confirms = record::Confirms{"", stored_.id, 0};
    for (const record::Case& each : listed_.cases) pairs_.plan.confirms->open.push_back(each.name);
    pairs_.plan.confirms->open_family = static_cast<std::int64_t>(listed_.cases.size());
    pairs_.plan.confirms->rebuilt = rebuilt_;
    current_ = after_side(pairs_, listed_);
    Comparison comparison;
    comparison.baseline = {&stored_};
    comparison.judge_unchanged = false;
    comparison.current = &current_;
    comparison.pairs = &pairs_;
    comparison.from_start = true;
    auto report = judge_since(comparison, policy::pairs_alone(project));
    EXPECT_TRUE(report) << report.error().message;
    return *std::move(report);
  }

  record::Run stored_ = empty_run("aaaa");
  record::Run pairs_ = paired_run("2222");
  record::Run current_;
  ListedAfter listed_{{"g"}, {}};
  std::optional<std::string> rebuilt_;
};

TEST_F(JudgeFromStart, PairsDecideAndStoredTimesDoNot) {
  add("g/one/same", 1);
  add("g/one/slower", 1.3);
  const reports::Report report = judge();
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(report.before.label, "baseline");
  EXPECT_EQ(report.before.run_ids, std::vector<std::string>{"aaaa"});
  EXPECT_EQ(report.after.run_ids, std::vector<std::string>{"2222"});
  EXPECT_TRUE(report.paired);
  EXPECT_EQ(finding(report, "g/one/same").verdict, Verdict::equivalent);
  EXPECT_EQ(finding(report, "g/one/slower").verdict, Verdict::regressed);
  EXPECT_EQ(finding(report, "g/one/slower").action, GateAction::fail);
  EXPECT_NEAR(finding(report, "g/one/slower").change.value(), 0.3, 0.01);
}

TEST_F(JudgeFromStart, ACaseMissingFromTheStoredRunIsComparedAnyway) {
  add("g/one/same", 1);
  add_pairs("g/one/other_profile", 1.3);
  EXPECT_EQ(finding(judge(), "g/one/other_profile").verdict, Verdict::regressed);
}

TEST_F(JudgeFromStart, CasesOfOneBuildAreNewOrMissing) {
  add("g/one/same", 1);
  add_pairs("g/one/new", 1);
  drop("g/one/new", 0);
  add("g/one/gone", 1);
  drop("g/one/gone", 1);
  add_pairs("g/one/gone_too", 1);  // the baseline's run had left it out
  drop("g/one/gone_too", 1);
  const reports::Report report = judge();
  EXPECT_EQ(finding(report, "g/one/new").verdict, Verdict::new_case);
  for (const char* name : {"g/one/gone", "g/one/gone_too"}) {
    EXPECT_EQ(finding(report, name).verdict, Verdict::missing) << name;
    EXPECT_EQ(finding(report, name).action, GateAction::fail) << name;
  }
  EXPECT_EQ(report.outcome, Outcome::fail);
}

TEST_F(JudgeFromStart, ACaseThatFailedInTheBaselineGivesNoVerdict) {
  add("g/one/same", 1);
  add("g/one/failed_then", 1);
  for (record::Process& process : pairs_.processes) {
    if (process.side == 1) continue;
    for (record::CaseResult& result : process.cases)
      if (result.name == "g/one/failed_then") {
        result.status = record::CaseStatus::failed;
        result.message = "cannot open model.pt";
        result.measurements.clear();
      }
  }
  const reports::Report report = judge();
  EXPECT_EQ(finding(report, "g/one/failed_then").verdict, Verdict::not_comparable);
  EXPECT_EQ(report.outcome, Outcome::no_verdict) << report.headline;
}

// Google Benchmark's programs do not say which files they read, and the baseline's binary reads those of today.
TEST_F(JudgeFromStart, ADataFileThatChangedLeavesPairsOpen) {
  add("g/one/same", 1);
  add("g/one/slower", 1.3);
  pairs_.changed_data = {"model.bin"};
  const reports::Report report = judge();
  EXPECT_EQ(finding(report, "g/one/same").verdict, Verdict::inconclusive);
  EXPECT_TRUE(mentions(finding(report, "g/one/same").reasons, "model.bin changed since the baseline"));
  EXPECT_FALSE(finding(report, "g/one/same").smallest_detectable);
  EXPECT_EQ(report.decided.sensitive, 1)
      << "only the slower case: pairs without the old file show nothing that it causes";
  EXPECT_EQ(finding(report, "g/one/slower").verdict, Verdict::regressed);
  pairs_.changed_data = {"cmake/generate.cmake"};  // only possible, and no stored time says that anything became slower
  EXPECT_EQ(finding(judge(), "g/one/same").verdict, Verdict::equivalent);
  pairs_.changed_data = std::vector<std::string>();
  EXPECT_EQ(finding(judge(), "g/one/same").verdict, Verdict::equivalent);
}

// No stored time says that anything became slower, so the case is decided.
TEST_F(JudgeFromStart, ASideThatWasBuiltAgainAsTheChangeBuildsIsADoubt) {
  add("g/one/same", 1);
  pairs_.changed_data = {"Jenkinsfile"};
  EXPECT_FALSE(mentions(judge().doubts, "built again"));
  rebuilt_ = "abc";
  const reports::Report report = judge();
  EXPECT_EQ(finding(report, "g/one/same").verdict, Verdict::equivalent);
  EXPECT_TRUE(mentions(report.doubts, "Jenkinsfile changed since the baseline, and the before side of the pairs was"));
}

// The pairs have no before side of a suite that no stored process could measure.
TEST_F(JudgeFromStart, ASuiteThatCrashedInTheBaselineIsNotNew) {
  add("g/one/same", 1);
  add_pairs("h/two/crashed_then", 3);
  drop("h/two/crashed_then", 0);
  stored_.cases.push_back(pairs_.cases.back());
  stored_.cases.back().group = "h/two";
  record::Process crashed = stored_.processes.front();
  crashed.group = "h/two";
  crashed.cases.clear();
  crashed.status = record::ProcessStatus::crashed;
  crashed.message = "killed by SIGSEGV";
  stored_.processes.push_back(crashed);
  const reports::Report report = judge();
  EXPECT_EQ(finding(report, "h/two/crashed_then").verdict, Verdict::not_comparable);
  EXPECT_EQ(report.outcome, Outcome::no_verdict) << report.headline;
}

TEST_F(JudgeFromStart, ASuiteThatIsGoneIsMissingAndAFilterIsSaid) {
  add("g/one/same", 1);
  add_case(stored_, "h/two/other_suite", around(1e5, quiet));
  stored_.cases.back().suite = "h";
  const reports::Report gone = judge();
  EXPECT_EQ(finding(gone, "h/two/other_suite").verdict, Verdict::missing);
  EXPECT_EQ(gone.outcome, Outcome::fail);
  pairs_.plan.filter = "same";
  const reports::Report filtered = judge();
  EXPECT_EQ(filtered.cases_not_planned, 1);
  EXPECT_EQ(filtered.outcome, Outcome::pass) << filtered.headline;
  EXPECT_TRUE(mentions(filtered.notes, "1 case of the baseline was not judged"));
}

TEST_F(JudgeFromStart, ALargerProfileMeasuresWhatASmallerOneDid) {
  add("g/one/same", 1);
  add_case(stored_, "g/one/lost", around(1e5, quiet));
  stored_.plan.profile = "default";
  pairs_.plan.profile = "full";
  EXPECT_EQ(finding(judge(), "g/one/lost").verdict, Verdict::missing);
  stored_.plan.profile = "full";
  pairs_.plan.profile = "default";
  EXPECT_EQ(judge().cases_not_planned, 1);
}

TEST_F(JudgeFromStart, WhatHadNoTurnIsOpenAndNotMissing) {
  add("g/one/same", 1);
  record::Case late = pairs_.cases.front();
  late.name = "g/late/case";
  late.group = "g/late";
  pairs_.cases.push_back(late);
  pairs_.groups.push_back({"g/late", "g", std::nullopt, {}});
  pairs_.plan.budget_s = 5;
  listed_.cases.push_back(late);
  const reports::Report report = judge();
  EXPECT_EQ(finding(report, "g/late/case").verdict, Verdict::inconclusive);
  EXPECT_TRUE(
      mentions(finding(report, "g/late/case").reasons, "the pairs' budget of 5 s ran out before its first pair"));
}

TEST_F(JudgeFromStart, ClaimsAreJudgedOnThisSide) {
  add("g/one/plain", 1);
  add("g/one/fused", 1);
  record::Claim claim;
  claim.case_name = "g/one/fused";
  claim.reference_case = "g/one/plain";
  claim.metric = "time";
  claim.ratio = 0.5;
  claim.text = "time <= 0.5 x reference";
  pairs_.groups.front().claims.push_back(claim);
  const reports::Report report = judge();
  ASSERT_EQ(report.claims.size(), 1U);
  EXPECT_EQ(report.claims.front().state, reports::ClaimState::broken);
}

TEST(AfterSide, IsARunOfOneSide) {
  record::Run pairs = paired_run("2222");
  add_paired_case(pairs, "g/one/both", {1e5, 1e5}, {2e5, 2e5});
  add_paired_case(pairs, "g/one/before", {1e5, 1e5}, {1e5, 1e5});
  pairs.cases[0].skipped.reset();
  pairs.groups.push_back({"g/old", "g", std::nullopt, {}});
  pairs.plan.confirms = record::Confirms{"", "aaaa", 0};
  ListedAfter listed{{"g"}, {pairs.cases[0]}};
  const record::Run run = after_side(pairs, listed);
  EXPECT_EQ(run.id, "2222");
  ASSERT_EQ(run.sides.size(), 1U);
  EXPECT_EQ(run.sides.front().label, "after");
  EXPECT_FALSE(run.plan.confirms);
  ASSERT_EQ(run.cases.size(), 1U);
  EXPECT_EQ(run.groups.size(), 1U);
  ASSERT_EQ(run.processes.size(), 2U);
  for (const record::Process& process : run.processes) {
    EXPECT_EQ(process.side, 0);
    EXPECT_FALSE(process.pair);
    EXPECT_EQ(process.cases.front().measurements.front().summary->median, 2e5);
  }
}

}  // namespace
}  // namespace torchgate::gate::testing
