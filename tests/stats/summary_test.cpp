// SPDX-License-Identifier: Apache-2.0
#include "stats/summary.hpp"

#include <algorithm>
#include <random>
#include <string>

#include "stats/moments.hpp"
#include "tests/stats/nist_data.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(Summary, AgreesWithTheCertifiedValuesOfNist) {
  int sets = 0;
  for (const auto& set : read_json("nist/index.json")) {
    if (set.at("kind") != "univariate") continue;
    const std::string name = set.at("file");
    SCOPED_TRACE(name);
    const Numbers values = read_nist(name).at(0);
    const auto summary = summarize(values);
    ASSERT_TRUE(summary && summary->sd && summary->lag1);
    EXPECT_EQ(summary->n, set.at("n").get<std::size_t>());
    // NumAcc3 has seven equal leading digits: what a double can hold of its deviations is what limits sd and lag1.
    const bool stiff = name == "NumAcc3.csv";
    EXPECT_GE(correct_digits(summary->mean, certified(set, "mean")), 15);
    EXPECT_GE(correct_digits(*summary->sd, certified(set, "sd")), stiff ? 9 : 13);
    EXPECT_GE(correct_digits(*summary->lag1, certified(set, "lag1")), stiff ? 11 : 13);
    ++sets;
  }
  EXPECT_EQ(sets, 6);
}

TEST(Summary, KeepsEightDigitsOnNumAcc4) {
  const auto summary = summarize(num_acc_4());
  ASSERT_TRUE(summary && summary->sd && summary->lag1);
  EXPECT_GE(correct_digits(summary->mean, 10000000.2), 15);
  EXPECT_GE(correct_digits(*summary->sd, 0.1), 8);
  EXPECT_GE(correct_digits(*summary->lag1, -0.999), 10);
}

TEST(Summary, OfOneToFive) {
  const auto s = summarize(Numbers{5, 3, 1, 4, 2});
  ASSERT_TRUE(s);
  EXPECT_EQ(s->n, 5u);
  EXPECT_DOUBLE_EQ(s->mean, 3);
  EXPECT_DOUBLE_EQ(*s->sd, std::sqrt(2.5));
  EXPECT_DOUBLE_EQ(s->min, 1);
  EXPECT_DOUBLE_EQ(s->p25, 2);
  EXPECT_DOUBLE_EQ(s->median, 3);
  EXPECT_DOUBLE_EQ(s->p75, 4);
  EXPECT_DOUBLE_EQ(s->p95, 4.8);   // h = 4 * 0.95 = 3.8
  EXPECT_DOUBLE_EQ(s->p99, 4.96);  // h = 3.96
  EXPECT_DOUBLE_EQ(s->max, 5);
  EXPECT_DOUBLE_EQ(s->mad, 1);  // deviations 0 1 1 2 2
  // deviations 2 0 -2 1 -1: products 0 + 0 - 2 - 1 = -3 over 10
  EXPECT_DOUBLE_EQ(*s->lag1, -0.3);
}

TEST(Summary, EdgeTable) {
  EXPECT_FALSE(summarize({}));
  EXPECT_FALSE(summarize(Numbers{1, not_a_number}));
  EXPECT_FALSE(summarize(Numbers{1, infinity}));
  EXPECT_FALSE(summarize(Numbers{1e308, 1e308})) << "the sum does not fit a double";
  EXPECT_FALSE(summarize(Numbers{-1e200, 1e200})) << "the variance does not fit a double";

  const auto one = summarize(Numbers{7});
  ASSERT_TRUE(one);
  EXPECT_EQ(one->mean, 7);
  EXPECT_EQ(one->p99, 7);
  EXPECT_EQ(one->mad, 0);
  EXPECT_FALSE(one->sd);
  EXPECT_FALSE(one->lag1);

  const auto two = summarize(Numbers{1, 3});
  ASSERT_TRUE(two && two->sd && two->lag1);
  EXPECT_DOUBLE_EQ(*two->sd, std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(*two->lag1, -0.5);

  const auto equal = summarize(Numbers(9, 0.1));
  ASSERT_TRUE(equal && equal->sd);
  EXPECT_EQ(*equal->sd, 0);
  EXPECT_FALSE(equal->lag1);

  const double next = std::nextafter(1.0, 2.0);
  const auto one_ulp = summarize(Numbers{1.0, next, 1.0, next});
  ASSERT_TRUE(one_ulp && one_ulp->sd);
  EXPECT_GT(*one_ulp->sd, 0);
  EXPECT_LT(*one_ulp->sd, 1e-15);
}

TEST(Moments, DoNotDependOnTheOrderOfTheValues) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> time(10, 2);
  Numbers values(999);
  for (double& value : values) value = time(random);
  const Moments first = *moments(values);
  for (int shuffle = 0; shuffle < 50; ++shuffle) {
    std::shuffle(values.begin(), values.end(), random);
    const Moments again = *moments(values);
    EXPECT_EQ(again.mean, first.mean);
    EXPECT_EQ(again.sum_of_squares, first.sum_of_squares);
  }
}

TEST(Moments, VarianceNeedsTwoValues) {
  EXPECT_FALSE(moments(Numbers{3})->variance());
  EXPECT_DOUBLE_EQ(*moments(Numbers{3, 5})->variance(), 2);
}

}  // namespace
}  // namespace torchgate::stats
