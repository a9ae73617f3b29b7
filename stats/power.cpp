// SPDX-License-Identifier: Apache-2.0
#include "stats/power.hpp"

#include <algorithm>
#include <boost/math/distributions/non_central_t.hpp>
#include <cmath>

#include "stats/boost_policy.hpp"
#include "stats/student_t.hpp"

namespace torchgate::stats {
namespace {

constexpr std::size_t largest_sample = 100'000;

std::optional<double> power_of(double noncentrality, double df, double alpha) {
  if (!(df > 0.0) || !std::isfinite(df) || !std::isfinite(noncentrality)) return std::nullopt;
  if (!(alpha > 0.0 && alpha < 1.0)) return std::nullopt;
  const double critical = student_t_critical(alpha / 2.0, df);
  if (noncentrality == 0.0) return alpha;
  const boost::math::non_central_t_distribution<double, NoThrow> shifted(df, std::abs(noncentrality));
  const double upper = boost::math::cdf(boost::math::complement(shifted, critical));
  const double lower = boost::math::cdf(shifted, -critical);
  const double power = upper + lower;
  if (!std::isfinite(power)) return std::nullopt;
  return std::min(1.0, power);
}

}  // namespace

std::optional<double> power_one_sample(double effect, double n, double alpha) {
  if (!(n >= 2.0)) return std::nullopt;
  return power_of(effect * std::sqrt(n), n - 1.0, alpha);
}

std::optional<std::size_t> sample_size_one_sample(double effect, double alpha, double power) {
  if (!std::isfinite(effect) || effect == 0.0 || !(power > 0.0 && power < 1.0)) return std::nullopt;
  const auto reaches = [&](std::size_t n) {
    const std::optional<double> reached = power_one_sample(effect, static_cast<double>(n), alpha);
    return reached && *reached >= power;
  };
  if (!reaches(largest_sample)) return std::nullopt;
  std::size_t too_few = 1;
  std::size_t enough = largest_sample;
  while (enough - too_few > 1) {
    const std::size_t middle = too_few + (enough - too_few) / 2;
    (reaches(middle) ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace torchgate::stats
