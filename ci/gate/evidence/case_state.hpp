// SPDX-License-Identifier: Apache-2.0
// Verdicts that need no statistics: a case that failed, is wrong, missing, skipped or new.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/gate/judged.hpp"

namespace torchgate::gate {

/// The state of a case that cannot be compared; absent when both sides have measured it in the same way.
/// Either side may be nullptr (the run has no such case), not both. `same_profile`: both were measured with one profile;
/// with another one a suite may leave cases out (Group::quick(), Group::only_in()), and they are not missing.
std::optional<Judged> case_state(const CaseEvidence* before, const CaseEvidence* after, const SideEvidence& after_side,
                                 bool same_profile = true);

/// Of a side that reported failures or wrong outputs, or lost processes: "failed in 20 of 20 processes: cannot open model.pt"; empty: it did
/// none of that.
std::string failure_sentence(const CaseEvidence& evidence);

/// "1 of 5 processes was lost: killed by signal 9": what to know about numbers that rest on fewer processes. And what most
/// of its processes said about them: a failure of the others, a leak, a count that did not repeat, a long warm-up.
std::vector<std::string> loss_reasons(const CaseEvidence& evidence, const char* side);

}  // namespace torchgate::gate
