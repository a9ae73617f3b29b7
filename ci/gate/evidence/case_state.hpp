// SPDX-License-Identifier: Apache-2.0
// Verdicts that need no statistics: a case that failed, is wrong, missing, skipped or new.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"

namespace torchgate::gate {

/// The state of a case that AFTER_SIDE lists and that cannot be compared; absent when both sides have measured it in the same way.
/// BEFORE may be nullptr: BEFORE_SIDE has no such case; it is `new`, unless its suite could not list its cases there. BEFORE_SIDE is nullptr
/// where nothing is compared. What both sides have, but with other inputs, arguments or units, or without
/// usable numbers before, is `not_comparable`, never `new`. A case of which no process was started (the time of the run was over) is `inconclusive`,
/// and forbids a pass.
std::optional<Judged> case_state(const CaseEvidence* before, const CaseEvidence& after, const SideEvidence* before_side,
                                 const SideEvidence& after_side);

/// Of a case that the baseline measured and that the run does not have: what it means.
struct AbsentRules {
  bool same_profile = true;      ///< with another profile a suite may leave cases out (quick(), only_full())
  bool partial_missing = false;  ///< what the run's filter or profile leaves out is missing, too: is_partial_missing()
};

/// `missing`, or absent where the run's plan leaves the case out. A case whose suite is none of the run's is missing: a suite that is no
/// longer built, or has another name, would else take its cases along in silence.
std::optional<Judged> absent_state(const CaseEvidence& before, const SideEvidence& after_side,
                                   const AbsentRules& rules);

/// Whether the policy wants a whole run: gate.partial.
bool is_partial_missing(const policy::Judging& policy);

/// Of a side that reported failures or wrong outputs, or lost processes: "failed in 20 of 20 processes: cannot open model.pt"; absent: it did
/// none of that.
std::optional<facts::Fact> failure_of(const CaseEvidence& evidence);

/// "1 of 5 processes was lost: killed by signal 9": what to know about numbers that rest on fewer processes. And what most
/// of its processes said about them: a failure of the others, a leak, a count that did not repeat, a long warm-up.
facts::Facts loss_reasons(const CaseEvidence& evidence, const char* side);

}  // namespace torchgate::gate
