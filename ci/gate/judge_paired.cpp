// SPDX-License-Identifier: Apache-2.0
// A paired run, judged by its own pairs: the stages in their order, and the report of what they decided.
#include <fmt/format.h>

#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/assessment.hpp"
#include "ci/gate/claim_findings.hpp"
#include "ci/gate/evidence/fitness.hpp"
#include "ci/gate/evidence/headers.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/gate/evidence/vary.hpp"
#include "ci/gate/guards.hpp"
#include "ci/gate/instructions/judge_instructions.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/paired_cases.hpp"
#include "ci/gate/pairs/uncompared.hpp"
#include "reports/facts/about_tests.hpp"

namespace torchgate::gate {
namespace {

reports::Report report_with_headers(const record::Run& run, const policy::Judging& policy) {
  reports::Report report = report_under(policy);
  report.before = side_header(run, 0, run.sides[0].label);
  report.after = side_header(run, 1, run.sides[1].label);
  report.paired = true;
  report.differences = side_differences(run);
  accept_varied(report, policy.vary);
  return report;
}

// Without --instructions, a run has counts of the cases that its times left open, and those are judged with them.
CountedSides asked_counts(const record::Run& run, const SideEvidence& before, const SideEvidence& after) {
  CountedSides sides{{&run, 0}, {&run, 1}, &before, &after};
  sides.gated_only = !run.plan.count;
  return sides;
}

}  // namespace

base::Result<reports::Report> judge_paired(const record::Run& run, const policy::Judging& policy) {
  if (run.sides.size() != 2) {
    return base::Error{base::ErrorCode::bad_input,
                       fmt::format("run {} has one side: pairs come from `torchgate ab`", run.id)};
  }
  Assessment assessment{report_with_headers(run, policy), {}, {}, incomplete_because(run)};
  Remarks& remarks = assessment.remarks;
  const std::vector<LabelledRun> here{{&run, "this run"}};
  add_machine_findings(remarks, here, policy);
  add_run_doubts(remarks, here);
  const SideEvidence before(run, 0);
  const SideEvidence after(run, 1);
  policy::CasePolicies policies(policy);
  std::vector<Judged>& cases = assessment.cases;
  cases = judge_paired_cases(before, after, policies, policy, remarks);
  mention_failed_before(cases, before, remarks);
  judge_instructions(asked_counts(run, before, after), policies, policy, cases, remarks);
  if (!judges_time(policy)) remarks.notes.emplace_back(facts::times_not_judged());
  GuardedPairs guarded{&run};
  guarded.alone = true;
  guard_pairs(cases, guarded, policy, remarks);
  assessment.report.claims = claim_findings(after, policy);
  const auto unfit = unfit_of(here, policy);
  assessment.report.unfit = unfit.has_value();
  last_stages(assessment, {&before, &after, unfit, unfit, {counts_of_pairs(run)}}, policies, policy);
  return report_of(std::move(assessment), policies, policy);
}

}  // namespace torchgate::gate
