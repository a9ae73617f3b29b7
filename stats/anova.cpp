// SPDX-License-Identifier: Apache-2.0
#include "stats/anova.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <limits>

#include "stats/boost_policy.hpp"
#include "stats/moments.hpp"

namespace torchgate::stats {
namespace {

// P(F > f): the regularised incomplete beta function.
double f_upper_tail(double f, double df1, double df2) {
  return boost::math::ibetac(df1 / 2.0, df2 / 2.0, df1 * f / (df1 * f + df2), NoThrow{});
}

}  // namespace

std::optional<Anova> one_way_anova(std::span<const std::vector<double>> groups) {
  if (groups.size() < 2 || groups.front().empty()) return std::nullopt;
  const double origin = groups.front().front();
  std::vector<double> all;
  std::vector<Moments> of_group;
  CompensatedSum within;
  for (const std::vector<double>& group : groups) {
    std::vector<double> moved;
    moved.reserve(group.size());
    for (double value : group) moved.push_back(value - origin);
    const std::optional<Moments> m = moments(moved);
    if (!m) return std::nullopt;
    within.add(m->sum_of_squares);
    of_group.push_back(*m);
    all.insert(all.end(), moved.begin(), moved.end());
  }
  const std::optional<Moments> total = moments(all);
  if (!total || all.size() <= groups.size()) return std::nullopt;
  CompensatedSum between;
  for (const Moments& m : of_group) {
    const double distance = m.mean - total->mean;
    between.add(static_cast<double>(m.n) * distance * distance);
  }
  Anova anova;
  anova.ss_between = between.value();
  anova.ss_within = within.value();
  anova.df_between = static_cast<double>(groups.size() - 1);
  anova.df_within = static_cast<double>(all.size() - groups.size());
  if (anova.ss_within > 0.0) {
    anova.f = anova.ms_between() / anova.ms_within();
    anova.p = f_upper_tail(anova.f, anova.df_between, anova.df_within);
  } else if (anova.ss_between > 0.0) {
    anova.f = std::numeric_limits<double>::infinity();
    anova.p = 0.0;
  }
  return anova;
}

}  // namespace torchgate::stats
