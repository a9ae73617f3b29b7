// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/guards.hpp"

#include "ci/gate/pairs/layout.hpp"
#include "ci/gate/pairs/pair_count.hpp"
#include "ci/gate/pairs/same_objects.hpp"
#include "ci/gate/pairs/spent_budget.hpp"
#include "ci/gate/pairs/uncompared.hpp"
#include "ci/gate/pairs/without_turns.hpp"

namespace torchgate::gate {
namespace {

// A binary of the baseline with today's files says nothing about the files.
void leave_other_inputs_open(std::vector<Judged>& cases, const PairInputs& inputs) {
  for (Judged& judged : cases) {
    const reports::Verdict verdict = judged.decision.verdict;
    const bool clears = verdict == reports::Verdict::equivalent || verdict == reports::Verdict::improved;
    if (judged.pairs == nullptr || !clears) continue;
    if (const auto& uncompared = inputs.of_group(judged.definition->group))
      replace_decision(judged, reports::Verdict::inconclusive, ReasonKind::undecided_pairs, uncompared->because);
  }
}

}  // namespace

facts::Fact guard_pairs(std::vector<Judged>& cases, const GuardedPairs& pairs, const policy::CaseGates& policy,
                        Remarks& remarks) {
  facts::Fact incomplete;
  if (pairs.alone) guard_spent_budget(cases, *pairs.run, policy, remarks);
  if (pairs.asked != nullptr) incomplete = leave_uncompared_open(cases, *pairs.asked, *pairs.before);
  mention_pair_count(cases, *pairs.run, policy, remarks);
  mention_without_turns(cases, remarks);
  guard_same_objects(cases, *pairs.run, policy, remarks);
  if (pairs.inputs != nullptr) leave_other_inputs_open(cases, *pairs.inputs);
  guard_layout(cases, *pairs.run, policy);
  return incomplete;
}

}  // namespace torchgate::gate
