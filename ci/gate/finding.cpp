// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/finding.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "ci/gate/evidence/noise.hpp"
#include "ci/gate/evidence/numbers.hpp"
#include "ci/gate/evidence/sample_shape.hpp"
#include "stats/effect_size.hpp"
#include "stats/quantile.hpp"

namespace torchgate::gate {
namespace {

using reports::Finding;

reports::SideNumbers numbers_of_tail(const TimedEvidence& tails) {
  reports::SideNumbers side;
  side.value = *stats::median(tails.medians);
  side.processes = static_cast<std::int64_t>(tails.medians.size());
  side.samples = tails.sample_count;
  side.process_values = tails.medians;
  return side;
}

void show_tail(const TailValues& tail, const std::optional<SideValues>& values, Finding& finding) {
  if (!tail.before.medians.empty()) finding.before = numbers_of_tail(tail.before);
  if (!tail.after.medians.empty()) finding.after = numbers_of_tail(tail.after);
  if (finding.before || finding.after) finding.estimator = stats::Estimator::median;
  if (!values || !finding.before || !finding.after) return;
  finding.before->value = values->before;
  finding.after->value = values->after;
  finding.estimator = values->estimator;
}

reports::SideNumbers numbers_of_count(double count, std::int64_t processes) {
  reports::SideNumbers side;
  side.value = count;
  side.processes = processes;
  return side;
}

// Whether a page draws the case. Cases within the margin, often thousands, are not drawn.
bool is_drawn(const Judged& judged) {
  const reports::Verdict verdict = judged.decision.verdict;
  return judged.action <= reports::GateAction::warn || verdict == reports::Verdict::improved ||
         verdict == reports::Verdict::inconclusive;
}

void show_sides(const Judged& judged, Finding& finding) {
  if (judged.after == nullptr) return;
  const record::Metric& metric = judged.metric;
  const auto& values = judged.decision.values;
  finding.estimator = values ? values->estimator : stats::Estimator::run_value;
  const TimedEvidence after = timed_evidence(*judged.after, metric);
  finding.after = side_numbers(*judged.after, metric, after, values ? values->after : run_value_of(after, metric));
  if (judged.before == nullptr) return;
  const TimedEvidence before = timed_evidence(*judged.before, metric);
  finding.before = side_numbers(*judged.before, metric, before, values ? values->before : run_value_of(before, metric));
  std::vector<double> processes = before.medians;
  processes.insert(processes.end(), after.medians.begin(), after.medians.end());
  if (is_drawn(judged) && !before.stops_included && !after.stops_included)
    finding.shape = sample_shape(before.samples, after.samples, processes);
  if (!judged.pooled.empty()) set_noise_parts(*finding.before->noise, judged.pooled, metric);
  finding.textbook = textbook_answer(before, after, metric);
}

reports::Confirmation confirmation_of(const Judged& judged) {
  reports::Confirmation confirmation;
  if (judged.pairs != nullptr) {
    const stats::RuleAnswer& answer = *judged.pairs;
    confirmation.pairs = static_cast<std::int64_t>(answer.pairs);
    if (answer.effect && !judged.in_units) confirmation.change = relative_change(*answer.effect, judged.metric);
    if (answer.interval && !judged.in_units) confirmation.interval = relative_interval(*answer.interval, judged.metric);
    confirmation.measure = answer.measure;
    if (answer.other_effect && !judged.in_units)
      confirmation.other_change = relative_change(*answer.other_effect, judged.metric);
    confirmation.p = answer.p;
    confirmation.alpha = answer.p_limit.value_or(0);
    const bool differs = answer.call == stats::Call::regressed || answer.call == stats::Call::improved;
    confirmation.confirmed = differs && judged.pairs_stand;
  }
  if (judged.unconfirmed) confirmation.note = judged.unconfirmed->because;
  return confirmation;
}

void show_decision(const Decision& decision, Finding& finding) {
  finding.verdict = decision.verdict;
  finding.change = decision.change;
  finding.interval = decision.interval;
  finding.p = decision.p;
  finding.alpha = decision.alpha;
  finding.smallest_detectable = decision.smallest_detectable;
  finding.processes_needed = decision.processes_needed;
  if (!decision.cohens_d || !std::isfinite(*decision.cohens_d)) return;
  finding.cohens_d = decision.cohens_d;
  finding.cohens_d_word = stats::to_string(stats::effect_word(*decision.cohens_d));
}

double value_of(const CaseEvidence& side, const record::Metric& metric) {
  return run_value_of(process_values(side, metric), metric);
}

}  // namespace

std::pair<std::optional<double>, std::optional<double>> shown_values(const Judged& judged) {
  if (judged.counts) return {judged.counts->before, judged.counts->after};
  if (judged.decision.values) return {judged.decision.values->before, judged.decision.values->after};
  if (judged.tail != nullptr)
    return {stats::median(judged.tail->before.medians), stats::median(judged.tail->after.medians)};
  if (judged.count_alone || judged.before == nullptr || judged.after == nullptr) return {};
  return {value_of(*judged.before, judged.metric), value_of(*judged.after, judged.metric)};
}

Finding finding_of(Judged&& judged) {
  Finding finding;
  if (judged.counts) {
    finding.before = numbers_of_count(judged.counts->before, judged.before_processes);
    if (judged.counts->after) finding.after = numbers_of_count(*judged.counts->after, judged.after_processes);
    finding.estimator = stats::Estimator::count;
  } else if (judged.count_alone) {
    finding.after = numbers_of_count(*judged.count_alone, judged.after_processes);
    finding.estimator = stats::Estimator::count;
  } else if (judged.tail != nullptr) {
    show_tail(*judged.tail, judged.decision.values, finding);
  } else {
    show_sides(judged, finding);
  }
  show_decision(judged.decision, finding);
  finding.counted = judged.counted;
  if (judged.asked_pairs()) finding.confirmation = confirmation_of(judged);
  finding.case_name = judged.case_name();
  finding.metric = std::move(judged.metric);
  finding.action = judged.action;
  finding.waived = judged.waived;
  finding.probe = judged.probe;
  finding.skipped_before = judged.skipped_before;
  finding.over_budget = judged.over_budget;
  finding.own_gate = judged.own_gate;
  finding.operators = std::move(judged.operators);
  finding.reasons.reserve(judged.reasons.size());
  for (Reason& reason : judged.reasons)
    (reason.kind == ReasonKind::why ? finding.causes : finding.reasons).push_back(std::move(reason.fact));
  return finding;
}

}  // namespace torchgate::gate
