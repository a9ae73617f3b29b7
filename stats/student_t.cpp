// SPDX-License-Identifier: Apache-2.0
#include "stats/student_t.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "stats/boost_policy.hpp"

namespace torchgate::stats {
namespace {

using StudentT = boost::math::students_t_distribution<double, NoThrow>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

double student_t_upper_tail(double t, double df) {
  if (std::isnan(t) || !(df > 0.0)) return nan;
  if (std::isinf(t)) return t > 0.0 ? 0.0 : 1.0;
  return boost::math::cdf(boost::math::complement(StudentT(df), t));
}

double student_t_two_sided_p(double t, double df) {
  return 2.0 * student_t_upper_tail(std::abs(t), df);
}

double student_t_critical(double upper_tail, double df) {
  if (!(upper_tail >= 0.0 && upper_tail <= 1.0) || !(df > 0.0)) return nan;
  if (upper_tail == 0.0) return infinity;
  if (upper_tail == 1.0) return -infinity;
  return boost::math::quantile(boost::math::complement(StudentT(df), upper_tail));
}

}  // namespace torchgate::stats
