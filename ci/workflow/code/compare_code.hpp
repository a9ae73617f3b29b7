// SPDX-License-Identifier: Apache-2.0
// Whether the cases of two sides whose times differ execute the same code: their functions by Callgrind, compared in the files of both sides.
#pragma once

#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "harness/launch/request.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// Of more cases it is not asked: each costs a process of each side in Callgrind, and the answers repeat.
inline constexpr std::size_t most_compared_cases = 10;

/// Fills in RUN.code for the cases that its pairs call slower or faster under POLICY, the worst first. REQUEST is the one that measured RUN, and its
/// files are still there. Where it cannot be known (no Valgrind, stripped files), the reason is in the record. Nothing is done where the policy does
/// not ask for it (gate.compare_code), or where no time differs.
void compare_code(const launch::Request& request, const policy::Judging& policy, record::Run& run, Narrator& narrator);

}  // namespace torchgate::workflow
