// SPDX-License-Identifier: Apache-2.0
#include "stats/signed_rank.hpp"

#include <algorithm>
#include <random>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

// The definition: rank the magnitudes that are not zero (ties share the mean), try all 2^n signs, count how many rank sums
// are at least as far out on the side where this one is.
double brute_force_p(const Numbers& values) {
  Numbers sizes;
  std::vector<bool> positive;
  for (double value : values) {
    if (value == 0) continue;
    sizes.push_back(std::abs(value));
    positive.push_back(value > 0);
  }
  const std::size_t n = sizes.size();
  Numbers ranks(n);
  double observed = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double smaller = 0;
    double equal = 0;
    for (double other : sizes) {
      smaller += other < sizes[i];
      equal += other == sizes[i];
    }
    ranks[i] = smaller + (equal + 1) / 2;
    if (positive[i]) observed += ranks[i];
  }
  double at_most = 0;
  double at_least = 0;
  for (std::uint32_t signs = 0; signs < (1u << n); ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += (signs >> i & 1) != 0 ? ranks[i] : 0;
    at_most += sum <= observed;
    at_least += sum >= observed;
  }
  return std::min(1.0, 2 * std::min(at_most, at_least) / static_cast<double>(1u << n));
}

TEST(SignedRank, IsTheCountOverAllSigns) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0.4, 1);
  for (std::size_t n = 1; n <= 12; ++n) {
    for (int trial = 0; trial < 12; ++trial) {
      Numbers smooth(n);
      Numbers tied(n);  // -4 ... 4: ties and zeros
      for (double& value : smooth) value = normal(random);
      for (double& value : tied) value = static_cast<double>(random() % 9) - 4;
      for (const Numbers& values : {smooth, tied}) {
        const auto result = signed_rank(values);
        ASSERT_TRUE(result);
        EXPECT_TRUE(result->exact);
        EXPECT_EQ(result->p, brute_force_p(values));
        EXPECT_EQ(result->n + result->zeros, n);
      }
    }
  }
}

TEST(SignedRank, AgreesWithRAndSciPy) {
  for (const auto& row : read_json("vectors.json", "two_sample")) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    Numbers differences = row.at("b").get<Numbers>();
    const Numbers a = row.at("a");
    for (std::size_t i = 0; i < a.size(); ++i) differences[i] -= a[i];
    const auto result = signed_rank(differences);
    const auto interval = signed_rank_interval(differences);
    ASSERT_TRUE(result);
    const auto& r = row.at("R").at("signed_rank_V_p_hl_ci95");
    EXPECT_EQ(result->positive_rank_sum, r.at(0).get<double>());
    EXPECT_TRUE(is_close(result->p, r.at(1), 1e-10));
    EXPECT_TRUE(is_close(result->p, row.at("signed_rank_exact_p"), 1e-10));
    // n = 5 cannot reach 95 %: R warns and gives its widest interval instead, of 93.75 %.
    const auto widest = signed_rank_interval(differences, 0.9);
    const auto& comparable = a.size() == 5 ? widest : interval;
    EXPECT_EQ(interval.has_value(), a.size() > 5);
    ASSERT_TRUE(comparable);
    EXPECT_TRUE(is_close(comparable->low, r.at(3), 1e-10));
    EXPECT_TRUE(is_close(comparable->high, r.at(4), 1e-10));
  }
}

TEST(SignedRank, SmallestP) {
  EXPECT_EQ(signed_rank_smallest_p(0), 1);
  EXPECT_EQ(signed_rank_smallest_p(1), 1);
  EXPECT_EQ(signed_rank_smallest_p(8), 1.0 / 128);
  EXPECT_LT(signed_rank_smallest_p(8), 0.01);
  EXPECT_GT(signed_rank_smallest_p(7), 0.01);
  EXPECT_EQ(signed_rank_smallest_p(5000), 0);
  Numbers rising(16);
  for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = static_cast<double>(i + 1);
  EXPECT_EQ(signed_rank(rising)->p, signed_rank_smallest_p(16));
  EXPECT_EQ(signed_rank(Numbers(16, 0.5))->p, signed_rank_smallest_p(16)) << "all tied";
}

