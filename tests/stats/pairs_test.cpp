// SPDX-License-Identifier: Apache-2.0
#include "stats/pairs.hpp"

#include <algorithm>
#include <random>

#include "stats/signed_rank.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

Numbers normal_pairs(std::size_t n, double effect, double sd, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(effect, sd);
  Numbers d(n);
  for (double& value : d) value = normal(random);
  return d;
}

TEST(Pairs, ClearChangesAreCalled) {
  const auto slower = judge_pairs(normal_pairs(20, 0.05, 0.01, 1));
  EXPECT_EQ(slower.call, Call::regressed);
  EXPECT_TRUE(slower.reasons.empty());
  EXPECT_NEAR(*slower.effect, 0.05, 0.01);
  EXPECT_LT(*slower.p, 0.01);
  ASSERT_TRUE(slower.interval && slower.trimmed);
  EXPECT_GT(slower.interval->low, 0);
  EXPECT_LE(slower.interval->low, *slower.effect);
  EXPECT_GE(slower.interval->high, *slower.effect);
  EXPECT_GE(slower.interval->level, 0.99);
  EXPECT_DOUBLE_EQ(*slower.cohen_d, *slower.effect / *slower.pair_sd);
  EXPECT_FALSE(slower.more_pairs);
  const auto faster = judge_pairs(normal_pairs(20, -0.05, 0.01, 1));
  EXPECT_EQ(faster.call, Call::improved);
  EXPECT_LT(faster.interval->high, 0);
}

TEST(Pairs, NoChangeIsEquivalentOnlyWhenShown) {
  const auto quiet = judge_pairs(normal_pairs(20, 0.0, 0.01, 4));
  EXPECT_EQ(quiet.call, Call::equivalent);
  EXPECT_TRUE(quiet.reasons.contains(Reason::not_significant));
  const auto noisy = judge_pairs(normal_pairs(20, 0.0, 0.3, 4));
  EXPECT_EQ(noisy.call, Call::inconclusive);
  EXPECT_EQ(noisy.reasons, Reasons{Reason::not_significant});
  ASSERT_TRUE(noisy.more_pairs && noisy.smallest_detectable);
  EXPECT_GT(*noisy.more_pairs, 100u);
  EXPECT_GT(*noisy.smallest_detectable, 0.1);
}

TEST(Pairs, RealButBelowTheMargin) {
  Numbers d(30);
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = 0.004 + 0.0001 * static_cast<double>(i % 5);
  const auto tiny = judge_pairs(d);
  EXPECT_LT(*tiny.p, 0.01);
  EXPECT_EQ(tiny.call, Call::equivalent);
  EXPECT_TRUE(tiny.reasons.contains(Reason::below_margin));
  // Exactly the margin counts: effect = ln 1.01 and no spread.
  const auto at_margin = judge_pairs(Numbers(20, std::log1p(0.01)));
  EXPECT_EQ(at_margin.call, Call::regressed);
  EXPECT_TRUE(at_margin.reasons.contains(Reason::no_spread));
}

TEST(Pairs, TheRiskIsShared) {
  const Numbers d = normal_pairs(9, 0.10, 0.01, 3);
  EXPECT_EQ(judge_pairs(d).call, Call::regressed) << "2/2^9 = 0.0039 < 0.01";
  PairOptions shared;
  shared.family = 10;
  const auto judged = judge_pairs(d, shared);
  EXPECT_EQ(judged.call, Call::inconclusive) << "0.0039 > 0.001";
  EXPECT_TRUE(judged.reasons.contains(Reason::too_few_pairs));
  EXPECT_FALSE(judged.interval);
  EXPECT_TRUE(judged.trimmed);
  EXPECT_EQ(judged.smallest_p, 2.0 / 512);
  EXPECT_EQ(*judged.more_pairs, 2u) << "2/2^11 is the first p below 0.001";
  shared.family = 0;
  EXPECT_EQ(judge_pairs(d, shared).call, Call::regressed) << "no cases counts as one";
}

