// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/claims.hpp"

#include <algorithm>
#include <cmath>

#include "stats/claim.hpp"
#include "stats/moderated_variance.hpp"
#include "stats/moments.hpp"
#include "stats/multiplicity.hpp"
#include "stats/student_t.hpp"

namespace torchgate::simulations {
namespace {

constexpr double alpha = 0.01;

// One-sided p of a mean so far beyond the promise, and of one so far within it.
struct Tails {
  std::vector<double> beyond;
  std::vector<double> within;
};

Tails tails_of(std::span<const LogRatios> ratios, bool moderated) {
  std::vector<stats::Variance> variances = variances_of(ratios);
  if (moderated) variances = stats::moderate(variances).cases;
  Tails tails;
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    const double t =
        stats::moments(ratios[i])->mean / std::sqrt(variances[i].s2 / static_cast<double>(claim_processes));
    tails.beyond.push_back(stats::student_t_upper_tail(t, variances[i].df));
    tails.within.push_back(stats::student_t_upper_tail(-t, variances[i].df));
  }
  return tails;
}

// The moderation at most halves a p.
void guard(Tails& moderated, const Tails& own) {
  for (std::size_t i = 0; i < own.beyond.size(); ++i) {
    moderated.beyond[i] = std::max(moderated.beyond[i], own.beyond[i] / 2.0);
    moderated.within[i] = std::max(moderated.within[i], own.within[i] / 2.0);
  }
}

std::vector<bool> below(const std::vector<double>& p, double limit) {
  std::vector<bool> all;
  all.reserve(p.size());
  for (const double one : p) all.push_back(one < limit);
  return all;
}

// Holm over those beyond their promise, at twice their p.
std::vector<bool> broken_beyond(const std::vector<double>& p) {
  std::vector<double> doubled;
  for (const double one : p) {
    if (one < 0.5) doubled.push_back(2.0 * one);
  }
  const std::vector<double> adjusted = *stats::holm(doubled);
  std::vector<bool> broken;
  broken.reserve(p.size());
  std::size_t next = 0;
  for (const double one : p) broken.push_back(one < 0.5 && adjusted[next++] < alpha);
  return broken;
}

ClaimCalls call_by_program(std::span<const LogRatios> ratios) {
  static constexpr LogRatios reference{};
  std::vector<stats::ClaimSample> claims;
  claims.reserve(ratios.size());
  for (const LogRatios& one : ratios) claims.push_back({reference, one, 1.0});
  ClaimCalls calls;
  for (const stats::ClaimJudgement& judged : stats::judge_claims(claims)) {
    calls.broken.push_back(judged.call == stats::ClaimCall::broken);
    calls.holds.push_back(judged.call == stats::ClaimCall::holds);
  }
  return calls;
}

}  // namespace

std::vector<stats::Variance> variances_of(std::span<const LogRatios> claims) {
  std::vector<stats::Variance> variances;
  variances.reserve(claims.size());
  for (const LogRatios& one : claims) {
    variances.push_back({*stats::moments(one)->variance(), static_cast<double>(claim_processes - 1)});
  }
  return variances;
}

ClaimCalls call_claims(ClaimRule rule, std::span<const LogRatios> beyond) {
  if (rule == ClaimRule::program) return call_by_program(beyond);
  Tails tails = tails_of(beyond, rule == ClaimRule::moderated || rule == ClaimRule::guarded);
  const double shared = alpha / static_cast<double>(beyond.size());
  if (rule == ClaimRule::shared) return {below(tails.beyond, shared), below(tails.within, shared)};
  if (rule == ClaimRule::holm) return {below(*stats::holm(tails.beyond), alpha), below(tails.within, alpha)};
  if (rule == ClaimRule::guarded) guard(tails, tails_of(beyond, false));
  return {broken_beyond(tails.beyond), below(tails.within, alpha)};
}

}  // namespace torchgate::simulations
