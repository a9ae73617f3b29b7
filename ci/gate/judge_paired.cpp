// SPDX-License-Identifier: Apache-2.0
// A paired run, judged by its own pairs: the stages in their order, and the report of what they decided.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/assessment.hpp"
#include "ci/gate/claim_findings.hpp"
#include "ci/gate/evidence/fitness.hpp"
#include "ci/gate/evidence/headers.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/gate/evidence/libtorch.hpp"
#include "ci/gate/evidence/one_clock.hpp"
#include "ci/gate/evidence/vary.hpp"
#include "ci/gate/guards.hpp"
#include "ci/gate/instructions/judge_instructions.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/paired_cases.hpp"
#include "ci/gate/pairs/pair_inputs.hpp"
#include "ci/gate/pairs/uncompared.hpp"
#include "ci/gate/upgrade/upgrade_report.hpp"
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

// Larger is worse.
double slow_down(const reports::Finding& finding) {
  const double change = finding.change.value_or(0);
  return finding.metric.direction == record::Direction::lower_is_better ? change : 1 / (1 + change) - 1;
}

std::vector<std::string> cases_with_other_times(const reports::Report& report) {
  std::vector<std::string> cases;
  for (const reports::Finding& finding : report.findings) {
    const bool other = finding.verdict == reports::Verdict::regressed || finding.verdict == reports::Verdict::improved;
    if (other && finding.metric.kind == record::MetricKind::timed &&
        std::find(cases.begin(), cases.end(), finding.case_name) == cases.end())
      cases.push_back(finding.case_name);
  }
  return cases;
}

// The largest slow-down first.
std::vector<const reports::Finding*> open_times(const reports::Report& report, const record::Run& pairs) {
  std::map<std::string_view, const record::Case*> definitions;
  for (const record::Case& each : pairs.cases) definitions.emplace(each.name, &each);
  std::set<std::string_view> counted;
  for (const record::InstructionCount& each : pairs.instructions) counted.insert(each.case_name);
  std::vector<const reports::Finding*> open;
  for (const reports::Finding& finding : report.findings) {
    const bool timed = finding.metric.primary && finding.metric.kind == record::MetricKind::timed;
    const auto definition = definitions.find(finding.case_name);
    if (timed && is_undecided(finding.verdict) && definition != definitions.end() &&
        !counted.contains(finding.case_name) && !same_objects_ran(pairs, definition->second->group))
      open.push_back(&finding);
  }
  std::stable_sort(open.begin(), open.end(),
                   [](const auto* a, const auto* b) { return slow_down(*a) > slow_down(*b); });
  return open;
}

}  // namespace

FollowUp follow_up(const record::Run& pairs, const policy::Judging& policy) {
  FollowUp found;
  const auto report = judge_paired(pairs, policy);
  if (!report) return found;
  found.other_times = cases_with_other_times(*report);
  for (const reports::Finding* finding : open_times(*report, pairs))
    (slow_down(*finding) >= policy.latency / 2 ? found.open_slower : found.open_others).push_back(finding->case_name);
  return found;
}

namespace {

reports::Report judged_pairs(const record::Run& run, const policy::Judging& policy) {
  Assessment assessment{report_with_headers(run, policy), {}, {}, incomplete_because(run)};
  Remarks& remarks = assessment.remarks;
  const std::vector<LabelledRun> here{{&run, "the pairs"}};
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
  guard_pairs(cases, guarded, policies, policy, remarks);
  assessment.report.claims = claim_findings(after, policy);
  const auto unfit = unfit_because(here, policy);
  assessment.report.unfit = unfit.has_value();
  last_stages(assessment, {&before, &after, unfit, unfit, {counts_of_pairs(run)}}, policies, policy);
  auto report = report_of(std::move(assessment), policies, policy);
  fill_upgrade(before, after, libtorch_differs(run, 0, run, 1), report);
  return report;
}

}  // namespace

base::Result<reports::Report> judge_paired(const record::Run& run, const policy::Judging& policy) {
  if (run.sides.size() != 2) {
    return base::Error{base::ErrorCode::bad_input,
                       fmt::format("run {} has one side: pairs come from `torchgate ab`", run.id)};
  }
  const auto converted = pairs_in_real_time(run);
  return judged_pairs(converted ? *converted : run, policy);
}

}  // namespace torchgate::gate
