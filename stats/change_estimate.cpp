// SPDX-License-Identifier: Apache-2.0
#include "stats/change_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "stats/student_t.hpp"

namespace torchgate::stats {

std::optional<Interval> effect_interval(const ChangeEstimate& change, double level) {
  if (!(level > 0.0 && level < 1.0)) return std::nullopt;
  const double half_width = student_t_critical((1.0 - level) / 2.0, change.df) * change.standard_error;
  return interval_around(change.effect, half_width, level);
}

double smallest_detectable_effect(const ChangeEstimate& change, double alpha, double power) {
  return (student_t_critical(alpha / 2.0, change.df) + student_t_critical(1.0 - power, change.df)) *
         change.standard_error;
}

bool inside_margin(const Interval& effect, double margin) {
  const double limit = std::log1p(margin);
  return effect.high < limit && effect.low > -limit;
}

bool is_equivalent(const ChangeEstimate& change, double margin) {
  const double limit = std::log1p(margin);
  const double p_not_slower = student_t_upper_tail((limit - change.effect) / change.standard_error, change.df);
  const double p_not_faster = student_t_upper_tail((change.effect + limit) / change.standard_error, change.df);
  return p_not_slower < equivalence_alpha && p_not_faster < equivalence_alpha;
}

bool beyond_gate(const ChangeEstimate& change, std::size_t m, double alpha, double gate) {
  const double miss = alpha / (2.0 * static_cast<double>(std::max<std::size_t>(1, m)));
  return change.effect - student_t_critical(miss, change.df) * change.standard_error > std::log1p(gate);
}

}  // namespace torchgate::stats
