// SPDX-License-Identifier: Apache-2.0
// When a group's pairs stop, seen through what is measured: the record grows pair by pair.
#include "ci/gate/pairs/group_decided.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ci/gate/pairs/pair_plan.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_paired_case;
using gate::testing::paired_run;
using gate::testing::wobble;

// Pairs after which no group is undecided, at most `last`.
int pairs_until_decided(double factor, const policy::Policy& policy, int last = 48, double other_factor = 0) {
  for (int n = 1; n <= last; ++n) {
    record::Run run = paired_run("pppp");
    run.plan.processes = last;
    add_paired_case(run, "g/one/v", wobble(1e5, 2, n), wobble(1e5 * factor, 3, n));
    if (other_factor > 0) add_paired_case(run, "g/one/w", wobble(1e5, 2, n), wobble(1e5 * other_factor, 3, n));
    if (gate::undecided_groups(run, policy).empty()) return n;
  }
  return last + 1;
}

TEST(GroupDecided, StopsWhenHarmIsExcludedOrTheFirstLookAlarms) {
  EXPECT_EQ(pairs_until_decided(1.0, {}), 6);
  EXPECT_EQ(pairs_until_decided(1.2, {}), 12);
}

TEST(GroupDecided, TheSlowestCaseOfAGroupDecides) {
  EXPECT_EQ(pairs_until_decided(1.0, {}, 48, 1.2), 12);
}

TEST(GroupDecided, AnOpenCaseRunsToTheLastPair) {
  // +3 % with a gate's worth of noise: neither harmless nor clear in so few pairs.
  EXPECT_EQ(pairs_until_decided(1.03, {}, 9), 9);
}

TEST(GroupDecided, AFailedCaseWaitsForNothing) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/v", {1e5}, {1e5});
  EXPECT_EQ(gate::undecided_groups(run, {}), std::set<std::string_view>{"g/one"});
  run.processes[1].cases[0].status = record::CaseStatus::failed;
  EXPECT_TRUE(gate::undecided_groups(run, {}).empty());
}

// Six pairs of 0.5 % with a spread of 1.2 %: no harm at 95 %, which `ab` uses, but not at the 98 % of a confirmation.
TEST(PairPlan, AConfirmationExcludesHarmAtNinetyEightPercent) {
  const std::vector<double> before(6, 1e5);
  std::vector<double> after;
  for (int i = 0; i < 6; ++i) after.push_back(1e5 * std::exp(0.005 + (i % 2 == 0 ? 0.012 : -0.012)));
  record::Run pairs = paired_run("pppp");
  add_paired_case(pairs, "g/one/v", before, after);
  EXPECT_EQ(gate::PairPlans(pairs, {}).first().no_harm_level, 0.95);
  EXPECT_TRUE(gate::undecided_groups(pairs, {}).empty());
  pairs.plan.confirms = record::Confirms{"aaaa", "bbbb", 1};
  EXPECT_EQ(gate::PairPlans(pairs, {}).first().no_harm_level, 0.98);
  EXPECT_EQ(gate::undecided_groups(pairs, {}).size(), 1U);
}

TEST(PairPlan, SharesAlphaAmongWhatWasAskedForNotWhatCameBack) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/v", {1e5}, {1e5});
  add_paired_case(run, "g/one/w", {}, {});
  add_paired_case(run, "g/one/x", {}, {});
  run.cases.back().skipped = "no CUDA device";
  EXPECT_EQ(gate::PairPlans(run, {}).first().family, 2U);
  EXPECT_EQ(gate::PairPlans(run, {}).first().last, 20U);
  policy::Policy tails;
  tails.tails = policy::Action::fail;
  EXPECT_EQ(gate::PairPlans(run, tails).first().family, 6U);
}

}  // namespace
