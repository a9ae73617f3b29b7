// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/confirmation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "ci/gate/numbers.hpp"
#include "ci/gate/outcome.hpp"
#include "ci/gate/reasons.hpp"

namespace torchgate::gate {

std::vector<double> pair_differences(const TimedEvidence& before, const TimedEvidence& after) {
  std::map<std::int64_t, double> by_pair;
  for (std::size_t i = 0; i < before.pairs.size(); ++i) by_pair[before.pairs[i]] = before.worse_logs[i];
  std::vector<double> differences;
  for (std::size_t i = 0; i < after.pairs.size(); ++i) {
    const auto partner = by_pair.find(after.pairs[i]);
    if (partner != by_pair.end()) differences.push_back(after.worse_logs[i] - partner->second);
  }
  return differences;
}

stats::PairJudgement judge_case_pairs(const std::vector<double>& differences, std::size_t family,
                                      const Policy& policy) {
  stats::PairOptions options;
  options.alpha = policy.alpha;
  options.family = family;
  options.margin = policy.margin;
  options.equivalence = policy.equivalence;
  return stats::judge_pairs(differences, options);
}

reports::Confirmation as_confirmation(const stats::PairJudgement& judgement, std::size_t family, const Policy& policy,
                                      const record::Metric& metric) {
  reports::Confirmation confirmation;
  confirmation.pairs = static_cast<std::int64_t>(judgement.pairs);
  if (judgement.effect) confirmation.change = relative_change(*judgement.effect, metric);
  if (judgement.interval) confirmation.interval = relative_interval(*judgement.interval, metric);
  confirmation.p = judgement.p;
  confirmation.alpha = policy.alpha / static_cast<double>(family);
  confirmation.confirmed = judgement.call == stats::Call::regressed || judgement.call == stats::Call::improved;
  return confirmation;
}

void apply_pairs(reports::Finding& finding, const stats::PairJudgement& judgement, std::size_t family,
                 const Policy& policy) {
  const record::Metric& metric = finding.metric;
  finding.p = judgement.p;
  finding.alpha = policy.alpha / static_cast<double>(family);
  if (judgement.effect) finding.change = relative_change(*judgement.effect, metric);
  finding.interval.reset();
  if (judgement.interval) finding.interval = relative_interval(*judgement.interval, metric);
  finding.cohens_d.reset();
  set_effect_size(finding, judgement.cohen_d);
  finding.smallest_detectable.reset();
  if (judgement.smallest_detectable) finding.smallest_detectable = std::expm1(*judgement.smallest_detectable);
  finding.processes_needed.reset();
  if (judgement.more_pairs) finding.processes_needed = static_cast<std::int64_t>(*judgement.more_pairs);
  finding.verdict = verdict_of(judgement.call);
  if (finding.verdict == reports::Verdict::equivalent) {
    finding.reasons.push_back(fmt::format("within ±{:g} % at {} pairs", policy.equivalence * 100, judgement.pairs));
  }
  add_reasons(finding, judgement.reasons);
  if (finding.verdict == reports::Verdict::regressed || finding.verdict == reports::Verdict::improved) {
    set_confirmed_effect(finding, policy);
  } else {
    set_plain_effect(finding, policy);
  }
}

}  // namespace torchgate::gate
