// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/removed_metrics.hpp"

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/evidence/varying_counts.hpp"
#include "ci/gate/evidence/work.hpp"
#include "ci/gate/own_settings.hpp"
#include "reports/facts/about_states.hpp"

namespace torchgate::gate {

std::vector<Judged> removed_metrics(const CaseEvidence& before, const CaseEvidence& after,
                                    const policy::CaseSettings& own) {
  std::vector<const record::Metric*> metrics = may_be_judged(*before.definition, own);
  if (metrics.empty() && own.metrics.empty()) return {};
  for (const record::Metric* metric : judged_metrics(*before.definition, own)) metrics.push_back(metric);
  std::vector<Judged> removed;
  for (const record::Metric* metric : metrics) {
    const record::Metric* const now = metric_named(*after.definition, metric->name);
    if (metric->primary || (now != nullptr && now->kind == metric->kind)) continue;
    if (process_values(before, *metric).medians.empty()) continue;
    if (now == nullptr && is_count_now(after, metric->name)) continue;  // compared as a count
    removed.push_back(now == nullptr ? judged_state(*after.definition, reports::Verdict::missing, facts::metric_gone)
                                     : judged_state(*after.definition, reports::Verdict::not_comparable,
                                                    facts::not_comparable(*meaning_differs(*metric, *now))));
    removed.back().metric = *metric;
  }
  return removed;
}

}  // namespace torchgate::gate
