// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

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
using gate::testing::mentions;
using gate::testing::paired_run;
using gate::testing::wobble;
using reports::Outcome;
using reports::Verdict;

TEST(JudgePaired, FindsWhatIsSlowerAndWhatIsFasterAndSharesAlpha) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/slower", wobble(1e5, 2), wobble(1.1e5, 3));
  add_paired_case(run, "g/one/faster", wobble(1e5, 2), wobble(0.9e5, 3));
  add_paired_case(run, "g/one/same", wobble(1e5, 2), wobble(1e5, 3));
  const auto report = gate::judge_paired(run, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->outcome, Outcome::fail);
  ASSERT_EQ(report->findings.size(), 3U);
  EXPECT_EQ(report->findings[0].case_name, "g/one/slower");
  EXPECT_EQ(report->findings[0].verdict, Verdict::regressed);
  EXPECT_NEAR(report->findings[0].alpha.value(), 0.01 / 3 * 0.1, 1e-15);  // the first look spends a tenth
  for (const auto& f : report->findings) {
    EXPECT_TRUE(f.case_name != "g/one/faster" || f.verdict == Verdict::improved);
    EXPECT_TRUE(f.case_name != "g/one/same" || f.verdict == Verdict::equivalent);
  }
}

// Said by the case itself: a record keeps only so many warnings.
TEST(JudgePaired, ACaseThatItsSidesDefineDifferentlyIsNotComparable) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/v", wobble(1e5, 2), wobble(1e5, 3));
  add_paired_case(run, "g/one/w", wobble(1e5, 2), wobble(1e5, 3));
  run.cases.front().sides_differ = std::string("its input seed was 1 and is 2");
  ASSERT_TRUE(run.warnings.empty());
  const auto report = gate::judge_paired(run, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(finding(*report, "g/one/v").verdict, Verdict::not_comparable);
  EXPECT_TRUE(mentions(finding(*report, "g/one/v").reasons,
                       "measured on both sides, not comparable: its input seed was 1 and is 2"));
  EXPECT_EQ(finding(*report, "g/one/w").verdict, Verdict::equivalent);
  EXPECT_EQ(report->outcome, Outcome::fail);
}

TEST(JudgePaired, AHigherIsBetterMetricIsTurnedAround) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/rate", wobble(1e5, 2), wobble(0.8e5, 3));
  run.cases[0].metrics[0].direction = record::Direction::higher_is_better;
  const auto report = gate::judge_paired(run, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->findings[0].verdict, Verdict::regressed);
  EXPECT_NEAR(report->findings[0].change.value(), -0.2, 0.01);
  EXPECT_EQ(report->outcome, Outcome::fail);
  EXPECT_LT(report->findings[0].interval->low, report->findings[0].interval->high);
}

// Pairs that excluded 2 % ended as "within 5 %", whatever the gate.
TEST(JudgePaired, AGateBelowTwoPercentIsKept) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/v", wobble(1e5, 2, 48), wobble(1.016e5, 3, 48));
  policy::Policy policy;
  EXPECT_EQ(gate::judge_paired(run, policy)->outcome, Outcome::pass);
  policy.latency = 0.01;
  const auto report = gate::judge_paired(run, policy);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->outcome, Outcome::fail) << report->headline;
  EXPECT_DOUBLE_EQ(report->equivalence_ratio, 0.01);
}

TEST(JudgePaired, APairThatLostOneSideIsDropped) {
  record::Run run = paired_run("pppp");
  run.plan.processes = 11;
  add_paired_case(run, "g/one/v", wobble(1e5, 2, 11), wobble(1.1e5, 3, 11));
  run.processes[5].cases.clear();
  run.processes[5].status = record::ProcessStatus::crashed;
  run.processes[5].message = "killed by signal 11 (SIGSEGV)";
  const auto report = gate::judge_paired(run, {});
  ASSERT_TRUE(report.ok());
  ASSERT_TRUE(report->findings[0].confirmation.has_value());
  EXPECT_EQ(report->findings[0].confirmation->pairs, 10);
  // The last look comes with the last pair there is: 2^-9 is below 60 % of 1 %.
  EXPECT_EQ(report->findings[0].verdict, Verdict::regressed);
}

// Twenty pairs, of which the first few were started: a side that lost two processes was given up. Other cases are decided, in their own group.
record::Run given_up(std::vector<std::size_t> lost_before, std::vector<std::size_t> lost_after, std::size_t pairs) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/v", wobble(1e5, 2), wobble(1e5, 3));
  const std::size_t count = run.processes.size();
  for (const char* group : {"g/two", "g/three"}) {
    run.cases.push_back(run.cases.front());
    run.cases.back().name = std::string(group) + "/v";
    run.cases.back().group = group;
    for (std::size_t i = 0; i < count; ++i) {
      run.processes.push_back(run.processes[i]);
      run.processes.back().group = group;
      run.processes.back().cases.front().name = run.cases.back().name;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    record::Process& process = run.processes[i];
    const auto& lost = process.side == 0 ? lost_before : lost_after;
    const auto pair = static_cast<std::size_t>(*process.pair);
    const bool started = pair < pairs;
    if (started && std::count(lost.begin(), lost.end(), pair) == 0) continue;
    process.status = started ? record::ProcessStatus::crashed : record::ProcessStatus::not_started;
    process.message = started ? "ended with exit code 3" : "not started: g/one already failed 2 times";
    process.cases.clear();
  }
  return run;
}

