// SPDX-License-Identifier: Apache-2.0
#include "stats/outliers.hpp"

#include <algorithm>
#include <random>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(Outliers, AreThoseOfTheDefinition) {
  for (const auto& row : read_json("noise.json", "series"))
    EXPECT_EQ(outlier_count(row.at("values").get<Numbers>()), row.at("outliers").get<std::size_t>());
}

// Leys 2013, section 2: {1, 3, 3, 6, 8, 10, 10, 1000} has the median 7 and, from the deviations {6, 4, 4, 1, 1, 3, 3, 993}, the
// MAD 3.5 * 1.4826 = 5.1891; 1000 is the outlier. Two more ordinary values make it the required number.
TEST(Outliers, TheExampleOfLeys) {
  EXPECT_EQ(outlier_count(Numbers{1, 3, 3, 6, 7, 7, 8, 10, 10, 1000}), 1u);
}

TEST(Outliers, OnBothSidesAndAtTheCut) {
  // Median 0; deviations 0, 1, 1, 2, 2, 3, 3, 4, 4, x, x: MAD 3 while x > 3; the cut is 3.5 * 1.4826 * 3 = 15.57.
  const auto with = [](double x) { return Numbers{0, 1, -1, 2, -2, 3, -3, 4, -4, x, -x}; };
  EXPECT_EQ(outlier_count(with(15.5)), 0u);
  EXPECT_EQ(outlier_count(with(15.6)), 2u);
  EXPECT_EQ(outlier_count(with(15.5), 3.0), 2u);
}

TEST(Outliers, AreCountedOnSortedValuesOfEitherParity) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (std::size_t n = 10; n < 60; ++n) {
    Numbers values(n);
    for (double& value : values) value = std::pow(normal(random), 3);
    Numbers sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const double middle = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    Numbers far(n);
    std::transform(values.begin(), values.end(), far.begin(), [&](double v) { return std::abs(v - middle); });
    std::sort(far.begin(), far.end());
    const double mad = (far[(n - 1) / 2] + far[n / 2]) / 2;
    const auto beyond =
        std::count_if(far.begin(), far.end(), [&](double d) { return d > 3.5 * 1.482602218505602 * mad; });
    EXPECT_EQ(outlier_count(values), static_cast<std::size_t>(beyond)) << n;
    EXPECT_EQ(outlier_count_of_sorted(sorted), static_cast<std::size_t>(beyond)) << n;
  }
}

TEST(Outliers, EdgeTable) {
  EXPECT_FALSE(outlier_count({}));
  EXPECT_FALSE(outlier_count(Numbers{1, 2, 3, 4, 5, 6, 7, 8, 900}));
  EXPECT_FALSE(outlier_count(Numbers(40, 1.5)));
  Numbers mostly_equal(40, 1.5);
  std::fill_n(mostly_equal.begin(), 19, 2.5);
  EXPECT_FALSE(outlier_count(mostly_equal)) << "21 of 40 are equal: the scale is 0";
  mostly_equal[25] = infinity;
  EXPECT_FALSE(outlier_count(mostly_equal));
}

}  // namespace
}  // namespace torchgate::stats
