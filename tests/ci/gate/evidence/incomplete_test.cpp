// SPDX-License-Identifier: Apache-2.0
// A run without some of its shards never passes, and the cases of these shards are not reported as missing.
#include "ci/gate/evidence/incomplete.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ci/gate/judge.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "harness/record/imported.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::mentions;
using reports::Outcome;
using reports::Verdict;

/// A case of a group of its own.
void add_grouped(record::Run& run, const std::string& group) {
  add_case(run, group + "/v", around(100, 0.002));
  run.cases.back().group = group;
}

struct Merged : ::testing::Test {
  Merged() {
    for (const char* group : {"g/one", "g/two", "g/old"}) add_grouped(before, group);
    add_grouped(after, "g/one");
    after.plan.division = {{"g/one"}, {"g/two"}};
    after.plan.missing_shards = {2};
  }
  [[nodiscard]] reports::Report judge() const {
    gate::Comparison comparison;
    comparison.baseline = {&before};
    comparison.current = &after;
    auto report = gate::judge_stored(comparison, policy);
    if (!report) throw std::runtime_error(report.error().message);
    return *report;
  }
  [[nodiscard]] static std::optional<Verdict> verdict(const reports::Report& report, const std::string& name) {
    for (const auto& finding : report.findings)
      if (finding.case_name == name && finding.metric.name == "time") return finding.verdict;
    return std::nullopt;
  }
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  policy::Policy policy;
};

TEST_F(Merged, CasesOfAMissingShardAreNotJudgedAndTheRunDoesNotPass) {
  before.cases.pop_back();  // what no shard has is another matter, below
  const auto report = judge();
  EXPECT_EQ(report.outcome, Outcome::no_verdict);
  EXPECT_EQ(report.headline.words().rfind("INCOMPLETE: shard 2 of 2 is missing", 0), 0U) << report.headline;
  EXPECT_TRUE(verdict(report, "g/one/v"));
  EXPECT_FALSE(verdict(report, "g/two/v"));
  const std::string sentence =
      "this run: shard 2 of 2 is missing: its groups were not measured and are not judged (g/two)";
  EXPECT_TRUE(std::any_of(report.doubts.begin(), report.doubts.end(),
                          [&](const std::string& doubt) { return doubt == sentence; }));
}

TEST_F(Merged, WhatNoShardHasIsMissing) {
  const auto report = judge();
  EXPECT_EQ(verdict(report, "g/old/v"), Verdict::missing);
  EXPECT_EQ(report.outcome, Outcome::fail);
}

TEST_F(Merged, AFailureInAMergedShardFails) {
  before.cases.pop_back();
  for (auto& process : after.processes) {
    process.cases.front().status = record::CaseStatus::failed;
    process.cases.front().message = "out of memory";
  }
  EXPECT_EQ(judge().outcome, Outcome::fail);
}

TEST_F(Merged, AllShardsPass) {
  before.cases.pop_back();
  after.plan.missing_shards.clear();
  add_grouped(after, "g/two");
  const auto report = judge();
  EXPECT_EQ(report.outcome, Outcome::pass) << report.headline;
  EXPECT_TRUE(verdict(report, "g/two/v"));
}

TEST_F(Merged, AShardAloneDoesNotPassEither) {
  after.plan.missing_shards.clear();
  after.plan.shards = 2;
  const auto report = judge();
  EXPECT_EQ(report.outcome, Outcome::no_verdict);
  EXPECT_EQ(report.headline.words().rfind("INCOMPLETE: this is shard 1 of 2 alone", 0), 0U) << report.headline;
  EXPECT_FALSE(verdict(report, "g/two/v"));
  EXPECT_FALSE(verdict(report, "g/old/v"));  // another shard may say
}

TEST(Incomplete, NamesWhatIsMissing) {
  record::Run run = empty_run("aaaa");
  EXPECT_EQ(gate::incomplete_because(run), "");
  EXPECT_EQ(gate::missing_shards(run.plan), "");
  run.interrupted = true;
  EXPECT_EQ(gate::incomplete_because(run), "the run was stopped before its plan was complete");
  run.plan.division = {{"a"}, {"b", "c"}, {}};
  run.plan.missing_shards = {2, 3};
  EXPECT_EQ(gate::incomplete_because(run), "INCOMPLETE: shards 2, 3 of 3 are missing");
  EXPECT_EQ(gate::missing_shards(run.plan),
            "shards 2, 3 of 3 are missing: its groups were not measured and are not judged (b, c)");
}