TEST(Pairs, EdgeTable) {
  const auto none = judge_pairs({});
  EXPECT_EQ(none.call, Call::inconclusive);
  EXPECT_EQ(none.reasons, Reasons{Reason::no_values});
  EXPECT_FALSE(none.effect || none.p || none.interval || none.trimmed || none.pair_sd || none.cohen_d ||
               none.more_pairs);
  for (double bad : {not_a_number, infinity}) {
    const auto broken = judge_pairs(Numbers{0.1, bad, 0.1});
    EXPECT_EQ(broken.call, Call::inconclusive);
    EXPECT_EQ(broken.reasons, Reasons{Reason::not_finite});
    EXPECT_FALSE(broken.effect);
  }
  const auto one = judge_pairs(Numbers{0.5});
  EXPECT_EQ(one.call, Call::inconclusive);
  EXPECT_TRUE(one.reasons.contains(Reason::too_few_pairs));
  EXPECT_EQ(*one.effect, 0.5);
  EXPECT_FALSE(one.pair_sd || one.cohen_d || one.trimmed);
  const auto two = judge_pairs(Numbers{0.001, 0.001});
  EXPECT_EQ(two.call, Call::inconclusive) << "two equal pairs are not evidence";
  const auto zeros = judge_pairs(Numbers(10, 0.0));
  EXPECT_EQ(zeros.call, Call::equivalent);
  EXPECT_EQ(*zeros.cohen_d, 0);
  EXPECT_EQ(*zeros.p, 1);
  EXPECT_EQ(*judge_pairs(Numbers(10, 0.2)).cohen_d, infinity);
  const auto wide = judge_pairs(Numbers{-1e200, 1e200, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2});
  EXPECT_EQ(wide.call, Call::inconclusive);
}

// Pairs for 90 % power with floors of 8 and 12, from an independent simulation script: scipy's noncentral t, n tried one by one.
TEST(PairsNeeded, IsTheTableOfTheNotes) {
  struct Row {
    double sd;
    std::size_t at_2_percent[2], at_5_percent[2], at_10_percent[2];
  };
  const Row rows[] = {{0.005, {8, 12}, {8, 12}, {8, 12}},    {0.01, {8, 12}, {8, 12}, {8, 12}},
                      {0.02, {20, 31}, {8, 12}, {8, 12}},    {0.03, {40, 61}, {10, 15}, {8, 12}},
                      {0.05, {103, 158}, {20, 31}, {8, 13}}, {0.10, {401, 612}, {69, 106}, {21, 33}}};
  for (const Row& row : rows) {
    for (int a = 0; a < 2; ++a) {
      const double alpha = a == 0 ? 0.01 : 0.0005;
      const std::size_t floor = a == 0 ? 8 : 12;
      const auto needed = [&](double effect) {
        return std::max(floor, *pairs_needed(row.sd, std::log1p(effect), alpha));
      };
      EXPECT_EQ(needed(0.02), row.at_2_percent[a]) << row.sd;
      EXPECT_EQ(needed(0.05), row.at_5_percent[a]) << row.sd;
      EXPECT_EQ(needed(0.10), row.at_10_percent[a]) << row.sd;
    }
  }
}

TEST(PairsNeeded, EdgeTable) {
  EXPECT_EQ(pairs_needed(0, 0.05, 0.01), 8u) << "without noise only the test's own limit counts";
  EXPECT_FALSE(pairs_needed(0.01, 0, 0.01));
  EXPECT_FALSE(pairs_needed(-1, 0.1, 0.01));
  EXPECT_FALSE(pairs_needed(infinity, 0.1, 0.01));
  EXPECT_FALSE(pairs_needed(0.01, not_a_number, 0.01));
  EXPECT_FALSE(pairs_needed(0.01, 0.1, 0));
  EXPECT_FALSE(pairs_needed(0.01, 0.1, 0.01, 1));
  EXPECT_FALSE(pairs_needed(10, 0.001, 0.01)) << "more than 100,000";
  EXPECT_EQ(pairs_needed(0.02, -0.05, 0.01), pairs_needed(0.02, 0.05, 0.01));
}

}  // namespace
}  // namespace torchgate::stats
