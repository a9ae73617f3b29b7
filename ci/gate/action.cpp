// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/action.hpp"

#include <algorithm>

#include "reports/facts/about_settings.hpp"

namespace torchgate::gate {
namespace {

using reports::GateAction;
using reports::Verdict;

GateAction changed_action(const Judged& judged, const policy::CaseSettings& own) {
  const auto named = own.metrics.find(judged.metric.name);
  if (named != own.metrics.end()) return action_of(named->second);
  return gated_by_suite(judged) ? GateAction::fail : action_of(own.changed);
}

GateAction suspected_action(const Judged& judged, const policy::CaseSettings& own) {
  if (!judged.unconfirmed) return GateAction::warn;
  const bool fails = own.unconfirmed == policy::Unconfirmed::fail ||
                     (own.unconfirmed == policy::Unconfirmed::beyond && judged.unconfirmed->beyond_gate);
  return fails ? GateAction::fail : GateAction::warn;
}

GateAction action_of_verdict(const Judged& judged, const policy::CaseSettings& own) {
  switch (judged.decision.verdict) {
    case Verdict::failed:
    case Verdict::wrong:
      return GateAction::fail;
    case Verdict::missing:
    case Verdict::not_comparable:
      return action_of(own.missing);
    case Verdict::improved:
    case Verdict::equivalent:
    case Verdict::unchanged:
      return GateAction::pass;
    case Verdict::inconclusive:
      return action_of(own.inconclusive);
    case Verdict::changed:
      return changed_action(judged, own);
    case Verdict::claim_broken:
      return action_of(own.claim_broken);
    case Verdict::suspected:
      return suspected_action(judged, own);
    case Verdict::layout:  // never fails: no code of the case changed
      return worse_ratio(judged) > 1 ? GateAction::warn : GateAction::note;
    case Verdict::new_case:
    case Verdict::skipped:
      return GateAction::note;
    case Verdict::over_budget:
      return GateAction::fail;
    case Verdict::regressed:
      if (!own.judges_since) return below_gate(judged, own) ? GateAction::warn : GateAction::fail;
      return below_gate(judged, own) ? std::max(GateAction::warn, action_of(own.creep)) : action_of(own.creep);
  }
  return GateAction::fail;
}

// A case that is not there takes all its metrics along, also those that the policy gates: what it says of one does not limit that.
bool is_about_the_case(const Judged& judged) {
  const Verdict verdict = judged.decision.verdict;
  return (verdict == Verdict::missing || verdict == Verdict::not_comparable) &&
         (judged.metric.primary || judged.metric.name.empty());
}

// Where the policy names the metric: never more than that. What instructions decide in the place of a time is limited by that of the time.
GateAction limited_by_metric(const Judged& judged, GateAction action, const policy::CaseSettings& own) {
  if (is_about_the_case(judged)) return action;
  auto named = own.metrics.find(judged.metric.name);
  const record::Metric* const primary = primary_metric(*judged.definition);
  if (named == own.metrics.end() && decided_by_count(judged) && primary != nullptr)
    named = own.metrics.find(primary->name);
  if (named == own.metrics.end()) return action;
  return std::max(action, action_of(named->second));  // the later of fail, warn, note, pass is the milder
}

GateAction counted_action(const Judged& judged, const policy::CaseSettings& own) {
  const GateAction action = changed_action(judged, own);
  // The stricter of the two: a growth of memory is a changed count as well.
  return memory_grew(judged, own) ? std::min(action, action_of(own.memory)) : action;
}

}  // namespace

GateAction action_of(policy::Action action) {
  switch (action) {
    case policy::Action::pass:
      return GateAction::note;
    case policy::Action::warn:
      return GateAction::warn;
    case policy::Action::fail:
      return GateAction::fail;
  }
  return GateAction::fail;
}

bool memory_grew(const Judged& judged, const policy::CaseSettings& own) {
  if (judged.metric.name != "peak_bytes" || !judged.counts) return false;
  const auto& [before, after, most] = *judged.counts;
  const std::optional<double> now = most ? most : after;
  if (!now) return true;                    // a gate that is no longer counted is open
  if (!(before > 0)) return *now > before;  // no share of 0 says how much it grew
  return *now / before - 1 >= own.peak_memory;
}

bool gated_by_suite(const Judged& judged) {
  if (!judged.metric.gated || !judged.counts || judged.decision.verdict != Verdict::changed) return false;
  const auto& [before, after, most] = *judged.counts;
  if (!after) return true;  // a gate that is no longer counted is open
  return judged.metric.direction == record::Direction::lower_is_better ? *after > before : *after < before;
}

bool below_gate(const Judged& judged, const policy::CaseSettings& own) {
  return judged.decision.verdict == Verdict::regressed && worse_ratio(judged) < 1 + own.latency;
}

GateAction action_of(const Judged& judged, const policy::CaseSettings& own) {
  const Verdict verdict = judged.decision.verdict;
  if (verdict == Verdict::layout && !judged.over_budget)
    return limited_by_metric(judged, action_of_verdict(judged, own), own);
  if (judged.over_budget) return limited_by_metric(judged, GateAction::fail, own);
  switch (judged.action_rule) {
    case ActionRule::listed:
    case ActionRule::not_its_turn:
      return GateAction::note;
    case ActionRule::counted:
      return verdict == Verdict::changed ? counted_action(judged, own) : GateAction::pass;
    case ActionRule::tail:
      if (verdict == Verdict::regressed) return action_of(own.tails);
      if (verdict == Verdict::inconclusive) return GateAction::note;
      break;
    case ActionRule::no_numbers_before:
    case ActionRule::verdict:
      break;
  }
  return limited_by_metric(judged, action_of_verdict(judged, own), own);
}

void settle_action(Judged& judged, const policy::CaseSettings& own) {
  judged.action = action_of(judged, own);
  if (judged.action_rule == ActionRule::no_numbers_before && judged.action == GateAction::fail && !judged.over_budget) {
    judged.action = GateAction::warn;
    judged.forbids_pass = true;
  }
  // A tail does what gate.tails says, whatever its size.
  if (!below_gate(judged, own) || judged.action_rule == ActionRule::tail) return;
  add_reason(judged, ReasonKind::below_gate, facts::below_gate(own.latency));
}

}  // namespace torchgate::gate