// One crash of the before side passed any number of them.
TEST(JudgePaired, LossesOnBothSidesThatLeaveACaseOpenForbidAPass) {
  const auto judged = [](const record::Run& run) { return gate::judge_paired(run, {}).value(); };
  ASSERT_EQ(judged(given_up({}, {}, 20)).outcome, Outcome::pass);
  EXPECT_EQ(judged(given_up({}, {2, 3}, 4)).outcome, Outcome::fail);
  const auto report = judged(given_up({0}, {1, 2}, 3));
  EXPECT_EQ(report.outcome, Outcome::no_verdict) << report.headline;
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::inconclusive);
  EXPECT_NE(report.headline.words().find("both sides lost processes (1 of 3 before, 2 of 3 after)"), std::string::npos)
      << report.headline;
  EXPECT_EQ(judged(given_up({1, 2}, {0}, 3)).outcome, Outcome::no_verdict);
  EXPECT_EQ(judged(given_up({4}, {7}, 20)).outcome, Outcome::pass) << "the others decide";
}

TEST(JudgePaired, ACaseThatFailedOnTheBeforeSideIsNamed) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/same", wobble(1e5, 2), wobble(1e5, 3));
  add_paired_case(run, "g/one/broken", wobble(1e5, 2), wobble(1e5, 3));
  add_paired_case(run, "g/one/partly", wobble(1e5, 2), wobble(1e5, 3));
  for (record::Process& process : run.processes) {
    for (record::CaseResult& result : process.cases) {
      const bool partly = result.name == "g/one/partly" && process.pair == 0;
      if (process.side != 0 || !(result.name == "g/one/broken" || partly)) continue;
      result.status = record::CaseStatus::failed;
      result.message = "cannot open model.pt";
      result.measurements.clear();
    }
  }
  const auto report = gate::judge_paired(run, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->outcome, Outcome::no_verdict) << report->headline;
  EXPECT_EQ(finding(*report, "g/one/broken").verdict, Verdict::not_comparable);
  EXPECT_TRUE(mentions(report->notes,
                       "1 case was not compared, as the before side has no numbers: g/one/broken (failed in 20 of 20 "
                       "processes: cannot open model.pt)"));
  EXPECT_TRUE(
      mentions(finding(*report, "g/one/partly").reasons, "before: failed in 1 of 20 processes: cannot open model.pt"));
}

// Which cases it has is not known: those of the after side are not new.
TEST(JudgePaired, CasesOfASuiteThatCouldNotListThemBeforeAreNotNew) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/same", wobble(1e5, 2), wobble(1e5, 3));
  const std::size_t pairs_of_g = run.processes.size();
  for (std::size_t i = 0; i < pairs_of_g; ++i) {
    if (run.processes[i].side == 0) continue;
    record::Process of_h = run.processes[i];
    of_h.suite = "h";
    of_h.group = "h/two";
    of_h.cases.front().name = "h/two/slower";
    run.processes.push_back(of_h);
  }
  run.cases.push_back(run.cases.front());
  run.cases.back().name = "h/two/slower";
  run.cases.back().suite = "h";
  run.cases.back().group = "h/two";
  EXPECT_EQ(finding(*gate::judge_paired(run, {}), "h/two/slower").verdict, Verdict::new_case);
  record::Process listing;
  listing.suite = "h";
  listing.side = 0;
  listing.status = record::ProcessStatus::crashed;
  listing.message = "listing its cases failed: killed by SIGSEGV";
  run.processes.push_back(listing);
  const auto report = gate::judge_paired(run, {});
  EXPECT_EQ(finding(*report, "h/two/slower").verdict, Verdict::not_comparable);
  EXPECT_TRUE(mentions(finding(*report, "h/two/slower").reasons, "its suite could not list its cases"));
  EXPECT_EQ(report->outcome, Outcome::no_verdict) << report->headline;
}

TEST(JudgePaired, ARunOfOneSideIsAnError) {
  const auto report = gate::judge_paired(empty_run("aaaa"), {});
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().message.find("one side"), std::string::npos);
}

TEST(DescribeRun, ShowsNumbersWithoutAVerdict) {
  record::Run run = empty_run("aaaa");
  add_case(run, "g/one/v", around(1e5, 0.002));
  const auto report = gate::describe_run(run, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->outcome, Outcome::no_verdict);
  EXPECT_EQ(report->headline, "1 case measured, nothing to compare with");
  ASSERT_TRUE(report->findings[0].after.has_value());
  EXPECT_NEAR(report->findings[0].after->value, 1e5, 100);
}

}  // namespace
