// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/large_growth.hpp"

#include <algorithm>
#include <cmath>

#include "harness/record/imported.hpp"
#include "reports/facts/about_states.hpp"
#include "stats/quantile.hpp"

namespace torchgate::gate {
namespace {

// One process of a shared machine is 20 % off now and then (turns of other programs); what grew by more than four gates is left to a person.
constexpr double gates_of_a_large_growth = 4;

bool is_large(double worse_ratio, const Judged& judged, policy::CasePolicies& policies) {
  return worse_ratio >= 1 + gates_of_a_large_growth * policies.of(judged.case_name()).latency;
}

// Of its group in this run, as planned. The plan of an imported run is not known: there its files count. RUN may be absent.
std::int64_t processes_that_should_have(const CaseEvidence& evidence, const record::Run* run) {
  if (run == nullptr || record::is_imported(*run)) return evidence.processes;
  return std::max(evidence.processes, run->plan.processes);
}

bool is_unjudged(const Judged& judged) {
  return judged.metric.primary && judged.metric.kind == record::MetricKind::timed && judged.before != nullptr &&
         judged.after != nullptr && judged.decision.verdict == reports::Verdict::inconclusive && !judged.decision.p &&
         judged.other_machine.empty() && judged.decision.change.has_value();
}

bool is_left_open(const Judged& judged) {
  const reports::Verdict verdict = judged.decision.verdict;
  return judged.metric.primary && judged.metric.kind == record::MetricKind::timed && judged.before != nullptr &&
         judged.after != nullptr && judged.other_machine.empty() && !judged.in_units &&
         (verdict == reports::Verdict::inconclusive ||
          (verdict == reports::Verdict::suspected && !(judged.unconfirmed && judged.unconfirmed->beyond_gate)));
}

struct Growth {
  double log = 0;          // of the medians of the processes
  bool all_apart = false;  // without leaving any out
};

// By which the case got worse, where all values but the worst one before and the best one after are apart.
std::optional<Growth> growth_without_odd_processes(std::vector<double> before, std::vector<double> after) {
  // So are equal sides by chance: 10 % of those with five processes each, 24 % of those with four.
  constexpr std::size_t fewest = 5;
  if (before.size() < fewest || after.size() < fewest) return std::nullopt;
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  if (before[before.size() - 2] >= after[1]) return std::nullopt;
  return Growth{*stats::median(after) - *stats::median(before), before.back() < after.front()};
}

}  // namespace

void guard_few_processes(std::vector<Judged>& compared, const record::Run& baseline, const record::Run& current,
                         policy::CasePolicies& policies) {
  for (Judged& judged : compared) {
    if (!is_unjudged(judged)) continue;
    if (!is_large(worse_ratio(judged), judged, policies)) continue;
    const std::int64_t before =
        processes_that_should_have(*judged.before, judged.older_run.empty() ? &baseline : nullptr);
    const std::int64_t after = processes_that_should_have(*judged.after, &current);
    const bool lacks_before = judged.before_processes < before;
    if (!lacks_before && judged.after_processes >= after) continue;
    judged.forbids_pass = true;
    const std::int64_t have = lacks_before ? judged.before_processes : judged.after_processes;
    add_reason(judged, ReasonKind::basis,
               facts::in_few_processes(*judged.decision.change, have, lacks_before ? before : after,
                                       lacks_before ? "the baseline" : "this run"));
  }
}

void guard_odd_process(std::vector<Judged>& compared, policy::CasePolicies& policies) {
  for (Judged& judged : compared) {
    if (!is_left_open(judged) || policies.of(judged.case_name()).unconfirmed == policy::Unconfirmed::warn) continue;
    const auto growth = growth_without_odd_processes(process_values(*judged.before, judged.metric).worse_logs,
                                                     process_values(*judged.after, judged.metric).worse_logs);
    if (!growth || !is_large(std::exp(growth->log), judged, policies)) continue;
    judged.forbids_pass = true;
    const double change = std::expm1(record::orientation(judged.metric) * growth->log);
    add_reason(judged, ReasonKind::basis, (growth->all_apart ? facts::all_apart : facts::odd_process)(change));
  }
}

}  // namespace torchgate::gate
