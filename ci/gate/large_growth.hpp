// SPDX-License-Identifier: Apache-2.0
// Cases that grew by several gates and that nothing decided, for a reason that lies in their processes: no pass.
#pragma once

#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/case_rules.hpp"

namespace torchgate::gate {

/// A time that nothing judged, because one process of a side has it, is not a pass where other processes of the side lack it: what was lost would
/// have said how sure the change is.
void guard_few_processes(std::vector<Judged>& compared, const record::Run& baseline, const record::Run& current,
                         policy::CasePolicies& policies);

/// A time that the screen left open and that no pairs will decide is not a pass where the values of both sides are apart but for one process of each:
/// a single slow process widens the interval of any size of change. Where gate.unconfirmed is "warn", it says nothing.
void guard_odd_process(std::vector<Judged>& compared, policy::CasePolicies& policies);

}  // namespace torchgate::gate
