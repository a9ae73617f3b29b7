// SPDX-License-Identifier: Apache-2.0
// Cases that a side has in fewer processes than it should: what was lost would have said how sure a change is.
#pragma once

#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/case_rules.hpp"

namespace torchgate::gate {

/// A time that nothing judged, because one process of a side has it, is not a pass where other processes of the side lack it and it grew by several
/// gates.
void guard_few_processes(std::vector<Judged>& compared, const record::Run& baseline, const record::Run& current,
                         policy::CasePolicies& policies);

}  // namespace torchgate::gate
