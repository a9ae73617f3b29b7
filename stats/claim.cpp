// SPDX-License-Identifier: Apache-2.0
#include "stats/claim.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "stats/moments.hpp"
#include "stats/multiplicity.hpp"
#include "stats/student_t.hpp"

namespace torchgate::stats {
namespace {

// The mean log ratio of a claim, and how far it lies beyond the promise.
struct Measured {
  double mean = 0.0;
  double standard_error = 0.0;
  double df = 1.0;
  double beyond = 0.0;  ///< mean - ln promise

  /// One-sided: the probability of a mean this far beyond, or farther, of a claim that is exactly as promised.
  [[nodiscard]] double p() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double t = standard_error > 0.0 ? beyond / standard_error : std::copysign(infinity, beyond);
    return student_t_upper_tail(t, df);
  }
};

std::optional<double> finite_exp(double log) {
  const double value = std::exp(log);
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

// None where the claim cannot be tested; the judgement then says why.
std::optional<Measured> measure(const ClaimSample& claim, const ClaimOptions& options, ClaimJudgement& judgement) {
  const auto& [reference, optimised, promised] = claim;
  const auto untested = [&](Reason reason) {
    judgement.reasons.add(reason);
    return std::nullopt;
  };
  judgement.processes = std::min(reference.size(), optimised.size());
  if (reference.size() != optimised.size()) return untested(Reason::unequal_lengths);
  if (reference.empty()) return untested(Reason::no_values);
  if (!(promised > 0.0) || !std::isfinite(promised)) return untested(Reason::not_positive);
  if (!all_finite(reference) || !all_finite(optimised)) return untested(Reason::not_finite);

  std::vector<double> log_ratios(reference.size());
  std::transform(optimised.begin(), optimised.end(), reference.begin(), log_ratios.begin(), std::minus{});
  const std::optional<Moments> m = moments(log_ratios);
  if (!m) return untested(Reason::out_of_range);
  judgement.ratio = finite_exp(m->mean);
  if (m->n < std::max<std::size_t>(2, options.processes)) return untested(Reason::too_few_processes);
  if (m->sum_of_squares == 0.0) judgement.reasons.add(Reason::no_spread);
  const auto n = static_cast<double>(m->n);
  return Measured{m->mean, std::sqrt(*m->variance() / n), n - 1.0, m->mean - std::log(promised)};
}

// The claims that `broken` is tested for, and what their p are multiplied by. A t test of a claim that is kept has p values
// that are uniformly conservative: those below 1/2, doubled, are p values again, whatever was left out.
struct Family {
  std::vector<std::size_t> members;
  double factor = 1.0;
};

Family family_of(const std::vector<std::optional<Measured>>& measured) {
  Family family;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (measured[i]) family.members.push_back(i);
  }
  if (family.members.size() < only_beyond_promise_from_claims) return family;
  std::erase_if(family.members, [&](std::size_t i) { return measured[i]->beyond <= 0.0; });
  family.factor = 2.0;
  return family;
}

// Marks the broken ones. Returns the one-sided level of Holm's last step, at which exactly these are broken.
double find_broken(const Family& family, const std::vector<std::optional<Measured>>& measured, double alpha,
                   std::vector<ClaimJudgement>& judgements) {
  std::vector<double> p;
  for (const std::size_t i : family.members) p.push_back(std::min(1.0, family.factor * measured[i]->p()));
  const std::vector<double> adjusted = holm(p).value();  // tails of a t distribution are probabilities
  std::size_t unbroken = 0;
  for (std::size_t k = 0; k < family.members.size(); ++k) {
    const std::size_t i = family.members[k];
    if (measured[i]->beyond > 0.0 && adjusted[k] < alpha) {
      judgements[i].call = ClaimCall::broken;
    } else {
      ++unbroken;
    }
  }
  return alpha / family.factor / static_cast<double>(std::max<std::size_t>(1, unbroken));
}

}  // namespace

std::string_view to_string(ClaimCall call) {
  switch (call) {
    case ClaimCall::holds:
      return "holds";
    case ClaimCall::broken:
      return "broken";
    case ClaimCall::undecided:
      return "undecided";
  }
  return "undecided";
}

std::vector<ClaimJudgement> judge_claims(std::span<const ClaimSample> claims, const ClaimOptions& options) {
  std::vector<ClaimJudgement> judgements(claims.size());
  std::vector<std::optional<Measured>> measured;
  for (std::size_t i = 0; i < claims.size(); ++i) measured.push_back(measure(claims[i], options, judgements[i]));
  const double miss = find_broken(family_of(measured), measured, options.alpha, judgements);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (!measured[i]) continue;
    const Measured& m = *measured[i];
    const double below = student_t_critical(miss, m.df) * m.standard_error;
    const double above = student_t_critical(options.alpha, m.df) * m.standard_error;
    ClaimJudgement& judgement = judgements[i];
    judgement.lower = finite_exp(m.mean - below);
    judgement.upper = finite_exp(m.mean + above);
    if (judgement.call == ClaimCall::broken) continue;
    if (m.beyond + above <= 0.0) {
      judgement.call = ClaimCall::holds;
    } else {
      judgement.reasons.add(Reason::not_significant);
    }
  }
  return judgements;
}

ClaimJudgement judge_claim(std::span<const double> reference_logs, std::span<const double> optimised_logs,
                           double promised_ratio, const ClaimOptions& options) {
  const ClaimSample claim{reference_logs, optimised_logs, promised_ratio};
  return judge_claims(std::span(&claim, 1), options).front();
}

}  // namespace torchgate::stats
