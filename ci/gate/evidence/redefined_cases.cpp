// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/redefined_cases.hpp"

#include <string>

#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "reports/facts/about_states.hpp"

namespace torchgate::gate {

using reports::Verdict;

RedefinedCases::RedefinedCases(const Comparison& comparison) {
  const record::Machine& before = comparison.baseline.front()->machine;
  const record::Machine& after = comparison.current->machine;
  const bool differ = before.host_key != after.host_key || host_unknown(before, after) || devices_differ(before, after);
  other_machine_ = differ && !comparison.pin;
  if (comparison.pairs == nullptr) return;
  for (const record::Case& each : comparison.pairs->cases)
    if (each.sides_differ) in_pairs_.emplace(each.name, *each.sides_differ);
}

std::optional<Judged> RedefinedCases::state(std::optional<Judged> state, const CaseEvidence* before,
                                            const CaseEvidence& after) const {
  if (!other_machine_ || !state || state->decision.verdict != Verdict::not_comparable) return state;
  if (before == nullptr || before->measured.empty()) return state;
  const record::Case& was = *before->definition;
  const record::Case& is = *after.definition;
  if (was.ambiguous || is.ambiguous || !identity_differs(was, is)) return state;
  const auto found = in_pairs_.find(is.name);
  if (found == in_pairs_.end()) return std::nullopt;
  return judged_state(is, Verdict::not_comparable, facts::not_comparable(std::string(found->second)));
}

}  // namespace torchgate::gate
