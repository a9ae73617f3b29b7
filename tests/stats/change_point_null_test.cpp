// SPDX-License-Identifier: Apache-2.0
#include "stats/change_point_null.hpp"

#include <algorithm>
#include <numeric>

#include "stats/student_t.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

NullStatistic statistic_of(const nlohmann::json& row) {
  return row.at("statistic") == "rank_cusum" ? NullStatistic::rank_cusum : NullStatistic::pooled_t;
}

// 28 statistics, 26 places each, the critical draws and their neighbours among them.
TEST(ChangePointNull, TheSideOfAlphaIsThatOfAllDraws) {
  for (const auto& row : read_json("change_points.json", "null")) {
    const auto n = row.at("n").get<std::size_t>();
    for (const auto& point : row.at("points")) {
      const double want = point.at("p").get<double>();
      const auto got = null_p(statistic_of(row), n, point.at("maximum").get<double>());
      ASSERT_TRUE(got);
      for (double alpha : {0.001, 0.01, 0.05}) {
        EXPECT_EQ(*got <= alpha, want <= alpha) << row.at("statistic") << " n " << n << " p " << want << " " << *got;
      }
    }
  }
}

TEST(ChangePointNull, PIsCloseToThatOfAllDraws) {
  double farthest = 0;
  for (const auto& row : read_json("change_points.json", "null")) {
    for (const auto& point : row.at("points")) {
      const double want = point.at("p").get<double>();
      const double got = *null_p(statistic_of(row), row.at("n").get<std::size_t>(), point.at("maximum").get<double>());
      farthest = std::max(farthest, std::abs(std::log(got / want)));
      EXPECT_NEAR(std::log(got / want), 0, 0.12) << row.at("statistic") << " n " << row.at("n") << " p " << want;
      if (row.at("n") == 60 && want <= 0.01) {
        EXPECT_TRUE(is_close(got, want, 1e-12)) << row.at("statistic");
      }
    }
  }
  std::cout << "largest |ln(p / p of all draws)|: " << farthest << '\n';
}

// All orders of n different values are equally likely: the exact distribution, up to what 20,000 draws know of it.
TEST(ChangePointNull, RankCusumAtSmallNIsThatOfAllOrders) {
  for (std::size_t n : {8u, 9u}) {
    std::vector<double> ranks(n);
    std::iota(ranks.begin(), ranks.end(), 1.0);
    Numbers maxima;
    do {
      double sum = 0;
      double largest = 0;
      for (std::size_t k = 1; k + 4 <= n; ++k) {
        sum += ranks[k - 1];
        const auto first = static_cast<double>(k);
        const auto all = static_cast<double>(n);
        const double sd = std::sqrt(first * (all - first) * (all + 1) / 12);
        if (k >= 4) largest = std::max(largest, std::abs(sum - first * (all + 1) / 2) / sd);
      }
      maxima.push_back(largest);
    } while (std::next_permutation(ranks.begin(), ranks.end()));
    std::sort(maxima.begin(), maxima.end());
    for (std::size_t i = 0; i < maxima.size(); i += maxima.size() / 50) {
      const auto reaching = maxima.end() - std::lower_bound(maxima.begin(), maxima.end(), maxima[i] - 1e-9);
      const double want = static_cast<double>(reaching) / static_cast<double>(maxima.size());
      const double error = std::sqrt(want * (1 - want) / 20000);
      EXPECT_NEAR(*null_p(NullStatistic::rank_cusum, n, maxima[i]), want, 4 * error + 1e-4) << n << " " << maxima[i];
    }
  }
}

// Eight values have one split, so that the maximum is Student's t with six degrees of freedom.
TEST(ChangePointNull, PooledTOfEightValuesIsStudents) {
  for (double t : {0.2, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0}) {
    const double want = student_t_two_sided_p(t, 6);
    const double error = std::sqrt(want * (1 - want) / 20000);
    // Between two knots the count is interpolated: a few per cent.
    EXPECT_NEAR(*null_p(NullStatistic::pooled_t, 8, t), want, 4 * error + 0.05 * want + 1e-4) << t;
  }
}

TEST(ChangePointNull, FallsAsTheStatisticGrows) {
  for (const auto statistic : {NullStatistic::rank_cusum, NullStatistic::pooled_t}) {
    for (std::size_t n = null_smallest_n; n <= null_largest_n; ++n) {
      double last = 2;
      for (int step = -10; step < 1500; ++step) {
        const auto p = null_p(statistic, n, 0.01 * step);
        ASSERT_TRUE(p);
        EXPECT_LE(*p, last);
        EXPECT_GE(*p, null_smallest_p);
        last = *p;
      }
      EXPECT_EQ(*null_p(statistic, n, 0), 1) << "every draw is at least 0";
      EXPECT_EQ(*null_p(statistic, n, infinity), null_smallest_p);
    }
  }
}

TEST(ChangePointNull, EdgeTable) {
  EXPECT_FALSE(null_p(NullStatistic::pooled_t, 7, 1));
  EXPECT_FALSE(null_p(NullStatistic::pooled_t, 121, 1));
  EXPECT_FALSE(null_p(NullStatistic::rank_cusum, 60, not_a_number));
  EXPECT_EQ(*null_p(NullStatistic::rank_cusum, 60, -infinity), 1);
}

}  // namespace
}  // namespace torchgate::stats
