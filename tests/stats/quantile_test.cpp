// SPDX-License-Identifier: Apache-2.0
#include "stats/quantile.hpp"

#include <tuple>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(Quantile, AgreesWithNumPy) {
  for (const auto& row : read_json("vectors.json", "two_sample")) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    const Numbers a = row.at("a");
    EXPECT_TRUE(is_close(*quantile(a, 0.50), row.at("p50_a"), 1e-14));
    EXPECT_TRUE(is_close(*quantile(a, 0.95), row.at("p95_a"), 1e-14));
    EXPECT_TRUE(is_close(*quantile(a, 0.99), row.at("p99_a"), 1e-14));
  }
}

TEST(Quantile, EdgeTable) {
  EXPECT_FALSE(quantile({}, 0.5));
  EXPECT_FALSE(quantile(Numbers{1, not_a_number}, 0.5));
  EXPECT_FALSE(quantile(Numbers{1, 2}, -0.1));
  EXPECT_FALSE(quantile(Numbers{1, 2}, 1.1));
  EXPECT_FALSE(quantile(Numbers{1, 2}, not_a_number));
  EXPECT_EQ(*quantile(Numbers{4}, 0.99), 4);
  EXPECT_EQ(*quantile(Numbers{2, 1}, 0), 1);
  EXPECT_EQ(*quantile(Numbers{2, 1}, 1), 2);
  EXPECT_EQ(*quantile(Numbers{2, 1}, 0.5), 1.5);
  EXPECT_EQ(*quantile(Numbers(7, 0.1), 0.95), 0.1) << "equal values: no rounding between them";
  EXPECT_EQ(*quantile(Numbers{-1.5e308, 1.5e308}, 0.5), 0) << "the difference of the neighbours does not fit a double";
  EXPECT_EQ(*median(Numbers{3, 1, 2}), 2);
}

TEST(QuantileInterval, FortyReferenceOrders) {
  int checked = 0;
  for (const auto& row : read_json("vectors.json", "quantile_ci")) {
    SCOPED_TRACE(row.dump());
    const QuantileOrders orders = quantile_interval_orders(row.at("n"), row.at("q"), row.at("conf"));
    EXPECT_EQ(orders.low.has_value(), !row.at("lo_order").is_null());
    EXPECT_EQ(orders.high.has_value(), !row.at("hi_order").is_null());
    if (orders.low) {
      EXPECT_EQ(*orders.low, row.at("lo_order").get<std::size_t>());
    }
    if (orders.high) {
      EXPECT_EQ(*orders.high, row.at("hi_order").get<std::size_t>());
    }
    EXPECT_TRUE(is_close(*orders.coverage, row.at("coverage"), 1e-10));
    ++checked;
  }
  EXPECT_EQ(checked, 40);
}

TEST(QuantileInterval, WithoutSamplesOrWithoutASenseHasNone) {
  for (const auto& [n, q, level] : {std::tuple(0U, 0.5, 0.95), std::tuple(100U, 0.0, 0.95), std::tuple(100U, 1.0, 0.95),
                                    std::tuple(100U, 0.5, 0.0), std::tuple(100U, 0.5, 1.0)}) {
    const QuantileOrders orders = quantile_interval_orders(n, q, level);
    EXPECT_FALSE(orders.low || orders.high || orders.coverage) << n << " " << q << " " << level;
  }
}

TEST(QuantileInterval, SmallestSamples) {
  EXPECT_EQ(quantile_interval_min_n(0.50), 6u);   // 2 * 0.5^6 = 0.031, 2 * 0.5^5 = 0.0625
  EXPECT_EQ(quantile_interval_min_n(0.95), 72u);  // 0.95^72 = 0.0249
  EXPECT_EQ(quantile_interval_min_n(0.99), 368u);
  EXPECT_EQ(quantile_interval_min_n(0.05), 72u);
  for (double q : {0.05, 0.5, 0.95, 0.99}) {
    for (double level : {0.8, 0.95, 0.999}) {
      const std::size_t n = *quantile_interval_min_n(q, level);
      Numbers sorted(n);
      for (std::size_t i = 0; i < n; ++i) sorted[i] = static_cast<double>(i);
      EXPECT_TRUE(quantile_interval(sorted, q, level)) << q << " " << level;
      sorted.pop_back();
      EXPECT_FALSE(quantile_interval(sorted, q, level)) << q << " " << level;
    }
  }
}

TEST(QuantileInterval, ReadsTheValuesAtTheOrders) {
  Numbers sorted(100);
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = static_cast<double>(i + 1) * 10;
  const auto interval = quantile_interval(sorted, 0.95, 0.95);
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 900);
  EXPECT_EQ(interval->high, 1000);
  EXPECT_NEAR(interval->level, 0.98260706, 1e-8);
}

TEST(QuantileInterval, EdgeTable) {
  EXPECT_FALSE(quantile_interval_orders(0, 0.5).coverage);
  EXPECT_FALSE(quantile_interval_orders(1, 0.5).coverage);
  EXPECT_FALSE(quantile_interval_orders(10, 0.0).low);
  EXPECT_FALSE(quantile_interval_orders(10, 1.0).high);
  EXPECT_FALSE(quantile_interval_orders(10, 0.5, 1.0).low);
  EXPECT_FALSE(quantile_interval_orders(10, not_a_number).low);
  EXPECT_FALSE(quantile_interval({}, 0.5));
  EXPECT_FALSE(quantile_interval_min_n(1.0));
  EXPECT_FALSE(quantile_interval_min_n(0.5, 0.0));
  EXPECT_TRUE(quantile_interval_orders(1'000'000, 0.99).high);
}

}  // namespace
}  // namespace torchgate::stats
