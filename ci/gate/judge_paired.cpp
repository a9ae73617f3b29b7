// SPDX-License-Identifier: Apache-2.0
// A paired run, judged by its own pairs; and one run alone.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ci/gate/answer.hpp"
#include "ci/gate/claim_findings.hpp"
#include "ci/gate/evidence/case_state.hpp"
#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/evidence/fitness.hpp"
#include "ci/gate/evidence/headers.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/gate/evidence/metric_state.hpp"
#include "ci/gate/evidence/numbers.hpp"
#include "ci/gate/evidence/vary.hpp"
#include "ci/gate/exact_findings.hpp"
#include "ci/gate/explain/explain.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/outcome.hpp"
#include "ci/gate/own_settings.hpp"
#include "ci/gate/pairs/confirmation.hpp"
#include "ci/gate/pairs/pair_count.hpp"
#include "ci/gate/pairs/pair_state.hpp"
#include "ci/gate/pairs/same_objects.hpp"
#include "ci/gate/pairs/spent_budget.hpp"
#include "ci/gate/pairs/tails.hpp"
#include "ci/gate/waive.hpp"
#include "ci/policy/case_rules.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {
namespace {

using reports::Finding;
using reports::Verdict;

std::set<std::string> torch_objects(const record::Run& run, std::int64_t side) {
  std::set<std::string> hashes;
  for (const record::Process& process : run.processes) {
    if (process.side != side) continue;
    for (const std::int64_t index : process.objects) {
      const record::LoadedObject& object = run.objects.at(static_cast<std::size_t>(index));
      const bool torch = object.soname.rfind("libtorch", 0) == 0 || object.soname.rfind("libc10", 0) == 0;
      if (!object.system && torch) hashes.insert(object.sha256);
    }
  }
  return hashes;
}

stats::CaseNumbers numbers_of(const TimedEvidence& before, const TimedEvidence& after, const record::Metric& metric,
                              const std::vector<std::vector<double>>& stored, const std::vector<double>& differences) {
  stats::CaseNumbers one;
  one.baseline = stored;
  one.current = after.worse_logs;
  one.before_samples = before.samples;
  one.after_samples = after.samples;
  one.better = metric.direction == record::Direction::lower_is_better ? stats::Better::lower : stats::Better::higher;
  one.pair_differences = differences;
  return one;
}

Finding paired_finding(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                       const PairPlan& plan, const policy::Policy& policy) {
  const TimedEvidence before_timed = timed_evidence(before, metric);
  const TimedEvidence after_timed = timed_evidence(after, metric);
  Finding finding = compare_sides(before, after, metric, before_timed, after_timed);
  for (auto& reason : loss_reasons(before, "before")) finding.reasons.push_back(std::move(reason));
  for (auto& reason : loss_reasons(after, "after")) finding.reasons.push_back(std::move(reason));
  const auto differences = pair_differences(before_timed, after_timed);
  const auto answer = judge_case_pairs(differences, plan_of_case(plan, before, after, differences.size()), policy);
  finding.confirmation = as_confirmation(answer, metric);
  const stats::Rule& rule = *stats::find_rule(policy.rule);
  if (rule.judges_pairs) {
    apply_pairs(finding, answer, policy);
    if (metric.primary) add_why(finding, before, after);
    return finding;
  }
  const std::vector<std::vector<double>> stored{before_timed.worse_logs};
  const auto numbers = numbers_of(before_timed, after_timed, metric, stored, differences);
  apply_answer(finding, rule.judge(std::span(&numbers, 1), rule_options(policy)).front(), policy);
  return finding;
}

}  // namespace

