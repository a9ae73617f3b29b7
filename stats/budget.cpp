// SPDX-License-Identifier: Apache-2.0
#include "stats/budget.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stats/change_estimate.hpp"
#include "stats/moderated_variance.hpp"
#include "stats/pairs.hpp"
#include "stats/screen.hpp"
#include "stats/signed_rank.hpp"
#include "stats/welch.hpp"

namespace torchgate::stats {
namespace {

// Too large for a real plan; counts above it are "as many as the time allows".
constexpr double largest_count = 1e6;

constexpr std::string_view costs_unknown = "the costs of both levels have to be known and above 0";
constexpr std::string_view as_many_as_allowed =
    "the level above adds no noise of its own: as many as the time allows, of one process or run";

Repetitions repetitions(const NoisePart& level, const NoisePart& above, double cost, double cost_above) {
  if (!level.variance) return {std::nullopt, level.note};
  if (!above.variance) return {std::nullopt, above.note};
  if (!(cost > 0.0) || !(cost_above > 0.0) || !std::isfinite(cost / cost_above)) return {std::nullopt, costs_unknown};
  if (*level.variance == 0.0) return {1, {}};
  const double best = std::sqrt(cost_above / cost * *level.variance / *above.variance);
  if (!(best <= largest_count)) return {std::nullopt, as_many_as_allowed};
  return {static_cast<std::size_t>(std::max(1.0, std::ceil(best))), {}};
}

bool makes_sense(double alpha, double power) {
  return alpha > 0.0 && alpha < 1.0 && power > 0.0 && power < 1.0;
}

// Variance of a process value around its run: the median of n iterations strays by variance * pi / (2n).
std::optional<double> value_variance(const VarianceComponents& noise, std::size_t iterations) {
  if (!noise.process.variance || iterations == 0) return std::nullopt;
  return *noise.process.variance +
         noise.iteration.variance.value_or(0.0) * std::numbers::pi / 2.0 / static_cast<double>(iterations);
}

ChangeEstimate no_change(double variance, double df) {
  ChangeEstimate nothing;
  nothing.standard_error = std::sqrt(std::max(variance, smallest_log_variance));
  nothing.df = df;
  return nothing;
}

double detectable(double variance, double df, double alpha, double power) {
  return smallest_detectable_effect(no_change(variance, df), alpha, power);
}

}  // namespace

Plan recommended_plan(const VarianceComponents& noise, const LevelCosts& costs) {
  return {repetitions(noise.iteration, noise.process, costs.iteration, costs.process),
          repetitions(noise.process, noise.run, costs.process, costs.run)};
}

std::optional<double> detectable_by_screen(const VarianceComponents& noise, const StoredPlan& plan, double alpha,
                                           double power) {
  const auto of_process = value_variance(noise, plan.iterations_per_process);
  if (!of_process || !noise.run.variance || plan.stored_runs == 0 || plan.processes_per_run == 0) return std::nullopt;
  if (!makes_sense(alpha, power)) return std::nullopt;
  const auto runs = static_cast<double>(plan.stored_runs);
  const auto processes = static_cast<double>(plan.processes_per_run);
  const double new_run = *of_process / processes;
  if (plan.stored_runs >= history_from_runs) {
    const double kept = plan.stored_runs >= trimmed_from_runs ? runs - 2.0 : runs;
    return detectable((*noise.run.variance + new_run) * (1.0 + 1.0 / kept), kept - 1.0, alpha, power);
  }
  // Welch on process values, with the run part of both sides taken as known.
  if (plan.processes_per_run < 2) return std::nullopt;
  const double before = new_run / runs;
  const double between_runs = std::max(*noise.run.variance, smallest_log_variance) * (1.0 + 1.0 / runs);
  const auto df = satterthwaite_df(before, plan.stored_runs * plan.processes_per_run, new_run, plan.processes_per_run,
                                   between_runs);
  return detectable(before + new_run + between_runs, *df, alpha, power);
}

std::optional<double> detectable_by_pairs(double pair_sd, std::size_t pairs, double alpha, double power) {
  if (!(pair_sd >= 0.0) || !std::isfinite(pair_sd) || !makes_sense(alpha, power)) return std::nullopt;
  if (pairs < 2) return std::nullopt;
  const auto n = static_cast<double>(pairs);
  return detectable_by_signed_rank(no_change(pair_sd * pair_sd / (n * signed_rank_efficiency), n - 1.0), pair_sd, pairs,
                                   alpha, power);
}

std::optional<double> expected_pair_sd(const VarianceComponents& noise, std::size_t iterations_per_process) {
  const auto of_process = value_variance(noise, iterations_per_process);
  if (!of_process) return std::nullopt;
  return std::sqrt(2.0 * *of_process);
}

}  // namespace torchgate::stats
