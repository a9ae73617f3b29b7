// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/removed_metrics.hpp"

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/evidence/varying_counts.hpp"
#include "ci/gate/evidence/work.hpp"
#include "ci/gate/own_settings.hpp"
#include "reports/facts/about_states.hpp"

namespace torchgate::gate {
namespace {

// A judged time that is now of another clock and not judged, as the CPU time of all threads without /process_time: what is judged of the after side
// does not have it. A rate per another clock is judged by its work (work.cpp), and what the policy names is judged whatever its program asks for.
bool is_unjudged_by_other_clock(const CaseEvidence& before, const record::Metric& was, const record::Metric& now,
                                const policy::CaseSettings& own) {
  return was.judged && !now.judged && was.direction == record::Direction::lower_is_better &&
         now.direction == was.direction && clocks_differ(before, now) && !own.metrics.contains(was.name);
}

}  // namespace

std::vector<Judged> removed_metrics(const CaseEvidence& before, const CaseEvidence& after,
                                    const policy::CaseSettings& own) {
  std::vector<const record::Metric*> metrics = may_be_judged(*before.definition, own);
  if (metrics.empty() && own.metrics.empty()) return {};
  for (const record::Metric* metric : judged_metrics(*before.definition, own)) metrics.push_back(metric);
  std::vector<Judged> removed;
  for (const record::Metric* metric : metrics) {
    const record::Metric* const now = metric_named(*after.definition, metric->name);
    const bool may_be_compared =
        now != nullptr && now->kind == metric->kind && !is_unjudged_by_other_clock(before, *metric, *now, own);
    if (metric->primary || may_be_compared) continue;
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
