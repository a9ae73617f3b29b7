// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/losses.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "reports/facts/about_states.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

// By its numbers: not a state that says itself what is known of the case.
bool was_judged(Verdict verdict) {
  switch (verdict) {
    case Verdict::failed:
    case Verdict::wrong:
    case Verdict::missing:
    case Verdict::not_comparable:
    case Verdict::new_case:
    case Verdict::skipped:
    case Verdict::unchanged:
      return false;
    default:
      return true;
  }
}

}  // namespace

Losses losses_of(const CaseEvidence& evidence) {
  return {static_cast<std::int64_t>(evidence.lost.started()),
          evidence.processes - static_cast<std::int64_t>(evidence.lost.not_started())};
}

LossChange loss_change(const Losses& before, const Losses& after) {
  constexpr std::int64_t enough = record::failures_before_giving_up;
  const std::int64_t explained = before.lost * after.started;  // times before.started
  if (after.lost < enough) return LossChange::none;
  if ((after.lost - enough) * before.started >= explained) return LossChange::more;
  return after.lost * before.started > explained ? LossChange::unclear : LossChange::none;
}

void forbid_pass_by_losses(Judged& judged, const CaseEvidence& before, const CaseEvidence& after) {
  const Losses was = losses_of(before);
  const Losses is = losses_of(after);
  const bool on_both = std::min(was.lost, is.lost) > 0;
  // The launcher gave the group up: the numbers that it lacks are those of the lost processes.
  const bool not_judged = judged.decision.verdict == Verdict::inconclusive &&
                          std::max(was.lost, is.lost) >= record::failures_before_giving_up;
  const bool unclear = loss_change(was, is) != LossChange::none;
  if (judged.forbids_pass || !on_both || !(unclear || not_judged)) return;
  judged.forbids_pass = true;
  // The headline has the first reason.
  add_reason(judged, ReasonKind::basis, facts::lost_on_both_sides(was.lost, was.started, is.lost, is.started));
}

void guard_losses(std::vector<Judged>& cases, const SideEvidence& before, const SideEvidence& after) {
  std::map<std::string_view, Judged*> of_case;  // by the primary metric, where it was judged
  for (Judged& judged : cases) {
    if (!was_judged(judged.decision.verdict)) continue;
    Judged*& one = of_case[judged.case_name()];
    if (one == nullptr || judged.metric.primary) one = &judged;
  }
  for (const auto& [name, judged] : of_case) {
    const CaseEvidence* const was = judged->before != nullptr ? judged->before : before.find(name);
    const CaseEvidence* const is = judged->after != nullptr ? judged->after : after.find(name);
    if (was != nullptr && is != nullptr) forbid_pass_by_losses(*judged, *was, *is);
  }
}

}  // namespace torchgate::gate
