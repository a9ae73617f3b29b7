// SPDX-License-Identifier: Apache-2.0
// Whether the cases of two sides whose times differ execute the same code: their functions by Callgrind, compared in the files of both sides.
#pragma once

#include <string>
#include <vector>

#include "ci/workflow/workspace/narrator.hpp"
#include "harness/launch/request.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// Of more cases it is not asked: each costs a process of each side in Callgrind, and the answers repeat.
inline constexpr std::size_t most_compared_cases = 10;

/// Fills in RUN.code for CASES, which its pairs call slower or faster, the worst first (gate::follow_up). REQUEST is the one that measured RUN, and its
/// files are still there. Where it cannot be known (no Valgrind, stripped files), the reason is in the record. Nothing is done without a case.
void compare_code(const launch::Request& request, std::vector<std::string> cases, record::Run& run, Narrator& narrator);

}  // namespace torchgate::workflow
