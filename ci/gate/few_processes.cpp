// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/few_processes.hpp"

#include <algorithm>

#include "harness/record/imported.hpp"
#include "reports/facts/about_states.hpp"

namespace torchgate::gate {
namespace {

// One process of a shared machine is 20 % off now and then (turns of other programs); what grew by more than four gates is left to a person.
constexpr double gates_of_a_large_growth = 4;

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

}  // namespace

void guard_few_processes(std::vector<Judged>& compared, const record::Run& baseline, const record::Run& current,
                         policy::CasePolicies& policies) {
  for (Judged& judged : compared) {
    if (!is_unjudged(judged)) continue;
    if (worse_ratio(judged) < 1 + gates_of_a_large_growth * policies.of(judged.case_name()).latency) continue;
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

}  // namespace torchgate::gate
