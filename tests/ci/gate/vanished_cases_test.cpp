// SPDX-License-Identifier: Apache-2.0
// Suites, groups and cases that the baseline has and the run does not: missing, or left out by its plan. And gate.min_decided under
// every rule.
#include <gtest/gtest.h>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using reports::Outcome;
using reports::Verdict;

void add_to_suite(record::Run& run, const std::string& suite, const std::string& group, const std::string& name) {
  const std::size_t first = run.processes.size();
  record::Run other = empty_run("eeee");
  add_case(other, name, around(1e5, quiet));
  other.cases[0].suite = suite;
  other.cases[0].group = group;
  run.cases.push_back(other.cases[0]);
  for (record::Process& process : other.processes) {
    process.suite = suite;
    process.group = group;
    process.index = static_cast<std::int64_t>(first + run.processes.size());
    run.processes.push_back(process);
  }
}

struct Whole {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  policy::Policy policy;

  Whole() {
    for (record::Run* run : {&before, &after}) {
      run->plan.suites = {"g"};
      add_case(*run, "g/one/kept", around(1e5, quiet));
    }
    before.plan.suites.emplace_back("serving");
    add_to_suite(before, "serving", "serving/http", "serving/http/a");
    add_to_suite(before, "serving", "serving/http", "serving/http/b");
  }
  [[nodiscard]] reports::Report judge() const {
    gate::Comparison comparison;
    comparison.baseline = {&before};
    comparison.current = &after;
    auto report = gate::judge_stored(comparison, policy);
    if (!report) throw std::runtime_error(report.error().message);
    return *std::move(report);
  }
};

TEST(VanishedCases, CasesOfARemovedSuiteAreReportedAsMissing) {
  for (const char* const rule : {"default", "welch", "history", "paired", "exact", "textbook"}) {
    SCOPED_TRACE(rule);
    Whole whole;
    whole.policy.rule = rule;
    const auto report = whole.judge();
    EXPECT_EQ(report.outcome, Outcome::fail);
    EXPECT_EQ(finding(report, "serving/http/a").verdict, Verdict::missing);
    EXPECT_EQ(finding(report, "serving/http/b").verdict, Verdict::missing);
    EXPECT_TRUE(
        mentions(report.doubts, "suite serving is not in this run (suites: g): 2 cases of the baseline are missing"));
  }
}

TEST(VanishedCases, ARenamedSuiteIsGone) {
  Whole whole;
  whole.after.plan.suites.emplace_back("server");
  add_to_suite(whole.after, "server", "server/http", "server/http/a");
  const auto report = whole.judge();
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(finding(report, "serving/http/a").verdict, Verdict::missing);
  EXPECT_EQ(finding(report, "server/http/a").verdict, Verdict::new_case);
}

TEST(VanishedCases, AGroupThatIsGoneInASuiteThatStays) {
  Whole whole;
  whole.after.plan.suites.emplace_back("serving");
  add_to_suite(whole.after, "serving", "serving/grpc", "serving/grpc/a");
  EXPECT_EQ(finding(whole.judge(), "serving/http/a").verdict, Verdict::missing);
  EXPECT_EQ(whole.judge().outcome, Outcome::fail);
}

TEST(VanishedCases, AFilterLeavesOutOnADeskAndIsMissingUnderTheBaseBranchsPolicy) {
  Whole whole;
  whole.after.plan.suites.emplace_back("serving");
  whole.after.plan.filter = "^g/one/";
  const auto desk = whole.judge();
  EXPECT_EQ(desk.outcome, Outcome::pass) << desk.headline;
  EXPECT_EQ(desk.cases_not_planned, 2);
  EXPECT_TRUE(mentions(desk.notes, "2 cases of the baseline were not judged"));
  whole.policy.of_base = true;
  const auto pull = whole.judge();
  EXPECT_EQ(pull.outcome, Outcome::fail);
  EXPECT_TRUE(mentions(finding(pull, "serving/http/a").reasons, "the filter ^g/one/ of this run leaves it out"));
  whole.policy.partial = policy::Partial::listed;
  EXPECT_EQ(whole.judge().outcome, Outcome::pass);
  whole.policy.of_base = false;
  whole.policy.partial = policy::Partial::missing;
  EXPECT_EQ(whole.judge().outcome, Outcome::fail);
}

TEST(VanishedCases, AFilterThatBothSidesHaveLeavesNothingOut) {
  Whole whole;
  whole.before = empty_run("aaaa");
  add_case(whole.before, "g/one/kept", around(1e5, quiet));
  whole.before.plan.filter = whole.after.plan.filter = "kept";
  whole.policy.of_base = true;
  EXPECT_EQ(whole.judge().outcome, Outcome::pass);
}

TEST(VanishedCases, AnotherProfileLeavesGroupsOut) {
  Whole whole;
  whole.after.plan.suites.emplace_back("serving");
  whole.after.plan.profile = "quick";
  EXPECT_EQ(whole.judge().outcome, Outcome::pass);
  EXPECT_EQ(whole.judge().cases_not_planned, 2);
  whole.policy.of_base = true;
  EXPECT_EQ(whole.judge().outcome, Outcome::fail);
}

TEST(VanishedCases, AShardIsNotMissingTheOthers) {
  Whole whole;
  whole.after.plan.suites.emplace_back("serving");
  whole.after.plan.shards = 2;
  whole.after.plan.division = {{"g/one"}, {"serving/http"}};
  whole.policy.of_base = true;
  const auto report = whole.judge();
  EXPECT_EQ(report.outcome, Outcome::no_verdict) << "incomplete";
  EXPECT_EQ(report.cases_not_planned, 2);
}

