// SPDX-License-Identifier: Apache-2.0
#include "stats/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/change_estimate.hpp"
#include "stats/hodges_lehmann.hpp"
#include "stats/moments.hpp"
#include "stats/pair_evidence.hpp"
#include "stats/power.hpp"
#include "stats/signed_rank.hpp"
#include "stats/student_t.hpp"
#include "stats/yuen.hpp"

namespace torchgate::stats {
namespace {

constexpr double planned_power = 0.9;
constexpr double detectable_power = 0.8;

std::optional<double> standardised(double effect, double sd) {
  if (sd > 0.0) return effect / sd;
  if (effect == 0.0) return 0.0;
  return std::copysign(std::numeric_limits<double>::infinity(), effect);
}

// After trimming: a few outliers must not multiply an estimate.
double sd_of_one(const TrimmedMean& centre, std::size_t pairs) {
  return centre.standard_error * std::sqrt(static_cast<double>(pairs));
}

}  // namespace

double alpha_per_case(const PairOptions& options) {
  return options.alpha * options.alpha_share / static_cast<double>(std::max<std::size_t>(1, options.family));
}

PairJudgement gather_evidence(std::span<const double> differences, const PairOptions& options) {
  PairJudgement judgement;
  judgement.pairs = differences.size();
  judgement.smallest_p = signed_rank_smallest_p(differences.size());
  if (differences.empty()) {
    judgement.reasons.add(Reason::no_values);
    return judgement;
  }
  const std::optional<SignedRank> test = signed_rank(differences);
  if (!test) {
    judgement.reasons.add(Reason::not_finite);
    return judgement;
  }
  const double alpha = alpha_per_case(options);
  judgement.effect = hodges_lehmann(differences);
  judgement.p = test->p;
  judgement.interval = signed_rank_interval(differences, 1.0 - alpha);
  if (const auto m = moments(differences); m && m->n >= 2) {
    judgement.pair_sd = std::sqrt(*m->variance());
    judgement.cohen_d = standardised(*judgement.effect, *judgement.pair_sd);
    if (*judgement.pair_sd == 0.0) judgement.reasons.add(Reason::no_spread);
  }
  if (const auto centre = trimmed_mean(differences, pair_trim)) {
    judgement.trimmed = trimmed_interval(*centre, trimmed_level);
    if (differences.size() >= fewest_pairs) {
      judgement.equivalence_interval = trimmed_interval(*centre, equivalence_level);
    }
  }
  return judgement;
}

std::optional<double> detectable_by(std::span<const double> differences, double alpha) {
  const std::optional<TrimmedMean> centre = trimmed_mean(differences, pair_trim);
  if (!centre) return std::nullopt;
  ChangeEstimate change;
  change.standard_error = centre->standard_error / std::sqrt(signed_rank_efficiency);
  change.df = centre->df;
  return detectable_by_signed_rank(change, sd_of_one(*centre, differences.size()), differences.size(), alpha,
                                   detectable_power);
}

// By the interval and not by the p of the two tests, because the standard error is 0 when the pairs do not vary.
bool pairs_equivalent(const PairJudgement& judgement, const PairOptions& options) {
  return judgement.equivalence_interval && inside_margin(*judgement.equivalence_interval, options.equivalence);
}

void estimate_more_pairs(PairJudgement& judgement, std::span<const double> differences, const PairOptions& options) {
  const std::optional<TrimmedMean> centre = trimmed_mean(differences, pair_trim);
  if (!centre || !judgement.effect) return;
  const double sd = sd_of_one(*centre, differences.size());
  const double seen = std::abs(*judgement.effect);
  const double target = seen >= std::log1p(options.margin) ? seen : std::log1p(options.equivalence);
  const std::optional<std::size_t> needed = pairs_needed(sd, target, alpha_per_case(options), planned_power);
  if (needed) judgement.more_pairs = *needed > differences.size() ? *needed - differences.size() : 0;
}

PairJudgement judge_pairs(std::span<const double> differences, const PairOptions& options) {
  PairJudgement judgement = gather_evidence(differences, options);
  if (!judgement.effect) return judgement;
  judgement.smallest_detectable = detectable_by(differences, alpha_per_case(options));
  const bool significant = *judgement.p < alpha_per_case(options);
  const bool matters = std::abs(*judgement.effect) >= std::log1p(options.margin);
  if (significant && matters) {
    judgement.call = *judgement.effect > 0.0 ? Call::regressed : Call::improved;
    return judgement;
  }
  judgement.reasons.add(significant ? Reason::below_margin : Reason::not_significant);
  if (pairs_equivalent(judgement, options)) {
    judgement.call = Call::equivalent;
    return judgement;
  }
  if (!(judgement.smallest_p < alpha_per_case(options))) judgement.reasons.add(Reason::too_few_pairs);
  estimate_more_pairs(judgement, differences, options);
  return judgement;
}

std::optional<std::size_t> pairs_needed(double pair_sd, double effect, double alpha, double power) {
  if (!(pair_sd >= 0.0) || !std::isfinite(pair_sd) || !std::isfinite(effect) || effect == 0.0) return std::nullopt;
  if (!(alpha > 0.0 && alpha < 1.0) || !(power > 0.0 && power < 1.0)) return std::nullopt;
  std::size_t fewest = 1;
  while (signed_rank_smallest_p(fewest) >= alpha) ++fewest;
  // Beyond this many SDs every size that can reach p has the power; the noncentral t is not evaluated there.
  constexpr double beyond_doubt = 10.0;
  if (std::abs(effect) >= beyond_doubt * pair_sd) return fewest;
  const std::optional<std::size_t> needed =
      sample_size_one_sample(std::abs(effect) / pair_sd * std::sqrt(signed_rank_efficiency), alpha, power);
  if (!needed) return std::nullopt;
  return std::max(fewest, *needed);
}

std::optional<double> detectable_by_signed_rank(const ChangeEstimate& change, double pair_sd, std::size_t pairs,
                                                double alpha, double power) {
  const double smallest_p = signed_rank_smallest_p(pairs);
  if (!(smallest_p < alpha)) return std::nullopt;
  const double by_t = smallest_detectable_effect(change, alpha, power);
  // The next p: the smallest difference alone is on the other side.
  if (2 * smallest_p < alpha) return by_t;
  const double one_is_not = 1.0 - std::pow(power, 1.0 / static_cast<double>(pairs));
  return std::max(by_t, pair_sd * student_t_critical(one_is_not, normal_df));
}

}  // namespace torchgate::stats
