// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/judged.hpp"

#include <algorithm>
#include <utility>

namespace torchgate::gate {

Judged judged_state(const record::Case& definition, reports::Verdict verdict, facts::Fact reason) {
  Judged judged;
  judged.definition = &definition;
  if (const record::Metric* metric = primary_metric(definition)) judged.metric = *metric;
  judged.decision.verdict = verdict;
  if (!reason.empty()) add_reason(judged, ReasonKind::state, std::move(reason));
  return judged;
}

void add_reason(Judged& judged, ReasonKind kind, facts::Fact fact) {
  const auto behind = std::find_if(judged.reasons.begin(), judged.reasons.end(),
                                   [&](const Reason& reason) { return reason.kind > kind; });
  judged.reasons.insert(behind, Reason{kind, std::move(fact)});
}

void add_reasons(Judged& judged, ReasonKind kind, facts::Facts all) {
  for (facts::Fact& fact : all) add_reason(judged, kind, std::move(fact));
}

void replace_decision(Judged& judged, reports::Verdict verdict, ReasonKind kind, facts::Fact reason) {
  judged.decision.verdict = verdict;
  judged.reasons.clear();
  add_reason(judged, kind, std::move(reason));
}

bool decided_by_count(const Judged& judged) {
  return judged.counted && judged.decision.verdict == reports::Verdict::regressed &&
         judged.metric.kind == record::MetricKind::exact;
}

bool is_lost_count(const Judged& judged) {
  return judged.counts && !judged.counts->after;
}

bool has_reason(const Judged& judged, ReasonKind kind) {
  return std::any_of(judged.reasons.begin(), judged.reasons.end(),
                     [&](const Reason& reason) { return reason.kind == kind; });
}

double worse_ratio(const Judged& judged) {
  if (judged.in_units) return 1 + judged.in_units->worse;
  return worse_ratio(judged.decision.change.value_or(0), judged.metric);
}

double worse_ratio(double change, const record::Metric& metric) {
  return metric.direction == record::Direction::lower_is_better ? 1 + change : 1 / (1 + change);
}

}  // namespace torchgate::gate
