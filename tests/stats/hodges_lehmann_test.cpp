// SPDX-License-Identifier: Apache-2.0
#include "stats/hodges_lehmann.hpp"

#include <algorithm>
#include <random>

#include "stats/pairwise.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

// R's estimates of 10v10_skew and the like are exact medians; the held-back cases of the same file come from a root finder.
TEST(HodgesLehmann, AgreesWithR) {
  for (const auto& row : read_json("vectors.json", "two_sample")) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    const Numbers a = row.at("a");
    const Numbers b = row.at("b");
    Numbers differences;
    for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(b[i] - a[i]);
    EXPECT_TRUE(is_close(*hodges_lehmann(differences), row.at("R").at("signed_rank_V_p_hl_ci95").at(2), 1e-10));
  }
}

double middle_of(Numbers all) {
  std::sort(all.begin(), all.end());
  return all[(all.size() - 1) / 2] / 2 + all[all.size() / 2] / 2;
}

TEST(HodgesLehmann, IsTheMedianOfADoubleLoop) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (std::size_t n : {1u, 2u, 3u, 4u, 5u, 16u, 49u, 63u, 64u, 90u}) {
    Numbers x(n);
    for (double& value : x) value = normal(random);
    Numbers averages;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i; j < n; ++j) averages.push_back(x[i] / 2 + x[j] / 2);
    }
    EXPECT_EQ(*hodges_lehmann(x), middle_of(averages)) << n;
  }
}

// Stored and counted lists must agree in every position, whatever ties, signs and scales the values have.
TEST(Pairwise, CountingGivesTheStoredOrder) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  const auto coarse = [&] { return static_cast<double>(static_cast<int>(random() % 7)) - 3; };
  const auto wild = [&] { return normal(random) * std::pow(10.0, static_cast<double>(random() % 40) - 20); };
  for (int trial = 0; trial < 60; ++trial) {
    Numbers x(1 + random() % 14);
    for (double& value : x) value = trial % 2 == 0 ? coarse() : wild();
    WalshAverages stored(x);
    WalshAverages counted(x, 0);
    for (std::size_t k = 1; k <= stored.size(); ++k) ASSERT_EQ(stored.order_statistic(k), counted.order_statistic(k));
  }
}

TEST(HodgesLehmann, EdgeTable) {
  EXPECT_FALSE(hodges_lehmann({}));
  EXPECT_FALSE(hodges_lehmann(Numbers{1, not_a_number}));
  EXPECT_FALSE(hodges_lehmann(Numbers{infinity}));
  EXPECT_EQ(*hodges_lehmann(Numbers{3}), 3);
  EXPECT_EQ(*hodges_lehmann(Numbers{1, 2}), 1.5);
  EXPECT_EQ(*hodges_lehmann(Numbers(100, 0.3)), 0.3);
  EXPECT_EQ(*hodges_lehmann(Numbers{1.5e308, 1.7e308}), 1.6e308) << "the sum of the two does not fit a double";
}

TEST(HodgesLehmann, AMillionValues) {
  Numbers values(1'000'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  EXPECT_EQ(*hodges_lehmann(values), 499'999.5);
}

}  // namespace
}  // namespace torchgate::stats