record::Process unlisted(const std::string& suite, std::int64_t side = 0) {
  record::Process listing;
  listing.suite = suite;
  listing.side = side;
  listing.status = record::ProcessStatus::crashed;
  listing.message = "listing its cases failed: killed by signal 11 (SIGSEGV)\nlast words";
  return listing;
}

TEST(Incomplete, NamesSuitesThatDidNotListTheirCases) {
  record::Run run = empty_run("aaaa");
  run.processes.push_back(unlisted("t"));
  EXPECT_EQ(gate::incomplete_because(run),
            "INCOMPLETE: suite t did not list its cases, and was not measured (listing its cases failed: killed by "
            "signal 11 (SIGSEGV))");
  run.processes.push_back(unlisted("s"));
  EXPECT_EQ(gate::incomplete_because(run).words().rfind("INCOMPLETE: suites s, t did not list their cases", 0), 0U);
  run.plan.profile = record::imported_profile;  // files without a group
  EXPECT_EQ(gate::incomplete_because(run), "");
  record::Run pairs = gate::testing::paired_run("pppp");
  pairs.processes.push_back(unlisted("s", 0));
  EXPECT_EQ(gate::incomplete_because(pairs), "") << "the change has nothing to do with it";
  pairs.processes.push_back(unlisted("s", 1));
  EXPECT_NE(gate::incomplete_because(pairs), "");
}

// No stored run has cases of a new suite, so none of them is missing.
TEST(Incomplete, ASuiteThatDidNotListItsCasesNeverPasses) {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  for (record::Run* run : {&before, &after}) add_grouped(*run, "g/one");
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  ASSERT_EQ(gate::judge_stored(comparison, policy::Policy())->outcome, Outcome::pass);
  after.processes.push_back(unlisted("s"));
  const auto report = gate::judge_stored(comparison, policy::Policy());
  EXPECT_EQ(report->outcome, Outcome::no_verdict);
  EXPECT_EQ(report->headline.words().rfind("INCOMPLETE: suite s did not list its cases", 0), 0U) << report->headline;
  before.processes.push_back(unlisted("s"));  // as in all stored runs that are asked
  EXPECT_EQ(gate::judge_stored(comparison, policy::Policy())->outcome, Outcome::no_verdict);
  after.processes.pop_back();
  EXPECT_EQ(gate::judge_stored(comparison, policy::Policy())->outcome, Outcome::pass);
}

TEST(Incomplete, NorDoPairsOfASuiteThatListsItsCasesOnTheBeforeSideOnly) {
  record::Run pairs = gate::testing::paired_run("pppp");
  gate::testing::add_paired_case(pairs, "g/one/v", gate::testing::wobble(1e5, 2), gate::testing::wobble(1e5, 3));
  ASSERT_EQ(gate::judge_paired(pairs, {})->outcome, Outcome::pass);
  pairs.processes.push_back(unlisted("s", 1));
  EXPECT_EQ(gate::judge_paired(pairs, {})->outcome, Outcome::no_verdict);
}

TEST(Incomplete, NamesGroupsWithoutPairs) {
  record::Plan plan;
  EXPECT_EQ(gate::groups_without_pairs(plan), "");
  EXPECT_EQ(gate::missing_shard_of(plan, "a"), "");
  plan.division = {{"a"}, {"b", "c"}, {}};
  plan.missing_shards = {2, 3};
  EXPECT_EQ(gate::groups_without_pairs(plan),
            "INCOMPLETE: groups b, c were not measured in pairs (shards 2, 3 of 3 are missing)");
  EXPECT_EQ(gate::missing_shard_of(plan, "a"), "");
  EXPECT_EQ(gate::missing_shard_of(plan, "c"), "shard 2 of 3 is missing");
  plan.missing_shards = {3};
  EXPECT_EQ(gate::groups_without_pairs(plan), "") << "it had none";
}

TEST(Family, IsTheOneThatWasFixedBefore) {
  policy::Policy policy;
  record::Run pairs = gate::testing::paired_run("cccc");
  gate::testing::add_paired_case(pairs, "a", around(1, 0.01), around(1, 0.01));
  EXPECT_EQ(gate::PairPlans(pairs, policy).first().family, 1U);
  pairs.plan.confirms = record::Confirms{"aaaa", "bbbb", 7};  // six suspects did not come back
  EXPECT_EQ(gate::PairPlans(pairs, policy).first().family, 7U);
  EXPECT_EQ(gate::family_of(pairs, {"a"}, policy), 1U);
  EXPECT_EQ(gate::family_of(pairs, {}, policy), 0U);
  policy.tails = policy::Action::warn;
  EXPECT_EQ(gate::family_of(pairs, {"a"}, policy), 3U);
}

