// SPDX-License-Identifier: Apache-2.0
#include "stats/student_t.hpp"

#include <numbers>

#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(StudentT, AgreesWithClosedForms) {
  for (double t : {-30.0, -3.0, -0.5, 0.0, 0.7, 2.0, 40.0, 1e6}) {
    SCOPED_TRACE(t);
    // df = 1 is Cauchy, written so that the tail keeps its digits; df = 2: 1 - F = 1 / (r (r + t)), r = sqrt(t^2 + 2).
    const double cauchy = t > 0 ? std::atan(1 / t) / std::numbers::pi : 0.5 - std::atan(t) / std::numbers::pi;
    EXPECT_TRUE(is_close(student_t_upper_tail(t, 1), cauchy, 1e-13));
    const double r = std::sqrt(t * t + 2);
    EXPECT_TRUE(is_close(student_t_upper_tail(t, 2), t >= 0 ? 1 / (r * (r + t)) : 1 - 1 / (r * (r - t)), 1e-13));
    EXPECT_TRUE(is_close(student_t_upper_tail(t, infinity), 0.5 * std::erfc(t / std::sqrt(2)), 1e-12));
  }
}

TEST(StudentT, CriticalValuesAreInverses) {
  // df = 7: A(t) = 2/pi (x + sin x cos x (1 + 2/3 cos^2 x + 8/15 cos^4 x)), x = atan(t/sqrt 7), [abramowitz-stegun-1964]
  const double t = student_t_critical(0.025, 7);
  const double x = std::atan(t / std::sqrt(7.0));
  const double c = std::cos(x) * std::cos(x);
  const double inside = 2 / std::numbers::pi * (x + std::sin(x) * std::cos(x) * (1 + 2.0 / 3 * c + 8.0 / 15 * c * c));
  EXPECT_TRUE(is_close(inside, 0.95, 1e-13));
  for (double df : {0.3, 1.0, 2.5, 7.0, 51.452, 1e6, infinity}) {
    for (double tail : {0.4, 0.05, 0.025, 1e-4, 1e-9}) {
      EXPECT_TRUE(is_close(student_t_upper_tail(student_t_critical(tail, df), df), tail, 1e-11)) << df << " " << tail;
      EXPECT_NEAR(student_t_critical(1 - tail, df), -student_t_critical(tail, df), 1e-6 * student_t_critical(tail, df));
    }
  }
  EXPECT_NEAR(student_t_critical(0.025, infinity), 1.959963984540054, 1e-12);
}

TEST(StudentT, TailsFarBelowRounding) {
  // scipy 1.17.1: stats.t.sf(40, 35.7) and stats.t.sf(1000, 60); 1 - cdf would be 0.
  EXPECT_TRUE(is_close(student_t_upper_tail(40, 35.7), 1.5017155373213337e-31, 1e-10));
  EXPECT_TRUE(is_close(student_t_two_sided_p(-1000, 60), 2 * 1.1318617328387789e-128, 1e-10));
}

TEST(StudentT, EdgeTable) {
  EXPECT_EQ(student_t_upper_tail(infinity, 5), 0);
  EXPECT_EQ(student_t_upper_tail(-infinity, 5), 1);
  EXPECT_EQ(student_t_two_sided_p(0, 5), 1);
  EXPECT_EQ(student_t_two_sided_p(-infinity, infinity), 0);
  EXPECT_EQ(student_t_critical(0, 5), infinity);
  EXPECT_EQ(student_t_critical(1, 5), -infinity);
  EXPECT_EQ(student_t_critical(0.5, 5), 0);
  EXPECT_TRUE(std::isnan(student_t_upper_tail(not_a_number, 5)));
  EXPECT_TRUE(std::isnan(student_t_upper_tail(1, 0)));
  EXPECT_TRUE(std::isnan(student_t_upper_tail(1, -2)));
  EXPECT_TRUE(std::isnan(student_t_upper_tail(1, not_a_number)));
  EXPECT_TRUE(std::isnan(student_t_critical(not_a_number, 5)));
  EXPECT_TRUE(std::isnan(student_t_critical(2, 5)));
}

}  // namespace
}  // namespace torchgate::stats
