// SPDX-License-Identifier: Apache-2.0
#include "stats/claim.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "stats/moments.hpp"
#include "stats/student_t.hpp"

namespace torchgate::stats {

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

ClaimJudgement judge_claim(std::span<const double> reference_logs, std::span<const double> optimised_logs,
                           double promised_ratio, const ClaimOptions& options) {
  ClaimJudgement judgement;
  judgement.processes = std::min(reference_logs.size(), optimised_logs.size());
  const auto undecided = [&](Reason reason) {
    judgement.reasons.add(reason);
    return judgement;
  };
  if (reference_logs.size() != optimised_logs.size()) return undecided(Reason::unequal_lengths);
  if (reference_logs.empty()) return undecided(Reason::no_values);
  if (!(promised_ratio > 0.0) || !std::isfinite(promised_ratio)) return undecided(Reason::not_positive);
  if (!all_finite(reference_logs) || !all_finite(optimised_logs)) return undecided(Reason::not_finite);

  std::vector<double> log_ratios(reference_logs.size());
  std::transform(optimised_logs.begin(), optimised_logs.end(), reference_logs.begin(), log_ratios.begin(),
                 std::minus{});
  const std::optional<Moments> m = moments(log_ratios);
  if (!m) return undecided(Reason::out_of_range);
  const auto finite_exp = [](double log) -> std::optional<double> {
    const double value = std::exp(log);
    if (!std::isfinite(value)) return std::nullopt;
    return value;
  };
  judgement.ratio = finite_exp(m->mean);
  if (m->n < std::max<std::size_t>(2, options.processes)) return undecided(Reason::too_few_processes);

  const auto n = static_cast<double>(m->n);
  const double miss = options.alpha / static_cast<double>(std::max<std::size_t>(1, options.claims));
  const double half_width = student_t_critical(miss, n - 1.0) * std::sqrt(*m->variance() / n);
  judgement.lower = finite_exp(m->mean - half_width);
  judgement.upper = finite_exp(m->mean + half_width);
  if (m->sum_of_squares == 0.0) judgement.reasons.add(Reason::no_spread);
  const double promise = std::log(promised_ratio);
  if (m->mean - half_width > promise) {
    judgement.call = ClaimCall::broken;
  } else if (m->mean + half_width <= promise) {
    judgement.call = ClaimCall::holds;
  } else {
    judgement.reasons.add(Reason::not_significant);
  }
  return judgement;
}

}  // namespace torchgate::stats
