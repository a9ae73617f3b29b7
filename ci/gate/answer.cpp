// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/answer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "ci/gate/evidence/numbers.hpp"
#include "reports/facts/about_pairs.hpp"
#include "reports/facts/about_states.hpp"
#include "reports/facts/about_tests.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {

namespace {

// Shares of the largest value, back in the metric's unit. A change is relative, and has to begin at more than 0.
void decide_in_units(Judged& judged, const stats::RuleAnswer& answer, Decision& decision) {
  const double unit = judged.in_units->scale * record::orientation(judged.metric);
  decision.change = judged.decision.change;
  if (answer.levels) {
    constexpr double no_negative_zero = 0;  // -0 + 0 is 0
    decision.values = SideValues{unit * answer.levels->before + no_negative_zero,
                                 unit * answer.levels->after + no_negative_zero, answer.levels->estimator};
    decision.change.reset();
    if (decision.values->before > 0 && decision.values->after >= 0)
      decision.change = decision.values->after / decision.values->before - 1;
  }
  facts::Fact why = facts::in_its_unit(judged.metric.unit);
  const bool said = std::any_of(judged.reasons.begin(), judged.reasons.end(),
                                [&](const Reason& reason) { return reason.fact == why; });
  if (!said) add_reason(judged, ReasonKind::basis, std::move(why));
}

// A rule of raw samples has no values also where the processes of both sides have one each.
facts::Fact reason_for(const Judged& judged, stats::Reason reason) {
  const bool measured = judged.before != nullptr && judged.after != nullptr;
  return reason == stats::Reason::no_values && measured ? facts::no_raw_samples() : facts::test(reason);
}

}  // namespace

stats::RuleOptions rule_options(const policy::Gate& policy) {
  stats::RuleOptions options;
  options.alpha = policy.alpha;
  options.margin = policy.margin;
  options.equivalence = policy.equivalence;
  options.run_sd = policy.run_sd.value_or(policy::assumed_run_sd);
  options.candidate_p = policy.candidate_p;
  options.false_discovery_rate = policy.suspects == policy::Suspects::false_discovery_rate;
  return options;
}

std::vector<stats::RuleAnswer> judge_suite(const SuiteNumbers& suite, const policy::Gate& policy) {
  const stats::Rule& rule = *stats::find_rule(policy.rule);  // a policy takes only names of the table
  std::map<std::pair<double, double>, std::vector<std::size_t>> by_margins;
  for (std::size_t i = 0; i < suite.policies.size(); ++i)
    by_margins[{suite.policies[i]->margin, suite.policies[i]->equivalence}].push_back(i);
  std::vector<stats::RuleAnswer> answers(suite.numbers.size());
  for (const auto& [margins, cases] : by_margins) {
    stats::RuleOptions options = rule_options(policy);
    options.margin = margins.first;
    options.equivalence = margins.second;
    options.run_sd_of_case = suite.run_sd;
    const auto all = rule.judge(suite.numbers, options);
    for (const std::size_t i : cases) answers[i] = all[i];
  }
  return answers;
}

bool judges_time(const policy::Gate& policy) {
  return !stats::rule_reads(policy.rule, stats::Reads::counts);
}

reports::Verdict verdict_of(stats::Call call) {
  switch (call) {
    case stats::Call::regressed:
      return reports::Verdict::regressed;
    case stats::Call::suspected:
      return reports::Verdict::suspected;
    case stats::Call::improved:
      return reports::Verdict::improved;
    case stats::Call::equivalent:
      return reports::Verdict::equivalent;
    case stats::Call::inconclusive:
      return reports::Verdict::inconclusive;
    case stats::Call::changed:
      return reports::Verdict::changed;
  }
  return reports::Verdict::inconclusive;
}

void add_rule_reasons(Judged& judged, ReasonKind kind, const stats::Reasons& reasons) {
  for (const stats::Reason reason : reasons.list()) add_reason(judged, kind, reason_for(judged, reason));
}

void settle_equal(Judged& judged) {
  judged.decision.verdict = reports::Verdict::equivalent;
  judged.decision.values = SideValues{0, 0, stats::Estimator::run_value};
  add_reason(judged, ReasonKind::within, facts::zero_everywhere(judged.metric.unit));
}

std::optional<std::int64_t> processes_needed(const stats::RuleAnswer& answer) {
  if (!answer.more_pairs) return std::nullopt;
  const std::size_t to_alarm = answer.pairs_to_alarm.value_or(0);
  const std::size_t fewest = to_alarm > answer.pairs ? to_alarm - answer.pairs : 0;
  return static_cast<std::int64_t>(std::max(*answer.more_pairs, fewest));
}

void decide(Judged& judged, const stats::RuleAnswer& answer) {
  Decision decision;
  decision.verdict = verdict_of(answer.call);
  // The textbook rule has its own means: a change of theirs is relative where both are positive.
  const bool of_means = answer.levels && answer.levels->estimator == stats::Estimator::sample_mean;
  const bool in_units = judged.in_units && !of_means;
  if (in_units) {
    decide_in_units(judged, answer, decision);
  } else if (answer.effect) {
    decision.change = relative_change(*answer.effect, judged.metric);
    if (answer.levels) decision.values = side_values(*answer.levels, judged.metric);
  } else {
    decision.change = judged.decision.change;
    decision.values = judged.decision.values;
  }
  if (answer.interval && !in_units) decision.interval = relative_interval(*answer.interval, judged.metric);
  decision.p = answer.p;
  decision.alpha = answer.p_limit;
  if (answer.cohen_d) decision.cohens_d = record::orientation(judged.metric) * *answer.cohen_d;
  if (answer.smallest_detectable && !in_units) decision.smallest_detectable = std::expm1(*answer.smallest_detectable);
  decision.processes_needed = processes_needed(answer);
  stats::Reasons reasons = answer.reasons;
  if (answer.call == stats::Call::inconclusive && answer.pairs > 0 && answer.pairs_to_alarm) {
    // Pairs that no look could have alarmed at have weighed nothing: without a p the case counts as not judged.
    decision.p.reset();
    add_reason(judged, ReasonKind::too_few_pairs,
               facts::not_judged(facts::too_few_pairs(answer.pairs, *answer.pairs_to_alarm)));
    reasons = {};
    for (const stats::Reason reason : answer.reasons.list()) {
      if (reason != stats::Reason::too_few_pairs) reasons.add(reason);
    }
  }
  add_rule_reasons(judged, ReasonKind::rule, reasons);
  judged.decision = decision;
}

}  // namespace torchgate::gate
