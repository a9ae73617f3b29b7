// SPDX-License-Identifier: Apache-2.0
// What medians do not show in a stored comparison: calls that are slower and fewer than half, and tails that only pairs can judge.
#pragma once

#include "ci/gate/screened.hpp"

namespace torchgate::gate {

/// A doubt about cases whose mean is 20 % slower while no median is: by their pairs where they have them, else by the means of the processes of
/// both sides, at least three each. Another doubt where the policy gates tails and no pairs judged them.
void doubt_slower_means(const Screened& screened, policy::CasePolicies& policies, const policy::Gate& policy,
                        Remarks& remarks);

}  // namespace torchgate::gate
