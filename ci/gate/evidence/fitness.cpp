// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/fitness.hpp"

#include <algorithm>
#include <utility>

#include "ci/gate/evidence/unchanged_groups.hpp"
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
    if (!rests_on_time(judged)) continue;
    replace_decision(judged, Verdict::inconclusive, ReasonKind::state, reason);
    judged.decision.p.reset();  // nothing was weighed
    judged.probe = false;
    judged.action_rule = ActionRule::verdict;
  }
}

void distrust_claims(std::vector<reports::ClaimFinding>& claims, const facts::Fact& reason) {
  for (reports::ClaimFinding& claim : claims) {
    if (claim.state != reports::ClaimState::broken && claim.state != reports::ClaimState::holds) continue;
    if (!claim.timed) continue;
    claim.state = reports::ClaimState::undecided;
    claim.action = reports::GateAction::note;
    claim.reasons = {reason};
  }
}

std::vector<LabelledRun> sides_of(const Comparison& comparison) {
  return {{comparison.baseline.front(), "baseline"}, {comparison.current, "this run"}};
}

std::optional<facts::Fact> unfit_because(const Comparison& comparison, const policy::Gate& policy) {
  if (measured_nothing(*comparison.current)) return std::nullopt;
  return unfit_because(sides_of(comparison), policy);
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
