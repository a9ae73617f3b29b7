// SPDX-License-Identifier: Apache-2.0
// Pairs that could never have said `regressed` clear no case.
#include "ci/gate/pairs/pair_count.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_paired_case;
using gate::testing::mentions;
using gate::testing::paired_run;
using gate::testing::wobble;
using reports::Outcome;
using reports::Verdict;

// `cases` cases that all take `factor` times as long, in `pairs` pairs of `planned`.
record::Run pairs_of(int cases, int pairs, double factor, int planned = 0) {
  record::Run run = paired_run("pppp");
  run.plan.processes = planned > 0 ? planned : pairs;
  for (int i = 0; i < cases; ++i) {
    add_paired_case(run, "g/one/v" + std::to_string(i), wobble(1e5, 2, pairs), wobble(1e5 * factor, 3, pairs));
  }
  return run;
}

reports::Report judged(const record::Run& run, const policy::Policy& policy = {}) {
  auto report = gate::judge_paired(run, policy);
  if (!report) throw std::runtime_error(report.error().message);
  return *std::move(report);
}

TEST(PairCount, ADoublingInTooFewPairsIsNotJudgedAndNoPass) {
  const auto report = judged(pairs_of(1, 8, 2.0));
  EXPECT_EQ(report.outcome, Outcome::no_verdict);
  EXPECT_EQ(report.cases_judged, 0);
  EXPECT_EQ(report.headline,
            "no case could be judged: 8 pairs cannot show a regression, however large; at least 9 are needed");
  const reports::Finding& finding = report.findings.front();
  EXPECT_EQ(finding.verdict, Verdict::inconclusive);
  EXPECT_FALSE(finding.p);
  EXPECT_FALSE(mentions(finding.reasons, "within the noise"));
  EXPECT_TRUE(mentions(report.notes, "1 of 1 cases had too few pairs: no regression could have been found in it"));
}

TEST(PairCount, OnePairIsTooFewAsWell) {
  EXPECT_TRUE(mentions(judged(pairs_of(2, 1, 2.0)).notes, "2 of 2 cases had too few pairs"));
}

TEST(PairCount, OnePairMoreConvicts) {
  EXPECT_EQ(judged(pairs_of(1, 9, 2.0)).outcome, Outcome::fail);
  EXPECT_EQ(judged(pairs_of(6, 10, 2.0)).outcome, Outcome::no_verdict);
  EXPECT_EQ(judged(pairs_of(6, 11, 2.0)).outcome, Outcome::fail);
}

// The same pairs, stopped before the first look of a longer plan.
TEST(PairCount, WhatABudgetLeftUntestedNamesTheLookItMissed) {
  record::Run run = pairs_of(1, 10, 2.0, 48);
  run.plan.budget_pairs = 10;
  const auto report = judged(run);
  EXPECT_EQ(report.outcome, Outcome::no_verdict);
  EXPECT_TRUE(
      mentions(report.findings.front().reasons, "10 pairs cannot show a regression, however large; at least 12"));
  EXPECT_EQ(judged(pairs_of(1, 12, 2.0, 48)).outcome, Outcome::fail);
}

TEST(PairCount, ProcessesThatWereLostLeaveTooFewPairs) {
  record::Run run = pairs_of(1, 9, 2.0);
  run.processes[4].cases.clear();
  run.processes[4].status = record::ProcessStatus::crashed;
  run.processes[4].message = "killed by signal 11 (SIGSEGV)";
  EXPECT_EQ(judged(run).outcome, Outcome::no_verdict);
}

// That harm is excluded is an answer of its own, and takes six pairs.
TEST(PairCount, EquivalenceNeedsNoPowerToConfirmARegression) {
  const auto report = judged(pairs_of(1, 8, 1.0));
  EXPECT_EQ(report.findings.front().verdict, Verdict::equivalent);
  EXPECT_EQ(report.outcome, Outcome::pass);
}

TEST(PairCount, WhatWasNotJudgedIsCountedBesideAPass) {
  record::Run run = pairs_of(1, 8, 1.0);
  add_paired_case(run, "g/one/slower", wobble(1e5, 2, 8), wobble(2e5, 3, 8));
  const auto report = judged(run);
  EXPECT_EQ(report.cases_judged, 1);
  EXPECT_EQ(
      report.headline,
      "no regression in 2 cases, 1 decided and 1 undecided; a 5 % slow-down would have been seen in 1; 1 not judged");
}

TEST(PairCount, IsThatOfTheVerdictsThatShareAlpha) {
  policy::Policy policy;
  EXPECT_EQ(gate::fewest_pairs(pairs_of(1, 1, 1), policy).pairs, 9);
  EXPECT_EQ(gate::fewest_pairs(pairs_of(6, 1, 1), policy).pairs, 11);
  policy.tails = policy::Action::fail;  // P95 and P99 are verdicts too
  EXPECT_EQ(gate::fewest_pairs(pairs_of(2, 1, 1), policy).family, 6U);
  EXPECT_EQ(gate::fewest_pairs(pairs_of(2, 1, 1), policy).pairs, 11);
  for (const char* rule : {"textbook", "welch", "exact"}) {
    policy.rule = rule;
    EXPECT_EQ(gate::fewest_pairs(pairs_of(6, 1, 1), policy).pairs, 0) << rule;
  }
}

// Google Benchmark programs tell their metrics only when they have measured.
TEST(PairCount, CasesWhoseMetricsAreNotKnownYetCount) {
  record::Run run = pairs_of(6, 1, 1);
  for (record::Case& definition : run.cases) definition.metrics.clear();
  EXPECT_EQ(gate::fewest_pairs(run, {}).family, 6U);
  run.cases.back().skipped = "no CUDA device";
  EXPECT_EQ(gate::fewest_pairs(run, {}).family, 5U);
}

TEST(PairCount, TheReportSaysThatMoreWerePlannedThanAskedFor) {
  policy::Policy policy;
  policy.pairs = 8;
  EXPECT_TRUE(
      mentions(judged(pairs_of(6, 11, 2.0), policy).notes,
               "gate.pairs = 8: too few to show any regression, 6 verdicts need at least 11; up to 11 are measured"));
  policy.pairs = 11;
  EXPECT_FALSE(mentions(judged(pairs_of(6, 11, 2.0), policy).notes, "too few"));
}

}  // namespace
