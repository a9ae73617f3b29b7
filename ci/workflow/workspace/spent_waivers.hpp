// SPDX-License-Identifier: Apache-2.0
// Waivers of commits that the baseline already has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// POLICY, whose waivers are marked where their commit is that of the newest run of BASELINE (the first one) or one of its newest 5,000 ancestors
/// (Waiver::in_baseline), where an older run of BASELINE has it in the same way (Waiver::in_older), and where the whole
/// histories of the newest run and CURRENT lack it (Waiver::elsewhere): it was squashed or rebased, or is of another change. HEAD (`gate --head`) is
/// as if CURRENT's history had it. Without a repository, in a shallow clone and beyond these commits nothing is known. In all these cases the waiver applies. Of pairs all are the same run: the first side's commit is
/// that of the baseline, the last side's that of the change. Each command that judges with waivers needs it.
policy::Policy with_spent_waivers(policy::Policy policy, const std::vector<const record::Run*>& baseline,
                                  const record::Run& current, const std::optional<std::string>& head = {});

}  // namespace torchgate::workflow
