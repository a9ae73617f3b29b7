// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/exact_findings.hpp"

#include <fmt/format.h>

#include "ci/gate/outcome.hpp"

namespace torchgate::gate {

std::vector<reports::Finding> exact_findings(const CaseEvidence& before, const CaseEvidence& after,
                                             const Policy& policy, bool other_libtorch) {
  std::vector<reports::Finding> findings;
  for (const record::Metric& metric : after.definition->metrics) {
    if (metric.kind != record::MetricKind::exact) continue;
    const auto was = exact_value(before, metric.name);
    const auto is = exact_value(after, metric.name);
    if (!was || !is || *was == *is) continue;
    reports::Finding finding;
    finding.case_name = after.definition->name;
    finding.metric = metric;
    finding.verdict = reports::Verdict::changed;
    finding.effect = other_libtorch ? reports::GateEffect::note : effect_of(policy.changed);
    finding.before.emplace();
    finding.before->value = *was;
    finding.before->processes = static_cast<std::int64_t>(before.measured.size());
    finding.after.emplace();
    finding.after->value = *is;
    finding.after->processes = static_cast<std::int64_t>(after.measured.size());
    if (*was > 0) finding.change = *is / *was - 1;
    if (other_libtorch) finding.reasons.emplace_back("LibTorch itself differs: listed, not judged");
    if (metric.name == "peak_bytes" && finding.change && *finding.change >= policy.peak_memory) {
      finding.reasons.push_back(fmt::format("peak memory grew by at least {:g} %", policy.peak_memory * 100));
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace torchgate::gate
