// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/pair_forecasts.hpp"

#include <algorithm>
#include <cmath>

#include "ci/gate/answer.hpp"
#include "stats/interleaved_options.hpp"
#include "stats/moments.hpp"
#include "stats/quantile.hpp"
#include "stats/two_series.hpp"

namespace torchgate::gate {
namespace {

constexpr std::size_t mean_from_pairs = 3;  // fewer say little of where the change lies
constexpr std::size_t sd_from_turns = 6;    // fewer pairs in turns say little of how they vary

std::optional<double> robust_sd(const std::vector<double>& logs) {
  const auto centre = stats::median(logs);
  if (!centre || logs.size() < 2) return std::nullopt;
  std::vector<double> away;
  away.reserve(logs.size());
  for (const double value : logs) away.push_back(std::abs(value - *centre));
  return stats::normal_per_mad * *stats::median(away);
}

}  // namespace

stats::InterleavedOptions forecast_options(const PairPlan& plan, const policy::Gate& policy, bool in_turns) {
  stats::RuleOptions rule = rule_options(policy);
  apply(plan, rule);
  const stats::InterleavedOptions options = stats::interleaved_options(rule);
  return in_turns && stats::asks_both(options) ? stats::half_of_alpha(options) : options;
}

std::optional<double> expected_pair_sd(const PairValues& values, const PairSdEstimate& prior) {
  if (values.took_turns()) return stats::pooled_pair_sd(values.more_precise(), 0, 0);
  return stats::pooled_pair_sd(values.differences, prior.sd, prior.df);
}

PairForecasts::PairForecasts(const stats::InterleavedOptions& of_medians, const stats::InterleavedOptions& of_turns)
    : last_(of_medians.last),
      first_look_of_medians_(std::min(last_, stats::first_pairs_to_alarm(of_medians))),
      first_look_of_turns_(std::min(last_, stats::first_pairs_to_alarm(of_turns))),
      of_medians_(of_medians),
      of_turns_(of_turns) {}

std::size_t PairForecasts::pairs_of_first_look(const PairValues& values) const {
  return values.size() == 0 || values.took_turns() ? first_look_of_turns_ : first_look_of_medians_;
}

std::optional<std::size_t> PairForecasts::more_pairs(const PairValues& values, const PairSdEstimate& prior) const {
  const std::optional<double> sd = expected_pair_sd(values, prior);
  if (!sd || !std::isfinite(*sd)) return 1;  // nothing is known yet: a pair tells
  const stats::PairForecast& forecast = values.took_turns() ? of_turns_ : of_medians_;
  const auto more = forecast.more_pairs(values.size(), mean_for_forecast(values.more_precise()), *sd);
  const bool may_take_turns = values.size() == 0 || values.took_turns();
  if (more || !may_take_turns || values.size() >= std::min(sd_from_turns, last_)) return more;
  return std::min(sd_from_turns, last_) - values.size();
}

bool beyond_all_pairs(const record::Case& definition, const CaseEvidence& before, const CaseEvidence& after,
                      const PairPlan& plan, const policy::Gate& policy_of_case) {
  const record::Metric& metric = *primary_metric(definition);
  const PairValues values = pair_values(before, after, metric);
  const std::vector<double>& differences = values.more_precise();
  const stats::InterleavedOptions options = forecast_options(plan, policy_of_case, values.took_turns());
  if (differences.size() < stats::first_look(options.family, options.alpha * options.alpha_share)) return false;
  const auto sd = stats::pooled_pair_sd(differences, 0, 0);
  if (!sd || !std::isfinite(*sd)) return false;
  // In favour of going on: a change as far from what was seen as one in ten is, and none at all.
  constexpr double one_in_ten = 1.645;
  const auto pairs = static_cast<double>(differences.size());
  const double mean = mean_for_forecast(differences);
  const double away = one_in_ten * *sd / std::sqrt(pairs);
  const stats::PairForecast forecast(options);
  for (const double possible : {mean, mean - away, mean + away, 0.0}) {
    if (forecast.more_pairs(differences.size(), possible, *sd)) return false;
  }
  return true;
}

double mean_for_forecast(const std::vector<double>& differences) {
  const auto seen = stats::moments(differences);
  return seen && seen->n >= mean_from_pairs ? seen->mean : 0.0;
}

std::optional<PairSdEstimate> estimate_pair_sd(const std::vector<double>& before_logs,
                                               const std::vector<double>& after_logs) {
  const auto before = robust_sd(before_logs);
  const auto after = robust_sd(after_logs);
  if (!before || !after || !std::isfinite(*before) || !std::isfinite(*after)) return std::nullopt;
  return PairSdEstimate{std::hypot(*before, *after), static_cast<double>(before_logs.size() + after_logs.size() - 2)};
}

}  // namespace torchgate::gate