// Of a case beside two that every process has: its values in the first processes.
record::Run in_first_processes(const std::string& id, const std::vector<double>& values) {
  record::Run run = gate::testing::empty_run(id);
  for (const char* name : {"g/one/v", "g/one/w", "g/one/x"})
    gate::testing::add_case(run, name, gate::testing::around(1e5, 0.002));
  for (std::size_t i = 0; i < run.processes.size(); ++i) {
    auto& cases = run.processes[i].cases;
    if (i >= values.size()) {
      cases.erase(cases.begin());
      continue;
    }
    auto& summary = cases.front().measurements.front().summary;
    summary->median = summary->mean = values[i];
  }
  return run;
}

reports::Report judged_in_few(const record::Run& before, const record::Run& after) {
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  return gate::judge_stored(comparison, {}).value();
}

TEST(FewProcesses, AnIncompleteBaselineDoesNotPassACaseThatGrew) {
  const auto after = in_first_processes("bbbb", gate::testing::around(3e5, 0.002));
  const auto report = judged_in_few(in_first_processes("aaaa", {1e5}), after);
  EXPECT_EQ(report.outcome, reports::Outcome::no_verdict) << report.headline;
  EXPECT_NE(report.headline.words().find("g/one/v: not comparable: +200.0 %, but 1 of 5 processes of the baseline"),
            std::string::npos)
      << report.headline;
}

TEST(FewProcesses, WhatGrewLittleOrFellPasses) {
  for (const double value : {1.15e5, 0.5e5})
    EXPECT_EQ(judged_in_few(in_first_processes("aaaa", {1e5}),
                            in_first_processes("bbbb", gate::testing::around(value, 0.002)))
                  .outcome,
              reports::Outcome::pass)
        << value;
}

TEST(FewProcesses, ARecordThatLostProcessesSaysSo) {
  const auto before = in_first_processes("aaaa", gate::testing::around(1e5, 0.002));
  auto after = in_first_processes("bbbb", gate::testing::around(1e5, 0.002));
  EXPECT_FALSE(gate::testing::mentions(judged_in_few(before, after).doubts, "than planned"));
  after.processes.resize(3);
  EXPECT_TRUE(gate::testing::mentions(
      judged_in_few(before, after).doubts,
      "this run: 1 group has fewer processes than planned, and no record of the others; the first: "
      "g/one, 3 of 5"));
}

TEST(FewProcesses, ResultsOfAProcessThatEndedBadlyAreADoubt) {
  auto after = in_first_processes("bbbb", gate::testing::around(1e5, 0.002));
  after.processes[1].exit_code = 139;
  EXPECT_TRUE(
      mentions(judged_in_few(in_first_processes("aaaa", gate::testing::around(1e5, 0.002)), after).doubts,
               "this run: 1 process with results did not end with exit code 0; the first: g/one, exit code 139"));
}

TEST(FewProcesses, AGroupOfPairsWithoutAnyIsUndecided) {
  record::Run pairs = gate::testing::paired_run("pppp");
  gate::testing::add_paired_case(pairs, "g/one/v", gate::testing::wobble(1e5, 2), gate::testing::wobble(1e5, 3));
  pairs.groups.push_back(record::Group{"g/two", "g", std::nullopt, {}});
  pairs.cases.push_back(pairs.cases.front());
  pairs.cases.back().name = "g/two/v";
  pairs.cases.back().group = "g/two";
  const auto report = gate::judge_paired(pairs, {}).value();
  EXPECT_EQ(gate::testing::finding(report, "g/two/v").verdict, reports::Verdict::inconclusive);
  EXPECT_EQ(report.decided.undecided(), 1);
  EXPECT_TRUE(gate::testing::mentions(report.doubts,
                                      "1 group has cases and no record of a process on either side; the first: g/two"));
  pairs.interrupted = true;
  const auto stopped = gate::judge_paired(pairs, {}).value();
  EXPECT_EQ(gate::testing::finding(stopped, "g/two/v").verdict, reports::Verdict::skipped);
  EXPECT_FALSE(gate::testing::mentions(stopped.doubts, "no record of a process"));
}

}  // namespace
