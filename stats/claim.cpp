// SPDX-License-Identifier: Apache-2.0
#include "stats/claim.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stats/moments.hpp"
#include "stats/multiplicity.hpp"
#include "stats/student_t.hpp"

namespace torchgate::stats {
namespace {

constexpr double log_of_zero = -std::numeric_limits<double>::infinity();

// The mean log ratio of a claim, and how far it lies beyond the promise.
struct Measured {
  double mean = 0.0;
  double standard_error = 0.0;
  double df = 1.0;
  double beyond = 0.0;    ///< mean - ln promise
  bool may_break = true;  ///< no value of 0 keeps the claim
  bool may_hold = true;   ///< and none breaks it

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

bool is_log_of_value(double log) {
  return std::isfinite(log) || log == log_of_zero;
}

// 0 is at most any multiple of the reference, also of one of 0: it keeps the claim. Anything else breaks it beside a reference of 0.
struct ZeroValues {
  std::size_t keep = 0;
  std::size_t broken = 0;

  explicit ZeroValues(const ClaimSample& claim) {
    for (std::size_t i = 0; i < claim.reference_logs.size(); ++i) {
      if (claim.optimised_logs[i] == log_of_zero)
        ++keep;
      else if (claim.reference_logs[i] == log_of_zero)
        ++broken;
    }
  }
  [[nodiscard]] std::size_t all() const { return keep + broken; }
};

// Where each of ZEROS decides in the same way, or they contradict each other, no test says more.
void decide_by_zeros(const ZeroValues& zeros, const ClaimSample& claim, ClaimJudgement& judgement) {
  if (zeros.keep * zeros.broken > 0) return judgement.reasons.add(Reason::not_significant);
  judgement.call = zeros.keep > 0 ? ClaimCall::holds : ClaimCall::broken;
  const auto& reference = claim.reference_logs;
  if (zeros.keep > 0 && std::all_of(reference.begin(), reference.end(), [](double log) { return std::isfinite(log); }))
    judgement.ratio = 0.0;
}

// REQUIRES: a finite one. In the place of ratios of 0 the smallest of the others, and of infinite ones the largest: if the test then calls the claim
// kept (broken), it is that all the more.
std::vector<double> log_ratios_of(const ClaimSample& claim, const ZeroValues& zeros) {
  const auto& [reference, optimised, promised] = claim;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < reference.size(); ++i)
    if (optimised[i] != log_of_zero && reference[i] != log_of_zero) ratios.push_back(optimised[i] - reference[i]);
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  const double instead = zeros.keep > 0 ? *least : *most;
  ratios.insert(ratios.end(), zeros.all(), instead);
  return ratios;
}

// None where the claim cannot be tested; the judgement then has its call, or says why.
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
  for (const auto& side : {reference, optimised})
    if (!std::all_of(side.begin(), side.end(), is_log_of_value)) return untested(Reason::not_finite);

  const std::size_t fewest = std::max<std::size_t>(2, options.processes);
  const ZeroValues zeros(claim);
  if (zeros.all() == reference.size() || zeros.keep * zeros.broken > 0) {
    if (reference.size() < fewest) return untested(Reason::too_few_processes);
    decide_by_zeros(zeros, claim, judgement);
    return std::nullopt;
  }
  const std::optional<Moments> m = moments(log_ratios_of(claim, zeros));
  if (!m) return untested(Reason::out_of_range);
  if (zeros.all() == 0) judgement.ratio = finite_exp(m->mean);
  if (m->n < fewest) return untested(Reason::too_few_processes);
  if (m->sum_of_squares == 0.0) judgement.reasons.add(Reason::no_spread);
  const auto n = static_cast<double>(m->n);
  return Measured{m->mean,         std::sqrt(*m->variance() / n),
                  n - 1.0,         m->mean - std::log(promised),
                  zeros.keep == 0, zeros.broken == 0};
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
    if (measured[i] && measured[i]->may_break) family.members.push_back(i);
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
    if (m.may_hold && m.beyond + above <= 0.0) {
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
