// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/exact_findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ci/gate/answer.hpp"
#include "ci/gate/outcome.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {

namespace {

reports::Finding counted(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                         double was, double is) {
  reports::Finding finding;
  finding.case_name = after.definition->name;
  finding.metric = metric;
  finding.before.emplace();
  finding.before->value = was;
  finding.before->processes = static_cast<std::int64_t>(before.measured.size());
  finding.after.emplace();
  finding.after->value = is;
  finding.after->processes = static_cast<std::int64_t>(after.measured.size());
  if (was > 0) finding.change = is / was - 1;
  return finding;
}

void say_what_changed(reports::Finding& finding, const policy::Policy& policy, bool other_libtorch) {
  finding.verdict = reports::Verdict::changed;
  finding.effect = other_libtorch ? reports::GateEffect::note : changed_effect(finding.metric.name, policy);
  if (other_libtorch) finding.reasons.emplace_back("LibTorch itself differs: listed, not judged");
  if (finding.metric.name == "peak_bytes" && finding.change && *finding.change >= policy.peak_memory) {
    finding.reasons.push_back(fmt::format("peak memory grew by at least {:g} %", policy.peak_memory * 100));
    // The stricter of the two: a growth of memory is a changed count as well.
    if (!other_libtorch) finding.effect = std::min(finding.effect, effect_of(policy.memory));
  }
}

}  // namespace

std::vector<reports::Finding> exact_findings(const CaseEvidence& before, const CaseEvidence& after,
                                             const policy::Policy& policy, bool other_libtorch) {
  std::vector<reports::Finding> findings;
  std::vector<reports::Finding> same;
  const stats::Rule& rule = stats::exact_rule();
  for (const record::Metric& metric : after.definition->metrics) {
    if (metric.kind != record::MetricKind::exact) continue;
    stats::CaseNumbers one;
    one.before_count = exact_value(before, metric.name);
    one.after_count = exact_value(after, metric.name);
    const stats::RuleAnswer answer = rule.judge(std::span(&one, 1), {}).front();
    if (answer.call != stats::Call::changed && answer.call != stats::Call::equivalent) continue;
    const bool changed = answer.call == stats::Call::changed;
    if (!changed && judges_time(policy)) continue;
    auto& list = changed ? findings : same;
    list.push_back(counted(before, after, metric, *one.before_count, *one.after_count));
    if (changed) say_what_changed(list.back(), policy, other_libtorch);
  }
  // Where counts are all that is judged, a case whose counts are the same is an answer too, and one is enough.
  if (findings.empty() && !same.empty()) {
    same.front().verdict = reports::Verdict::equivalent;
    same.front().effect = reports::GateEffect::pass;
    same.front().reasons.push_back(
        fmt::format("{} counted {} the same", same.size(), same.size() == 1 ? "metric is" : "metrics are"));
    findings.push_back(std::move(same.front()));
  }
  return findings;
}

}  // namespace torchgate::gate
