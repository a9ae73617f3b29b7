// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/counted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ci/gate/action.hpp"
#include "ci/gate/answer.hpp"
#include "harness/base/counted.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {
namespace {

Judged counted(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
               const Counts& counts, stats::Call call) {
  Judged judged;
  judged.definition = after.definition;
  judged.metric = metric;
  judged.counts = counts;
  judged.before_processes = static_cast<std::int64_t>(before.measured.size());
  judged.after_processes = static_cast<std::int64_t>(after.measured.size());
  judged.decision.verdict = verdict_of(call);
  if (counts.before > 0 && counts.after) judged.decision.change = *counts.after / counts.before - 1;
  judged.action_rule = ActionRule::counted;
  return judged;
}

bool is_gated(const record::Case& definition, const std::string& name) {
  return std::any_of(definition.metrics.begin(), definition.metrics.end(),
                     [&](const record::Metric& metric) { return metric.name == name && metric.gated; });
}

void say_what_changed(Judged& judged, const policy::Policy& own, bool other_libtorch) {
  if (other_libtorch) {
    judged.action_rule = ActionRule::listed;
    add_reason(judged, ReasonKind::counted, "LibTorch itself differs: listed, not judged");
  }
  if (gated_by_suite(judged)) add_reason(judged, ReasonKind::counted, "gated by its suite");
  if (memory_grew(judged, own))
    add_reason(judged, ReasonKind::counted, fmt::format("peak memory grew by at least {:g} %", own.peak_memory * 100));
}

// Counted in the baseline and not now: what would have changed is not known, and without a word it would pass.
void add_lost_counts(const CaseEvidence& before, const CaseEvidence& after, const policy::Policy& own,
                     bool other_libtorch, std::vector<Judged>& changed) {
  for (const record::Metric& metric : before.definition->metrics) {
    if (metric.kind != record::MetricKind::exact) continue;
    const auto was = exact_value(before, metric.name);
    if (!was || exact_value(after, metric.name)) continue;
    changed.push_back(counted(before, after, metric, {*was, std::nullopt}, stats::Call::changed));
    add_reason(changed.back(), ReasonKind::counted,
               "counted in the baseline and not now: the suite no longer has it, or it did not repeat");
    say_what_changed(changed.back(), own, other_libtorch);
  }
}

}  // namespace

std::vector<Judged> counted_metrics(const CaseEvidence& before, const CaseEvidence& after, const policy::Policy& own,
                                    bool other_libtorch) {
  std::vector<Judged> changed;
  std::vector<Judged> same;
  const stats::Rule& rule = stats::exact_rule();
  for (const record::Metric& metric : after.definition->metrics) {
    if (metric.kind != record::MetricKind::exact) continue;
    stats::CaseNumbers one;
    one.before_count = exact_value(before, metric.name);
    one.after_count = exact_value(after, metric.name);
    const stats::RuleAnswer answer = rule.judge(std::span(&one, 1), {}).front();
    if (answer.call != stats::Call::changed && answer.call != stats::Call::equivalent) continue;
    const bool differs = answer.call == stats::Call::changed;
    if (!differs && judges_time(own)) continue;
    auto& list = differs ? changed : same;
    list.push_back(counted(before, after, metric, {*one.before_count, *one.after_count}, answer.call));
    // Of either side: a change cannot ungate itself.
    if (is_gated(*before.definition, metric.name)) list.back().metric.gated = true;
    if (differs) say_what_changed(list.back(), own, other_libtorch);
  }
  add_lost_counts(before, after, own, other_libtorch, changed);
  // Where counts are all that is judged, a case whose counts are the same is an answer too, and one is enough.
  if (changed.empty() && !same.empty()) {
    add_reason(same.front(), ReasonKind::counted,
               base::counted(same.size(), "counted metric is", "counted metrics are") + " the same");
    changed.push_back(std::move(same.front()));
  }
  return changed;
}

}  // namespace torchgate::gate
