// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/metric_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/evidence/usable_result.hpp"

namespace torchgate::gate {

std::optional<Judged> metric_state(const CaseEvidence& before, const CaseEvidence& after,
                                   const record::Metric& metric) {
  if (metric.primary) return std::nullopt;
  if (const record::Metric* const was = metric_named(*before.definition, metric.name)) {
    if (const auto why = meaning_differs(*was, metric)) {
      Judged judged = judged_state(*after.definition, reports::Verdict::not_comparable,
                                   "measured on both sides, not comparable: " + *why);
      judged.metric = metric;
      return judged;
    }
  }
  const auto unusable = [&](const CaseProcess& one) { return unusable_because(*one.result, metric); };
  const bool was_measured = std::any_of(before.measured.begin(), before.measured.end(),
                                        [&](const CaseProcess& one) { return !unusable(one); });
  if (!was_measured) return std::nullopt;
  std::size_t processes = 0;
  std::optional<std::string> first;
  for (const CaseProcess& one : after.measured) {
    auto why = unusable(one);
    if (!why) continue;
    ++processes;
    if (!first) first = std::move(why);
  }
  if (!first) return std::nullopt;
  Judged judged;
  judged.definition = after.definition;
  judged.metric = metric;
  judged.decision.verdict =
      process_values(after, metric).medians.empty() ? reports::Verdict::missing : reports::Verdict::failed;
  add_reason(judged, ReasonKind::state, fmt::format("in {} of {} processes: {}", processes, after.processes, *first));
  return judged;
}

}  // namespace torchgate::gate
