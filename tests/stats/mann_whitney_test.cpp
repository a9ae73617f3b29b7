// SPDX-License-Identifier: Apache-2.0
#include "stats/mann_whitney.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

double pairs_won(const Numbers& before, const Numbers& after) {
  double u = 0;
  for (double a : after) {
    for (double b : before) u += a > b ? 1.0 : a == b ? 0.5 : 0.0;
  }
  return u;
}

// The definition: deal the pooled values in all ways into two hands of these sizes.
double brute_force_p(const Numbers& before, const Numbers& after) {
  Numbers pooled = before;
  pooled.insert(pooled.end(), after.begin(), after.end());
  const double observed = pairs_won(before, after);
  double at_most = 0;
  double at_least = 0;
  double all = 0;
  for (std::uint32_t deal = 0; deal < (1u << pooled.size()); ++deal) {
    if (static_cast<std::size_t>(std::popcount(deal)) != after.size()) continue;
    Numbers x;
    Numbers y;
    for (std::size_t i = 0; i < pooled.size(); ++i) ((deal >> i & 1) != 0 ? y : x).push_back(pooled[i]);
    const double u = pairs_won(x, y);
    at_most += u <= observed;
    at_least += u >= observed;
    ++all;
  }
  return std::min(1.0, 2 * std::min(at_most, at_least) / all);
}

TEST(MannWhitney, IsTheCountOverAllDeals) {
  std::mt19937_64 random(9);
  for (int trial = 0; trial < 60; ++trial) {
    Numbers a(1 + random() % 6);
    Numbers b(1 + random() % 6);
    const std::uint64_t different = trial % 2 == 0 ? 5 : 1'000'000'000;  // with and without ties
    for (double& x : a) x = static_cast<double>(random() % different);
    for (double& x : b) x = static_cast<double>(random() % different);
    const auto result = mann_whitney(a, b);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->u, pairs_won(a, b));
    EXPECT_NEAR(result->p, brute_force_p(a, b), 1e-14);
  }
}

TEST(MannWhitney, AgreesWithRAndSciPy) {
  for (const auto& row : read_json("vectors.json", "two_sample")) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    const Numbers a = row.at("a");
    const Numbers b = row.at("b");
    const auto exact = mann_whitney(a, b);
    ASSERT_TRUE(exact && exact->exact);
    EXPECT_EQ(exact->u, row.at("U_b").get<double>());
    EXPECT_TRUE(is_close(exact->p, row.at("mwu_exact_p"), 1e-10));
    EXPECT_TRUE(is_close(exact->p, row.at("R").at("wilcox_W_p").at(1), 1e-10));
    const auto normal = mann_whitney(a, b, {.exact_per_side = 0, .exact_with_ties = 0});
    EXPECT_FALSE(normal->exact);
    EXPECT_TRUE(is_close(normal->p, row.at("mwu_asymptotic_p"), 1e-10));
  }
}

// Exact p of aclements/go-moremath, stats/utest_test.go (fields x1, x2, U, p of "differs"); the last two have ties.
TEST(MannWhitney, AgreesWithGo) {
  struct Row {
    Numbers x1, x2;
    double u, p;
  };
  for (const Row& row : {Row{{2, 1, 3, 5}, {12, 11, 13, 15}, 0, 0.028571428571428577},
                         Row{{2, 1, 3, 5}, {0, 4, 6, 7}, 5, 0.48571428571428577}, Row{{2, 1, 3, 5}, {2, 1, 3, 5}, 8, 1},
                         Row{{2, 1, 3, 5}, {2, 2, 2, 2}, 10, 0.7142857142857143}}) {
    const auto result = mann_whitney(row.x2, row.x1);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->u, row.u);
    EXPECT_TRUE(is_close(result->p, row.p, 1e-12));
  }
}

// The distribution by the recursion of [mann-whitney-1947], f(n1, n2, u) = f(n1-1, n2, u-n2) + f(n1, n2-1, u): sums of
// positive numbers only, so every digit of it is good.
TEST(MannWhitney, FiftyAgainstFiftyKeepsItsDigits) {
  constexpr std::size_t n = 50;
  std::vector<std::vector<Numbers>> f(n + 1, std::vector<Numbers>(n + 1));
  for (std::size_t i = 0; i <= n; ++i) {
    for (std::size_t j = 0; j <= n; ++j) {
      f[i][j].assign(i * j + 1, 0);
      for (std::size_t u = 0; u <= i * j; ++u) {
        if (i == 0 || j == 0) {
          f[i][j][u] = 1;
        } else {
          if (u >= j) f[i][j][u] += f[i - 1][j][u - j];
          if (u < f[i][j - 1].size()) f[i][j][u] += f[i][j - 1][u];
        }
      }
    }
  }
  for (std::size_t shift : {0u, 5u, 17u, 30u, 49u, 50u}) {
    Numbers before;
    Numbers after;
    for (std::size_t i = 0; i < n; ++i) before.push_back(static_cast<double>(2 * i));
    for (std::size_t i = 0; i < n; ++i) after.push_back(static_cast<double>(2 * (i + shift) + 1));
    const auto result = mann_whitney(before, after);
    ASSERT_TRUE(result && result->exact);
    const auto u = static_cast<std::size_t>(std::min(result->u, static_cast<double>(n * n) - result->u));
    double at_most = 0;
    double all = 0;
    for (std::size_t k = 0; k <= n * n; ++k) {
      all += f[n][n][k];
      if (k <= u) at_most += f[n][n][k];
    }
    EXPECT_TRUE(is_close(result->p, std::min(1.0, 2 * at_most / all), 1e-10)) << shift;
  }
}

TEST(MannWhitney, EdgeTable) {
  const Numbers fine{1, 2, 3};
  for (const Numbers& bad : {Numbers{}, Numbers{not_a_number}, Numbers{infinity}}) {
    EXPECT_FALSE(mann_whitney(bad, fine));
    EXPECT_FALSE(mann_whitney(fine, bad));
  }
  EXPECT_EQ(mann_whitney(Numbers(5, 1.0), Numbers(5, 1.0))->p, 1);
  EXPECT_EQ(mann_whitney(Numbers(40, 1.0), Numbers(40, 1.0))->p, 1) << "all tied and too many for the exact test";
  EXPECT_EQ(mann_whitney(Numbers{1}, Numbers{2})->p, 1);
  // The kept distribution belongs to these sizes and no others.
  const double first = mann_whitney(Numbers{1, 3, 5, 7}, Numbers{8, 9, 10})->p;
  mann_whitney(Numbers{1, 3, 5}, Numbers{8, 9, 10, 11, 12});
  EXPECT_EQ(mann_whitney(Numbers{1, 3, 5, 7}, Numbers{8, 9, 10})->p, first);
}

}  // namespace
}  // namespace torchgate::stats
