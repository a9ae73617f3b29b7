// SPDX-License-Identifier: Apache-2.0
#include "stats/kolmogorov_smirnov.hpp"

#include <algorithm>
#include <random>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

// D by its definition: the distribution functions at every value.
double slow_distance(const Numbers& a, const Numbers& b) {
  double largest = 0;
  for (const Numbers* side : {&a, &b}) {
    for (double x : *side) {
      const auto share = [&](const Numbers& values) {
        const auto below = std::count_if(values.begin(), values.end(), [&](double v) { return v <= x; });
        return static_cast<double>(below) / static_cast<double>(values.size());
      };
      largest = std::max(largest, std::abs(share(a) - share(b)));
    }
  }
  return largest;
}

// Every way to choose which of n1 + n2 places belong to the first sample.
double brute_force_p(std::size_t n1, std::size_t n2, double distance) {
  std::vector<bool> first(n1 + n2, false);
  std::fill(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(n1), true);
  double all = 0;
  double as_far = 0;
  do {
    Numbers a;
    Numbers b;
    for (std::size_t i = 0; i < first.size(); ++i) (first[i] ? a : b).push_back(static_cast<double>(i));
    as_far += slow_distance(a, b) >= distance - 1e-9 ? 1 : 0;
    all += 1;
  } while (std::prev_permutation(first.begin(), first.end()));
  return as_far / all;
}

TEST(KolmogorovSmirnov, IsTheShareOfAllOrders) {
  std::mt19937_64 random(31);
  std::normal_distribution<double> normal;
  for (const auto& [n1, n2] : {std::pair{1, 1}, {1, 4}, {3, 3}, {4, 6}, {5, 5}, {7, 4}, {6, 6}}) {
    Numbers a(static_cast<std::size_t>(n1));
    Numbers b(static_cast<std::size_t>(n2));
    for (double& x : a) x = normal(random);
    for (double& x : b) x = normal(random) + 0.7;
    const auto got = kolmogorov_smirnov(a, b);
    ASSERT_TRUE(got && got->exact);
    EXPECT_NEAR(got->distance, slow_distance(a, b), 1e-15);
    EXPECT_NEAR(got->p, brute_force_p(a.size(), b.size(), got->distance), 1e-13) << n1 << " v " << n2;
  }
}

TEST(KolmogorovSmirnov, KeepsItsDigitsInTheTail) {
  // Two samples that do not overlap: 2 of the C(2n, n) orders are as far apart.
  for (std::size_t n : {3u, 10u, 60u}) {
    Numbers a(n);
    Numbers b(n);
    double orders = 1;
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = static_cast<double>(i);
      b[i] = static_cast<double>(n + i);
      orders *= static_cast<double>(n + i + 1) / static_cast<double>(i + 1);
    }
    EXPECT_EQ(kolmogorov_smirnov(a, b)->distance, 1);
    EXPECT_TRUE(is_close(kolmogorov_smirnov(a, b)->p, 2 / orders, 1e-12)) << n;
  }
}

TEST(KolmogorovSmirnov, TiesAreOneStep) {
  const auto got = kolmogorov_smirnov(Numbers{1, 1, 2, 3}, Numbers{1, 2, 2, 4});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->distance, 0.25);
  EXPECT_EQ(kolmogorov_smirnov(Numbers{1, 1}, Numbers{1, 1, 1})->distance, 0);
  EXPECT_EQ(kolmogorov_smirnov(Numbers{1, 1}, Numbers{1, 1, 1})->p, 1);
}

TEST(KolmogorovSmirnov, LargeSamplesUseTheLimit) {
  Numbers a(2000);
  Numbers b(1000);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<double>(2 * i) + 100.5;
  const auto got = kolmogorov_smirnov(a, b);
  ASSERT_TRUE(got);
  EXPECT_FALSE(got->exact);
  // z^2 = n1 n2 / (n1 + n2) D^2; the first term of the series is enough here.
  const double z2 = 2000.0 * 1000 / 3000 * got->distance * got->distance;
  EXPECT_TRUE(is_close(got->p, 2 * std::exp(-2 * z2) - 2 * std::exp(-8 * z2), 1e-3));
  EXPECT_EQ(kolmogorov_smirnov(a, a)->p, 1);
}

TEST(KolmogorovSmirnov, EdgeTable) {
  EXPECT_FALSE(kolmogorov_smirnov({}, Numbers{1}));
  EXPECT_FALSE(kolmogorov_smirnov(Numbers{1}, {}));
  EXPECT_FALSE(kolmogorov_smirnov(Numbers{1}, Numbers{not_a_number}));
  EXPECT_FALSE(kolmogorov_smirnov(Numbers{infinity}, Numbers{1}));
}

}  // namespace
}  // namespace torchgate::stats
