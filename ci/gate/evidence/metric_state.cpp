// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/metric_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "ci/gate/evidence/usable_result.hpp"
#include "ci/gate/outcome.hpp"

namespace torchgate::gate {

bool add_metric_state(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                      const policy::Policy& policy_of_case, reports::Report& report) {
  if (metric.primary) return false;
  const auto unusable = [&](const CaseProcess& one) { return unusable_because(*one.result, metric); };
  const bool was_measured = std::any_of(before.measured.begin(), before.measured.end(),
                                        [&](const CaseProcess& one) { return !unusable(one); });
  if (!was_measured) return false;
  std::size_t processes = 0;
  std::optional<std::string> first;
  for (const CaseProcess& one : after.measured) {
    auto why = unusable(one);
    if (!why) continue;
    ++processes;
    if (!first) first = std::move(why);
  }
  if (!first) return false;
  reports::Finding finding;
  finding.case_name = after.definition->name;
  finding.metric = metric;
  finding.verdict =
      timed_evidence(after, metric).medians.empty() ? reports::Verdict::missing : reports::Verdict::failed;
  finding.reasons.push_back(fmt::format("in {} of {} processes: {}", processes, after.processes, *first));
  set_plain_effect(finding, policy_of_case);
  report.findings.push_back(std::move(finding));
  return true;
}

}  // namespace torchgate::gate
