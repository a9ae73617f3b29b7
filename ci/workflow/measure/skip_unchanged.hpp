// SPDX-License-Identifier: Apache-2.0
// Which run the groups of a new one are compared with before anything is measured.
#pragma once

#include "ci/policy/policy.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "harness/launch/request.hpp"

namespace torchgate::workflow {

/// Has REQUEST, a run of the working directory, leave out the groups that are unchanged since the baseline that `gate` would
/// choose for it. Without a baseline NARRATOR is told why everything is measured.
void skip_unchanged(launch::Request& request, const policy::Baseline& policy, Narrator& narrator);

}  // namespace torchgate::workflow
