// SPDX-License-Identifier: Apache-2.0
#include "stats/moderated_variance.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <limits>

#include "stats/boost_policy.hpp"
#include "stats/moments.hpp"

namespace torchgate::stats {
namespace {

double digamma(double x) {
  return boost::math::digamma(x, NoThrow{});
}
double trigamma(double x) {
  return boost::math::trigamma(x, NoThrow{});
}

}  // namespace

double trigamma_inverse(double x) {
  constexpr int most_steps =
      50;  // five to eight are enough; the start below is on the side from which Newton cannot overshoot
  constexpr double converged = 1e-8;
  double y = 0.5 + 1.0 / x;
  for (int step = 0; step < most_steps; ++step) {
    const double value = trigamma(y);
    const double change = value * (1.0 - value / x) / boost::math::polygamma(2, y, NoThrow{});
    y += change;
    if (-change / y < converged) break;
  }
  return y;
}

ModeratedVariances moderate(std::span<const Variance> cases) {
  // e_b = ln s_b^2 - psi(df/2) + ln(df/2): unbiased for the log variance, with known spread trigamma(df/2).
  std::vector<double> log_variances;
  log_variances.reserve(cases.size());
  CompensatedSum expected_spread;
  double last_df = 0.0;
  double bias = 0.0;
  double spread = 0.0;
  for (const Variance& one : cases) {
    if (one.df != last_df) {  // nearly always the same through a suite
      last_df = one.df;
      bias = digamma(one.df / 2.0) - std::log(one.df / 2.0);
      spread = trigamma(one.df / 2.0);
    }
    log_variances.push_back(std::log(std::max(one.s2, smallest_log_variance)) - bias);
    expected_spread.add(spread);
  }
  const Moments e = *moments(log_variances);
  const double excess = *e.variance() - expected_spread.value() / static_cast<double>(cases.size());

  ModeratedVariances result;
  if (excess > 0.0) {
    const double half_d0 = trigamma_inverse(excess);
    result.prior_df = 2.0 * half_d0;
    result.prior_s2 = std::exp(e.mean + digamma(half_d0) - std::log(half_d0));
  } else {
    result.prior_df = std::numeric_limits<double>::infinity();
    result.prior_s2 = std::exp(e.mean);
  }
  result.cases.reserve(cases.size());
  for (const Variance& one : cases) {
    const double s2 = std::max(one.s2, smallest_log_variance);
    const double pooled = std::isinf(result.prior_df)
                              ? result.prior_s2
                              : (result.prior_df * result.prior_s2 + one.df * s2) / (result.prior_df + one.df);
    result.cases.push_back({pooled, one.df + result.prior_df});
  }
  return result;
}

}  // namespace torchgate::stats
