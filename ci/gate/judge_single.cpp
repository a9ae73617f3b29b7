// SPDX-License-Identifier: Apache-2.0
// One run alone: what it measured, what failed in it, and whether it keeps its claims.
#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "ci/gate/action.hpp"
#include "ci/gate/budgets.hpp"
#include "ci/gate/claim_findings.hpp"
#include "ci/gate/evidence/case_state.hpp"
#include "ci/gate/evidence/fitness.hpp"
#include "ci/gate/evidence/headers.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/gate/evidence/unchanged_groups.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/outcome.hpp"
#include "reports/facts/about_outcome.hpp"

namespace torchgate::gate {
namespace {

// The states of all cases: without anything to compare with, one that was measured is a new one.
std::vector<Judged> single_cases(const SideEvidence& side) {
  std::vector<Judged> cases;
  for (const auto& [name, evidence] : side.cases()) {
    auto judged = case_state(nullptr, evidence, nullptr, side);
    if (!judged) continue;
    if (auto why = not_measured_because_unchanged(side.run(), evidence.definition->group);
        !why.empty() && evidence.processes == 0 && !evidence.definition->skipped)
      judged = judged_state(*evidence.definition, reports::Verdict::skipped, std::move(why));
    if (judged->decision.verdict == reports::Verdict::new_case && primary_metric(*evidence.definition) != nullptr) {
      const ProcessValues values = process_values(evidence, judged->metric);
      if (!values.medians.empty()) judged->after = &evidence;
      judged->after_processes = static_cast<std::int64_t>(values.medians.size());
      judged->reasons.clear();
      add_reasons(*judged, ReasonKind::measured, loss_reasons(evidence, "this run"));
    }
    cases.push_back(*std::move(judged));
  }
  return cases;
}

std::int64_t measured(const std::vector<Judged>& cases) {
  std::int64_t count = 0;
  for (const Judged& judged : cases) {
    const bool has_metric = primary_metric(*judged.definition) != nullptr;
    count += judged.decision.verdict == reports::Verdict::new_case && has_metric ? 1 : 0;
  }
  return count;
}

}  // namespace

base::Result<reports::Report> describe_run(const record::Run& run, const policy::Judging& policy) {
  if (run.sides.size() != 1) {
    return base::Error{base::ErrorCode::bad_input,
                       fmt::format("run {0} already contains both sides; use `torchgate report {0}`", run.id)};
  }
  reports::Report report = report_under(policy);
  report.after = side_header(run, 0, "this run");
  const std::vector<LabelledRun> here{{&run, "this run"}};
  Remarks remarks;
  add_machine_findings(remarks, here, policy);
  add_run_doubts(remarks, here);
  const SideEvidence side(run, 0);
  std::vector<Judged> cases = single_cases(side);
  report.claims = claim_findings(side, policy);
  if (const auto why = unfit_because(here, policy)) {
    distrust_times(cases, *why);
    distrust_claims(report.claims, *why);
  }
  policy::CasePolicies policies(policy);
  for (std::string& one : policies.notes(cases_of(side, side))) remarks.notes.push_back(std::move(one));
  judge_budgets(cases, nullptr, side, policies, policy, !unfit_because(here, policy), remarks);
  for (Judged& judged : cases) settle_action(judged, policies.of(judged.case_name()));
  const std::int64_t count = measured(cases);
  report.headline = facts::cases_measured(count);
  conclude(report, std::move(cases), std::move(remarks), incomplete_because(run), policy.min_decided);
  return report;
}

}  // namespace torchgate::gate
