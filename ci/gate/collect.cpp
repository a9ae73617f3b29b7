// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/collect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/counted.hpp"
#include "ci/gate/evidence/case_state.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/gate/evidence/libtorch.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/evidence/metric_state.hpp"
#include "ci/gate/evidence/numbers.hpp"
#include "ci/gate/evidence/unchanged_groups.hpp"
#include "ci/gate/own_settings.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {
namespace {

class Collector {
 public:
  Collector(const StoredSides& sides, policy::CasePolicies& policies, const policy::Policy& policy)
      : sides_(sides),
        policies_(policies),
        policy_(policy),
        other_libtorch_(libtorch_differs(sides.stored.front().run(), sides.current.run())),
        same_profile_(sides.stored.front().run().plan.profile == sides.current.run().plan.profile),
        unchanged_(sides.stored.front().run(), sides.current.run()) {}

  Screened collect() {
    const auto cases = cases_of(sides_.stored.front(), sides_.current);
    const std::size_t most = judges_time(policy_) ? cases.size() + metrics_beside_primary(cases, policies_) : 0;
    collected_.compared.reserve(most);
    collected_.series.reserve(most);
    for (const auto& [name, definition] : cases)
      collect_case(sides_.stored.front().find(name), sides_.current.find(name));
    return std::move(collected_);
  }

 private:
  void collect_case(const CaseEvidence* before, const CaseEvidence* after) {
    if (after != nullptr) {
      if (auto state = unchanged_.state(before, *after)) {
        collected_.unchanged += state->decision.verdict == reports::Verdict::unchanged ? 1 : 0;
        collected_.settled.push_back(*std::move(state));
        return;
      }
    }
    if (auto state = case_state(before, after, sides_.current, same_profile_)) {
      if (sides_.current.run().interrupted && state->decision.verdict == reports::Verdict::missing)
        state->action_rule = ActionRule::not_its_turn;
      collected_.settled.push_back(*std::move(state));
      return;
    }
    if (after == nullptr && !before->measured.empty()) ++collected_.not_planned;
    if (before == nullptr || after == nullptr) return;  // in the baseline, and not in this run's plan
    if (primary_metric(*after->definition) == nullptr) return;
    const policy::Policy& own = policies_.of(after->definition->name);
    for (const record::Metric* metric : judged_metrics(*after->definition, own)) {
      if (auto state = metric_state(*before, *after, *metric)) {
        collected_.settled.push_back(*std::move(state));
      } else if (judges_time(policy_)) {
        collect_metric(*before, *after, *metric);
      }
    }
    auto counts = counted_metrics(*before, *after, own, other_libtorch_);
    std::move(counts.begin(), counts.end(), std::back_inserter(collected_.settled));
  }

  // Nothing when a side has no numbers of this metric: of a primary one it always has.
  void collect_metric(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric) {
    ProcessValues before_values = process_values(before, metric);
    ProcessValues after_values = process_values(after, metric);
    if (before_values.medians.empty() || after_values.medians.empty()) return;
    Judged judged = compared(before, after, metric, before_values, after_values);
    add_reasons(judged, ReasonKind::measured, loss_reasons(before, "baseline"));
    add_reasons(judged, ReasonKind::measured, loss_reasons(after, "this run"));
    ComparedSeries series;
    series.stored.reserve(sides_.stored.size());
    series.stored.push_back(std::move(before_values.worse_logs));
    series.current = std::move(after_values.worse_logs);
    if (stats::rule_reads(policy_.rule, stats::Reads::raw_samples)) {
      series.before_samples = timed_evidence(before, metric).samples;
      series.after_samples = timed_evidence(after, metric).samples;
    }
    add_earlier_runs(judged, series);
    collected_.compared.push_back(std::move(judged));
    collected_.series.push_back(std::move(series));
  }

  void add_earlier_runs(Judged& judged, ComparedSeries& series) const {
    if (sides_.stored.size() == 1) return;
    judged.pooled.push_back(judged.before);
    for (std::size_t i = 1; i < sides_.stored.size(); ++i) {
      const CaseEvidence* earlier = judged.pooled.emplace_back(sides_.stored[i].find(judged.case_name()));
      const bool comparable = earlier != nullptr && earlier->definition->protocol == judged.definition->protocol;
      // An empty place keeps the runs in step with the drift of each.
      series.stored.push_back(comparable ? process_values(*earlier, judged.metric).worse_logs : std::vector<double>{});
    }
  }

  const StoredSides& sides_;
  policy::CasePolicies& policies_;
  const policy::Policy& policy_;
  bool other_libtorch_;
  bool same_profile_;
  UnchangedGroups unchanged_;
  Screened collected_;
};

std::int64_t runnable_cases(const record::Run& run) {
  return std::count_if(run.cases.begin(), run.cases.end(), [](const record::Case& each) { return !each.skipped; });
}

}  // namespace

StoredSides::StoredSides(const StoredComparison& comparison) : current(*comparison.current, 0) {
  for (const record::Run* run : comparison.baseline) stored.emplace_back(*run, 0);
}

Judged compared(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                const ProcessValues& before_values, const ProcessValues& after_values) {
  Judged judged;
  judged.definition = after.definition;
  judged.metric = metric;
  judged.before = &before;
  judged.after = &after;
  judged.before_processes = static_cast<std::int64_t>(before_values.medians.size());
  judged.after_processes = static_cast<std::int64_t>(after_values.medians.size());
  if (after_values.calls_per_sample > 1 && shows_percentiles(after_values)) {
    add_reason(
        judged, ReasonKind::measured,
        fmt::format("its percentiles are of blocks of {} calls, not of single calls", after_values.calls_per_sample));
  }
  return judged;
}

Screened collect(const StoredSides& sides, policy::CasePolicies& policies, const policy::Policy& policy,
                 Remarks& remarks) {
  const record::Run& current = sides.current.run();
  if (!current.processes.empty() && same_objects(sides.stored.front().run(), current)) {
    remarks.notes.emplace_back(
        "both sides ran the same executables and libraries: what differs is noise of the machine");
  }
  Screened collected = Collector(sides, policies, policy).collect();
  if (collected.unchanged > 0)
    remarks.notes.push_back(unchanged_sentence(collected.unchanged, runnable_cases(current)));
  if (collected.not_planned > 0)  // without a word, a filter would pass what it hides
    remarks.notes.push_back(not_planned_sentence(collected.not_planned, current.plan));
  return collected;
}

}  // namespace torchgate::gate
