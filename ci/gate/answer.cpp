// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/answer.hpp"

#include <cmath>

#include "ci/gate/evidence/numbers.hpp"
#include "ci/gate/outcome.hpp"
#include "ci/gate/pairs/pair_count.hpp"
#include "ci/gate/reasons.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {

stats::RuleOptions rule_options(const policy::Policy& policy) {
  stats::RuleOptions options;
  options.alpha = policy.alpha;
  options.margin = policy.margin;
  options.equivalence = policy.equivalence;
  options.run_sd = policy.run_sd.value_or(policy::assumed_run_sd);
  options.candidate_p = policy.candidate_p;
  options.false_discovery_rate = policy.suspects == policy::Suspects::false_discovery_rate;
  return options;
}

bool judges_time(const policy::Policy& policy) {
  return !stats::rule_reads(policy.rule, stats::Reads::counts);
}

namespace {

// Pairs that no look could have alarmed at have weighed nothing: without a p the case counts as not judged.
void leave_unjudged(reports::Finding& finding, const stats::RuleAnswer& answer) {
  finding.p.reset();
  finding.reasons.push_back(blind_pairs_sentence(answer));
  stats::Reasons others;
  for (const stats::Reason reason : answer.reasons.list()) {
    if (reason != stats::Reason::too_few_pairs) others.add(reason);
  }
  add_reasons(finding, others);
}

}  // namespace

void apply_answer(reports::Finding& finding, const stats::RuleAnswer& answer, const policy::Policy& policy) {
  finding.verdict = verdict_of(answer.call);
  finding.p = answer.p;
  finding.alpha = answer.p_limit;
  if (answer.effect) finding.change = relative_change(*answer.effect, finding.metric);
  finding.interval.reset();
  if (answer.interval) finding.interval = relative_interval(*answer.interval, finding.metric);
  finding.cohens_d.reset();
  finding.cohens_d_word.clear();
  set_effect_size(finding, answer.cohen_d);
  finding.smallest_detectable.reset();
  if (answer.smallest_detectable) finding.smallest_detectable = std::expm1(*answer.smallest_detectable);
  finding.processes_needed.reset();
  if (answer.more_pairs) finding.processes_needed = static_cast<std::int64_t>(*answer.more_pairs);
  if (answer.call == stats::Call::inconclusive && answer.pairs > 0 && answer.pairs_to_alarm) {
    leave_unjudged(finding, answer);
  } else {
    add_reasons(finding, answer.reasons);
  }
  set_plain_effect(finding, policy);
}

}  // namespace torchgate::gate
