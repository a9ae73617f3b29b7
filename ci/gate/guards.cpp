// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/guards.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "ci/gate/pairs/layout.hpp"
#include "ci/gate/pairs/pair_count.hpp"
#include "ci/gate/pairs/same_objects.hpp"
#include "ci/gate/pairs/spent_budget.hpp"
#include "ci/gate/pairs/uncompared.hpp"
#include "harness/record/cuda_cases.hpp"
#include "reports/facts/about_pairs.hpp"

namespace torchgate::gate {
namespace {

// A binary of the baseline with today's files says nothing about the files. Where it is only possible that one changed, and no stored times
// say that the case became slower, the pairs count.
void leave_other_inputs_open(std::vector<Judged>& cases, const PairInputs& inputs) {
  for (Judged& judged : cases) {
    const reports::Verdict verdict = judged.decision.verdict;
    const bool clears = verdict == reports::Verdict::equivalent || verdict == reports::Verdict::improved;
    if (judged.pairs == nullptr || !clears) continue;
    const auto& uncompared = inputs.of_group(judged.definition->group);
    if (!uncompared || !uncompared->differs || uncompared->keeps_suspects_only) continue;
    replace_decision(judged, reports::Verdict::inconclusive, ReasonKind::undecided_pairs, uncompared->because);
    // These pairs would have shown no slow-down that the files cause, and more of them would not either.
    judged.decision.smallest_detectable.reset();
    judged.decision.processes_needed.reset();
  }
}

// What its pairs say of its time; nullptr: they say nothing.
const stats::RuleAnswer* pairs_of_time(const Judged& judged) {
  const bool of_time = judged.metric.primary && judged.metric.kind == record::MetricKind::timed;
  return of_time && judged.pairs != nullptr && judged.pairs->pairs > 0 ? judged.pairs.get() : nullptr;
}

// Cases whose processes were measured one after the other within a pair, though pairs take turns where they can: a note. None where no case could
// have taken turns: a suite of an older version, or a program that knows no turns.
void mention_without_turns(const std::vector<Judged>& cases, Remarks& remarks) {
  std::set<std::string_view> suites;  // with a case that took turns
  for (const Judged& judged : cases) {
    const stats::RuleAnswer* const pairs = pairs_of_time(judged);
    if (pairs != nullptr && pairs->measure) suites.insert(judged.definition->suite);
  }
  const auto without = std::count_if(cases.begin(), cases.end(), [&](const Judged& judged) {
    const stats::RuleAnswer* const pairs = pairs_of_time(judged);
    return pairs != nullptr && !pairs->measure &&
           (record::is_cuda(*judged.definition) || suites.contains(judged.definition->suite));
  });
  if (without > 0) remarks.notes.push_back(facts::without_turns(without));
}

}  // namespace

facts::Fact guard_pairs(std::vector<Judged>& cases, const GuardedPairs& pairs, policy::CasePolicies& policies,
                        const policy::CaseGates& policy, Remarks& remarks) {
  facts::Fact incomplete;
  if (pairs.alone) guard_spent_budget(cases, *pairs.run, policy, remarks);
  if (pairs.alone && pairs.asked == nullptr) leave_unrecorded_open(cases, *pairs.run);
  if (pairs.asked != nullptr) incomplete = leave_uncompared_open(cases, *pairs.asked, *pairs.before);
  mention_pair_count(cases, *pairs.run, policy, remarks);
  mention_without_turns(cases, remarks);
  guard_same_objects(cases, *pairs.run, policies, remarks);
  if (pairs.inputs != nullptr) leave_other_inputs_open(cases, *pairs.inputs);
  guard_layout(cases, *pairs.run, policy);
  return incomplete;
}

}  // namespace torchgate::gate