TEST(VanishedCases, WhatIsGoneIsNotDecided) {
  for (const char* const rule : {"default", "welch", "exact", "textbook"}) {
    SCOPED_TRACE(rule);
    Whole whole;
    whole.policy.rule = rule;
    whole.policy.missing = policy::Action::warn;
    add_exact(whole.before, "g/one/kept", "operator_calls", 7);
    add_exact(whole.after, "g/one/kept", "operator_calls", 7);
    EXPECT_EQ(whole.judge().outcome, Outcome::no_verdict) << "one of three";
    whole.policy.min_decided = 0;
    EXPECT_EQ(whole.judge().outcome, Outcome::pass) << whole.judge().headline;
  }
}

TEST(MinDecided, ACaseWithoutACountIsNotDecidedWhereOnlyCountsAreJudged) {
  Whole whole;
  whole.before = empty_run("aaaa");
  for (record::Run* run : {&whole.before, &whole.after}) {
    if (run == &whole.before) add_case(*run, "g/one/kept", around(1e5, quiet));
    add_case(*run, "g/one/uncounted", around(1e5, quiet));
    add_exact(*run, "g/one/kept", "operator_calls", 7);
  }
  whole.policy.rule = "exact";
  EXPECT_EQ(whole.judge().outcome, Outcome::pass);
  EXPECT_TRUE(
      mentions(whole.judge().notes, "1 case was not judged, as no count is known on both sides: g/one/uncounted"));
  EXPECT_EQ(whole.judge().decided.cases, 2);
  EXPECT_EQ(whole.judge().decided.decided, 1);
  whole.policy.min_decided = 1;
  EXPECT_EQ(whole.judge().outcome, Outcome::no_verdict);
  EXPECT_TRUE(
      mentions(std::vector<std::string>{whole.judge().headline}, "too few cases decided for gate.min_decided = 1"));
}

TEST(MinDecided, ACaseThatLostACountIsNotDecidedUnderAnyRule) {
  for (const char* const rule : {"default", "welch", "exact", "textbook"}) {
    SCOPED_TRACE(rule);
    Whole whole;
    whole.before = empty_run("aaaa");
    add_case(whole.before, "g/one/kept", around(1e5, quiet));
    add_exact(whole.before, "g/one/kept", "operator_calls", 7);
    add_exact(whole.before, "g/one/kept", "peak_bytes", 7);
    add_exact(whole.after, "g/one/kept", "peak_bytes", 7);
    whole.policy.rule = rule;
    whole.policy.min_decided = 1;
    EXPECT_EQ(whole.judge().outcome, Outcome::no_verdict) << whole.judge().headline;
  }
}

// Two cases whose processes scatter, and as many that do not.
TEST(MinDecided, HalfIsEnoughByDefaultAndOneCaseLessIsNot) {
  record::Run run = paired_run("pppp");
  for (const char* const name : {"g/one/a", "g/one/b"}) add_paired_case(run, name, wobble(1e5, 2), wobble(1e5, 3));
  const auto scattered = [](int step) {
    std::vector<double> values;
    for (int i = 0; i < 20; ++i) values.push_back(1e5 * (1 + 0.07 * ((i * step) % 7)));
    return values;
  };
  for (const char* const name : {"g/one/c", "g/one/d"}) add_paired_case(run, name, scattered(3), scattered(5));
  const auto half = gate::judge_paired(run, {}).value();
  EXPECT_EQ(half.decided.cases, 4);
  EXPECT_EQ(half.decided.decided, 2);
  EXPECT_EQ(half.outcome, Outcome::pass) << half.headline;
  add_paired_case(run, "g/one/e", scattered(3), scattered(5));
  const auto less = gate::judge_paired(run, {}).value();
  EXPECT_EQ(less.outcome, Outcome::no_verdict);
  EXPECT_TRUE(less.too_few_decided);
  EXPECT_EQ(less.headline.words().find("too few cases decided for gate.min_decided = 0.5: no regression in 5 cases"),
            0U);
}

TEST(MinDecided, AWaivedSuspectIsDecidedByPeople) {
  Whole whole;
  whole.before = empty_run("aaaa");
  whole.after = empty_run("bbbb");
  add_case(whole.before, "g/one/v", around(1e5, quiet));
  add_case(whole.after, "g/one/v", around(1.07e5, quiet));
  EXPECT_EQ(whole.judge().outcome, Outcome::no_verdict);
  policy::Waiver waiver;
  waiver.case_name = "g/one/v";
  waiver.metric = "time";
  waiver.ceiling = 0.1;
  waiver.reason = "exact erf";
  whole.policy.today = std::chrono::year_month_day(std::chrono::year(2026), std::chrono::month(1), std::chrono::day(1));
  waiver.expires = *whole.policy.today;
  whole.policy.waivers = {waiver};
  EXPECT_EQ(whole.judge().outcome, Outcome::pass) << whole.judge().headline;
  EXPECT_EQ(whole.judge().decided.cases, 0);
}

TEST(MinDecided, HoldsInPairs) {
  for (const char* const rule : {"default", "paired", "exact"}) {
    SCOPED_TRACE(rule);
    record::Run run = paired_run("pppp");
    add_paired_case(run, "g/one/counted", wobble(1e5, 2), wobble(1e5, 3));
    add_exact(run, "g/one/counted", "operator_calls", 7);
    add_paired_case(run, "g/one/uncounted", wobble(1e5, 2), wobble(1e5, 3));
    policy::Policy policy;
    policy.rule = rule;
    policy.min_decided = 1;
    const auto report = gate::judge_paired(run, policy).value();
    EXPECT_EQ(report.outcome, std::string(rule) == "exact" ? Outcome::no_verdict : Outcome::pass) << report.headline;
  }
}

}  // namespace