// Large sums in exact integers: the number of subsets of {1..n} with sum <= c, by 64-bit counting.
TEST(SignedRank, FiftyValuesAreExact) {
  constexpr std::size_t n = 50;
  std::vector<std::uint64_t> ways(n * (n + 1) / 2 + 1, 0);
  ways[0] = 1;
  for (std::size_t k = 1; k <= n; ++k) {
    for (std::size_t s = ways.size() - 1; s >= k; --s) ways[s] += ways[s - k];
  }
  Numbers values(n);
  for (std::size_t negatives : {0u, 3u, 10u, 25u}) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = static_cast<double>(i + 1) * (i < negatives ? -1 : 1);
      if (i < negatives) sum += i + 1;
    }
    std::uint64_t count = 0;
    for (std::size_t s = 0; s <= sum; ++s) count += ways[s];
    const auto result = signed_rank(values);
    EXPECT_TRUE(result->exact);
    EXPECT_EQ(result->p, std::ldexp(static_cast<double>(count), -49));
  }
}

TEST(SignedRank, NormalAboveFifty) {
  // scipy 1.17.1: wilcoxon(x, method='asymptotic', correction=True), x_i = i - 20 for i = 1..60 (one zero, 19 tied pairs)
  Numbers values;
  for (int i = 1; i <= 60; ++i) values.push_back(i - 20);
  const auto result = signed_rank(values);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->exact);
  EXPECT_EQ(result->n, 59u);
  EXPECT_EQ(result->zeros, 1u);
  EXPECT_TRUE(is_close(result->p, 0.00010448990172283604, 1e-10));
  // The approximation continues the exact test: at n = 51 and 50 the same shape gives p within 2 % of each other.
  const auto shape = [](int n) {
    Numbers x;
    for (int i = 0; i < n; ++i) x.push_back(std::sin(i * 1.7) + 0.35);
    return x;
  };
  const double exact = signed_rank(shape(50))->p;
  const double approximate = signed_rank(shape(51))->p;
  EXPECT_NEAR(exact, approximate, 0.3 * exact);
}

TEST(SignedRankInterval, ExcludesZeroExactlyWhenPIsBelow) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal(0.5, 1);
  int excluded = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Numbers values(6 + random() % 40);
    for (double& value : values) value = normal(random);
    const auto interval = signed_rank_interval(values, 0.95);
    ASSERT_TRUE(interval);
    EXPECT_GE(interval->level, 0.95);
    const bool excludes = interval->low > 0 || interval->high < 0;
    EXPECT_EQ(excludes, signed_rank(values)->p <= 0.05);
    excluded += excludes;
  }
  EXPECT_GT(excluded, 40);
  EXPECT_LT(excluded, 190);
}

TEST(SignedRankInterval, EdgeTable) {
  EXPECT_FALSE(signed_rank_interval({}));
  EXPECT_FALSE(signed_rank_interval(Numbers{1, 2, 3, 4, 5})) << "2/2^5 > 5 %";
  const auto six = signed_rank_interval(Numbers{1, 2, 3, 4, 5, 6});
  ASSERT_TRUE(six);
  EXPECT_EQ(six->low, 1);
  EXPECT_EQ(six->high, 6);
  EXPECT_EQ(six->level, 1 - 2.0 / 64);
  EXPECT_FALSE(signed_rank_interval(Numbers(10, not_a_number)));
  EXPECT_FALSE(signed_rank_interval(Numbers(10, 1.0), 1.0));
  EXPECT_FALSE(signed_rank_interval(Numbers(10, 1.0), not_a_number));
  Numbers sixty(60);
  for (std::size_t i = 0; i < 60; ++i) sixty[i] = static_cast<double>(i);
  const auto large = signed_rank_interval(sixty);
  ASSERT_TRUE(large);
  EXPECT_NEAR(large->low + large->high, 59, 1e-9);
  EXPECT_GE(large->level, 0.95);
  EXPECT_LT(large->level, 0.953);
}

TEST(SignedRank, EdgeTable) {
  EXPECT_FALSE(signed_rank({}));
  EXPECT_FALSE(signed_rank(Numbers{1, not_a_number}));
  EXPECT_FALSE(signed_rank(Numbers{-infinity}));
  const auto zeros = signed_rank(Numbers{0, 0, -0.0});
  ASSERT_TRUE(zeros);
  EXPECT_EQ(zeros->p, 1);
  EXPECT_EQ(zeros->n, 0u);
  EXPECT_EQ(zeros->zeros, 3u);
  EXPECT_EQ(signed_rank(Numbers{2})->p, 1);
  EXPECT_EQ(signed_rank(Numbers{1, -1})->p, 1);
}

}  // namespace
}  // namespace torchgate::stats