base::Result<reports::Report> judge_paired(const record::Run& run, const policy::Policy& policy) {
  if (run.sides.size() != 2) {
    return base::Error{base::ErrorCode::bad_input,
                       fmt::format("run {} has one side: pairs come from `torchgate ab`", run.id)};
  }
  reports::Report report;
  report.rule = policy.rule;
  report.gate_ratio = policy.latency;
  report.equivalence_ratio = policy.equivalence;
  report.before = side_header(run, 0, run.sides[0].label);
  report.after = side_header(run, 1, run.sides[1].label);
  const std::vector<LabelledRun> here{{&run, "this run"}};
  add_machine_doubts(report, here, policy);
  add_run_doubts(report, run, "this run");
  report.differences = side_differences(run);
  accept_varied(report, policy.vary);
  const SideEvidence before(run, 0);
  const SideEvidence after(run, 1);
  const bool other_libtorch = torch_objects(run, 0) != torch_objects(run, 1);
  const PairPlan plan = pair_plan(run, policy);
  const PairStates states(run);
  policy::CasePolicies policies(policy);
  for (const auto& [name, evidence] : after.cases()) {
    const CaseEvidence* earlier = before.find(name);
    const policy::Policy& own = policies.of(name);
    if (auto state = state_finding(earlier, &evidence, after)) {
      set_plain_effect(*state, own);
      report.findings.push_back(std::move(*state));
      continue;
    }
    const record::Metric* metric = primary_metric(*evidence.definition);
    if (metric == nullptr || earlier == nullptr) continue;
    if (const auto lost = states.of(*earlier, evidence)) {
      Finding finding;
      finding.case_name = name;
      finding.metric = *metric;
      apply_pair_state(finding, *lost);
      set_plain_effect(finding, own);
      report.findings.push_back(std::move(finding));
      continue;
    }
    if (judges_time(policy)) {
      for (const record::Metric* judged : judged_metrics(*evidence.definition, own)) {
        if (add_metric_state(*earlier, evidence, *judged, own, report)) continue;
        // A primary metric without numbers is said; another one that a side does not measure is not judged.
        const bool measured =
            !timed_evidence(*earlier, *judged).medians.empty() && !timed_evidence(evidence, *judged).medians.empty();
        if (measured || judged->primary)
          report.findings.push_back(paired_finding(*earlier, evidence, *judged, plan, own));
      }
      for (Finding& tail : tail_findings(*earlier, evidence, *metric, plan, own))
        report.findings.push_back(std::move(tail));
    }
    for (Finding& changed : exact_findings(*earlier, evidence, own, other_libtorch))
      report.findings.push_back(std::move(changed));
  }
  if (!judges_time(policy)) report.notes.emplace_back(times_not_judged);
  mention_spent_budget(report, run, policy);
  mention_pair_count(report, run, policy);
  judge_same_objects(report, run, policy);
  report.claims = claim_findings(after, policy);
  if (const auto why = unfit_because(here, policy)) {
    report.unfit = true;
    distrust_times(report, *why, policy);
  }
  settle_policy(report, before, after, policies, policy);
  conclude(report, incomplete_because(run));
  return report;
}

base::Result<reports::Report> describe_run(const record::Run& run, const policy::Policy& policy) {
  if (run.sides.size() != 1) {
    return base::Error{base::ErrorCode::bad_input,
                       fmt::format("run {} has two sides: judge its pairs instead", run.id)};
  }
  reports::Report report;
  report.rule = policy.rule;
  report.gate_ratio = policy.latency;
  report.equivalence_ratio = policy.equivalence;
  report.after = side_header(run, 0, "this run");
  const std::vector<LabelledRun> here{{&run, "this run"}};
  add_machine_doubts(report, here, policy);
  add_run_doubts(report, run, "this run");
  const SideEvidence side(run, 0);
  std::int64_t measured = 0;
  for (const auto& [name, evidence] : side.cases()) {
    auto finding = state_finding(nullptr, &evidence, side);
    if (!finding) continue;
    const record::Metric* metric = primary_metric(*evidence.definition);
    if (finding->verdict == Verdict::new_case && metric != nullptr) {
      const TimedEvidence timed = timed_evidence(evidence, *metric);
      if (!timed.medians.empty()) finding->after = side_numbers(evidence, *metric, timed);
      finding->reasons = loss_reasons(evidence, "this run");
      ++measured;
    }
    set_plain_effect(*finding, policy);
    report.findings.push_back(std::move(*finding));
  }
  report.claims = claim_findings(side, policy);
  if (const auto why = unfit_because(here, policy)) distrust_times(report, *why, policy);
  report.headline = fmt::format("{} {} measured, nothing to compare with", measured, measured == 1 ? "case" : "cases");
  conclude(report, incomplete_because(run));
  return report;
}

}  // namespace torchgate::gate
