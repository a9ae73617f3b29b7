// SPDX-License-Identifier: Apache-2.0
// A run against stored ones: the report of what the stages (stored_cases) decided.
#include <algorithm>
#include <iterator>
#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/claim_findings.hpp"
#include "ci/gate/evidence/headers.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/gate/evidence/libtorch.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/evidence/one_clock.hpp"
#include "ci/gate/evidence/one_sided_facts.hpp"
#include "ci/gate/evidence/same_files.hpp"
#include "ci/gate/evidence/sides_in_order.hpp"
#include "ci/gate/evidence/unchanged_groups.hpp"
#include "ci/gate/evidence/vary.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/stored_cases.hpp"
#include "ci/gate/upgrade/upgrade_report.hpp"
#include "ci/gate/weaker_run.hpp"
#include "harness/record/cuda_cases.hpp"
#include "harness/record/imported.hpp"
#include "reports/facts/about_inputs.hpp"
#include "reports/facts/about_machine.hpp"
#include "reports/facts/about_outcome.hpp"

namespace torchgate::gate {
namespace {

reports::Report report_with_headers(const Comparison& comparison, const policy::Judging& policy) {
  reports::Report report = report_under(policy);
  report.before = side_header(*comparison.baseline.front(), 0, "baseline");
  for (std::size_t i = 1; i < comparison.baseline.size(); ++i)
    report.before.run_ids.push_back(comparison.baseline[i]->id);
  report.after = side_header(*comparison.current, 0, "this run");
  report.differences = machine_differences(comparison.baseline.front()->machine, comparison.current->machine);
  std::ranges::move(one_sided_facts(*comparison.baseline.front(), *comparison.current),
                    std::back_inserter(report.differences));
  accept_varied(report, policy.vary);
  return report;
}

void doubt_order(Remarks& remarks, const Comparison& comparison) {
  const record::Run& before = *comparison.baseline.front();
  const record::Run& after = *comparison.current;
  if (!comparison.sides_named && !(record::is_imported(before) && record::is_imported(after))) return;
  if (auto swapped = swapped_sides(before, after))
    remarks.doubts.emplace_back(*std::move(swapped), reports::DoubtKind::inputs);
}

// Pairs are measured with the settings of this run, and say nothing of the stored times that others were compared with.
void doubt_settings(Remarks& remarks, const Comparison& comparison, const policy::Gate& policy) {
  if (!judges_time(policy) || measured_nothing(*comparison.current)) return;
  for (facts::Fact& differs : other_settings(*comparison.current, comparison.baseline))
    remarks.doubts.emplace_back(std::move(differs));
}

// Stored runs whose times say nothing of this machine: where the host is not known, all; of CUDA cases those of another device.
void doubt_other_machines(Remarks& remarks, const Comparison& comparison) {
  if (auto why = host_unknown(comparison.baseline.front()->machine, comparison.current->machine)) {
    remarks.doubts.emplace_back(facts::times_not_compared(*std::move(why)), reports::DoubtKind::other_machine);
    return;
  }
  if (!record::has_cuda_cases(*comparison.current)) return;
  const record::Run* first = nullptr;
  std::optional<facts::Fact> why;  // of the first
  std::size_t others = 0;
  std::size_t all = 0;
  for (const record::Run* const stored : comparison.baseline) {
    if (!record::has_cuda_cases(*stored)) continue;
    ++all;
    auto differs = devices_differ(stored->machine, comparison.current->machine);
    if (!differs || ++others > 1) continue;
    first = stored;
    why = std::move(differs);
  }
  if (!why) return;
  remarks.doubts.emplace_back(others == all ? facts::cuda_times_not_compared(*std::move(why))
                                            : facts::cuda_times_excluded(others, first->id, *std::move(why)),
                              reports::DoubtKind::other_machine);
}

void doubt_copies(Remarks& remarks, const Comparison& comparison) {
  for (const record::Run* const stored : comparison.baseline) {
    std::vector<std::string> same = files_with_same_numbers(*stored, *comparison.current);
    if (!same.empty())
      remarks.doubts.emplace_back(facts::files_with_same_numbers(std::move(same)), reports::DoubtKind::inputs);
  }
}

// What is said of the runs before anything is judged.
Remarks remarks_on_runs(const Comparison& comparison, const policy::Gate& policy) {
  Remarks remarks{{comparison.notes.begin(), comparison.notes.end()}, comparison.doubts};
  std::vector<LabelledRun> runs = sides_of(comparison);
  if (comparison.pairs != nullptr) runs.emplace_back(comparison.pairs, "the pairs");
  if (measured_nothing(*comparison.current)) {
    std::erase_if(remarks.doubts, [](const auto& doubt) { return doubt.kind == reports::DoubtKind::separate_runs; });
  } else {
    add_machine_findings(remarks, runs, policy);
    if (judges_time(policy)) doubt_other_machines(remarks, comparison);
  }
  add_run_doubts(remarks, runs);
  doubt_order(remarks, comparison);
  doubt_copies(remarks, comparison);
  doubt_settings(remarks, comparison, policy);
  return remarks;
}

// A suspect that pairs could not clear, and that the policy does not accept, does not pass either where it does not fail.
facts::Fact uncompared_because(const std::vector<Judged>& cases, policy::CasePolicies& policies) {
  const Judged* first = nullptr;
  std::size_t open = 0;
  for (const Judged& judged : cases) {
    if (!judged.uncompared || judged.waived || judged.decision.verdict != reports::Verdict::suspected) continue;
    if (policies.of(judged.case_name()).unconfirmed == policy::Unconfirmed::warn) continue;
    if (first == nullptr) first = &judged;
    ++open;
  }
  return first == nullptr ? facts::Fact() : facts::suspects_stay_open(open, *first->uncompared);
}

reports::Report judge(const Comparison& comparison, const policy::Judging& policy) {
  reports::Report report = report_with_headers(comparison, policy);
  if (const auto why = refuse_comparison(comparison.baseline.front()->machine, comparison.current->machine)) {
    report.headline = *why;
    report.upgrade.reset();  // nothing was compared
    report.notes.insert(report.notes.end(), comparison.notes.begin(), comparison.notes.end());
    report.doubts = comparison.doubts;
    report.doubts.insert(report.doubts.begin(), facts::never_compared(*why));
    return report;
  }
  const StoredSides sides(comparison);
  policy::CasePolicies policies(policy);
  const auto unfit = unfit_because(comparison, policy);
  Assessment assessment{
      std::move(report), {}, remarks_on_runs(comparison, policy), incomplete_because(*comparison.current)};
  assessment.report.unfit = unfit.has_value();
  assessment.report.claims = claim_findings(sides.current, policy, sides.stored);
  judge_stored_cases(comparison, sides, unfit, policies, policy, assessment);
  if (assessment.incomplete.empty() && comparison.pairs != nullptr)
    assessment.incomplete = groups_without_pairs(comparison.pairs->plan);
  if (assessment.incomplete.empty()) assessment.incomplete = uncompared_because(assessment.cases, policies);
  report = report_of(std::move(assessment), policies, policy);
  fill_upgrade(sides.stored.front(), sides.current, libtorch_differs(*comparison.baseline.front(), *comparison.current),
               report);
  return report;
}

}  // namespace

base::Result<reports::Report> judge_stored(const Comparison& comparison, const policy::Judging& policy) {
  if (auto checked = check_runs(comparison.baseline, *comparison.current); !checked) return checked.error();
  std::vector<record::Run> converted;
  return judge(without_unfit(without_other_hosts(in_one_clock(comparison, converted)), policy), policy);
}

}  // namespace torchgate::gate
