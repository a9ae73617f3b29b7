// SPDX-License-Identifier: Apache-2.0
// Exact metrics: no test. What differs has changed.
#pragma once

#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"

namespace torchgate::gate {

/// One `changed` for each exact metric that both sides know and that differs, and for each that only the baseline knows. With another LibTorch the differences are its
/// own: they are listed only. Under --rule exact a case without a difference has one `equivalent`. `own` is the case's policy.
std::vector<Judged> counted_metrics(const CaseEvidence& before, const CaseEvidence& after, const policy::Policy& own,
                                    bool other_libtorch);

}  // namespace torchgate::gate
