// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/fitness.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/evidence/unchanged_groups.hpp"
#include "harness/record/cuda_cases.hpp"
#include "harness/record/short_samples.hpp"
#include "reports/facts/about_machine.hpp"

namespace torchgate::gate {
namespace {

using record::CheckSeverity;
using reports::Verdict;

/// Has a verdict that rests on times, and one that a test gave.
bool rests_on_time(const Judged& judged) {
  if (judged.metric.kind != record::MetricKind::timed) return false;
  switch (judged.decision.verdict) {
    case Verdict::regressed:
    case Verdict::suspected:
    case Verdict::layout:
    case Verdict::improved:
    case Verdict::equivalent:
    case Verdict::inconclusive:
      return true;
    default:
      return false;
  }
}

void distrust(Judged& judged, const facts::Fact& reason) {
  replace_decision(judged, Verdict::inconclusive, ReasonKind::state, reason);
  judged.decision.p.reset();  // nothing was weighed
  judged.probe = false;
  judged.action_rule = ActionRule::verdict;
}

void distrust(reports::ClaimFinding& claim, const facts::Fact& reason) {
  if (claim.state != reports::ClaimState::broken && claim.state != reports::ClaimState::holds) return;
  if (!claim.timed) return;
  claim.state = reports::ClaimState::undecided;
  claim.action = reports::GateAction::note;
  claim.reasons = {reason};
}

// One process that was disturbed is an outlier of its side; what most of them do is a property of the case. RUN: it has the clock.
std::optional<facts::Fact> short_samples_of(const CaseEvidence* side, const record::Run& run) {
  const auto step_ns = record::clock_step_ns(run.machine);
  if (side == nullptr || !step_ns || record::is_cuda(*side->definition)) return std::nullopt;
  std::vector<double> too_short;
  for (const CaseProcess& one : side->measured)
    if (const auto ns = record::short_sample_ns(*one.result, *step_ns)) too_short.push_back(*ns);
  if (too_short.empty() || too_short.size() * 2 <= side->measured.size()) return std::nullopt;
  return facts::samples_too_short(facts::Quantity{too_short.front(), "ns"}, facts::Quantity{*step_ns, "ns"});
}

}  // namespace

std::optional<facts::Fact> unfit_because(const std::vector<LabelledRun>& runs, const policy::Gate& policy) {
  // What a record says of itself (Machine::noisy_allowed) overrules nothing.
  if (policy.allow_noisy) return std::nullopt;
  for (const auto& [run, label] : runs) {
    const auto rows = bad_rows(run->machine, CheckSeverity::fatal);
    if (!rows.empty()) return facts::unfit(label, rows.front()->name, rows.front()->seen);
  }
  return std::nullopt;
}

void distrust_times(std::vector<Judged>& cases, const facts::Fact& reason) {
  for (Judged& judged : cases) {
    if (rests_on_time(judged)) distrust(judged, reason);
  }
}

void distrust_claims(std::vector<reports::ClaimFinding>& claims, const facts::Fact& reason) {
  for (reports::ClaimFinding& claim : claims) distrust(claim, reason);
}

void distrust_short_samples(std::vector<Judged>& cases, std::vector<reports::ClaimFinding>& claims,
                            const SideEvidence& before, const SideEvidence& after, const policy::Gate& policy,
                            Remarks& remarks) {
  if (policy.allow_noisy) return;
  std::map<std::string, facts::Fact> found;
  for (Judged& judged : cases) {
    if (!rests_on_time(judged)) continue;
    const std::string& name = judged.case_name();
    auto why = short_samples_of(judged.before != nullptr ? judged.before : before.find(name), before.run());
    if (!why) why = short_samples_of(judged.after != nullptr ? judged.after : after.find(name), after.run());
    if (!why) continue;
    distrust(judged, *why);
    found.emplace(name, *std::move(why));
  }
  if (found.empty()) return;
  for (reports::ClaimFinding& claim : claims) {
    for (const std::string* const name : {&claim.case_name, &claim.reference_case})
      if (const auto of = found.find(*name); of != found.end()) distrust(claim, of->second);
  }
  const auto& [first, why] = *found.begin();
  remarks.doubts.emplace_back(found.size() == 1 ? facts::short_samples_of_case(first, why)
                                                : facts::short_samples_of_cases(found.size(), first, why));
}

std::vector<LabelledRun> sides_of(const Comparison& comparison) {
  return {{comparison.baseline.front(), "baseline"}, {comparison.current, "this run"}};
}

std::optional<facts::Fact> unfit_because(const Comparison& comparison, const policy::Gate& policy) {
  if (measured_nothing(*comparison.current)) return std::nullopt;
  return unfit_because(sides_of(comparison), policy);
}

Comparison without_other_hosts(Comparison comparison) {
  auto& stored = comparison.baseline;
  const record::Machine& machine = comparison.current->machine;
  if (refuse_comparison(stored.front()->machine, machine)) return comparison;
  const record::Run* first = nullptr;
  std::optional<facts::Fact> why;  // of the first
  const std::size_t excluded = std::erase_if(stored, [&](const record::Run* run) {
    auto refused = refuse_comparison(run->machine, machine);
    if (!refused) return false;
    if (first == nullptr) first = run, why = std::move(refused);
    return true;
  });
  if (first == nullptr) return comparison;
  comparison.doubts.emplace_back(facts::hosts_excluded(excluded, first->id, *std::move(why)),
                                 reports::DoubtKind::other_machine);
  return comparison;
}

Comparison without_unfit(Comparison comparison, const policy::Gate& policy) {
  auto& stored = comparison.baseline;
  for (std::size_t i = stored.size() - 1; i > 0; --i) {
    const auto why = unfit_because({{stored[i], "stored run " + stored[i]->id}}, policy);
    if (!why) continue;
    comparison.doubts.emplace_back(facts::excluded(*why));
    stored.erase(stored.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (comparison.pairs == nullptr) return comparison;
  if (const auto why = unfit_because({{comparison.pairs, "the pairs"}}, policy)) {
    comparison.no_pairs_because = *why;
    comparison.pairs = nullptr;
    comparison.confirmable = false;
  }
  return comparison;
}

}  // namespace torchgate::gate
