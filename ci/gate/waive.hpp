// SPDX-License-Identifier: Apache-2.0
// Waivers, the last step before the outcome.
//
// A waiver is for one metric of one case, and for what was found to have changed: `regressed`, `suspected`, `changed`. What
// failed, is wrong or is missing is never waived, because it has no number that a ceiling could hold; `inconclusive` and
// broken claims have settings ([[case]]), because nothing is known there that could be accepted.
//
// The number that is compared with the ceiling:
//   - confirmed in pairs: the estimate of the change, as for the gate itself. The interval's far end would make the ceiling
//     depend on how many pairs were measured.
//   - exact: the value. Where larger values are better, the ceiling is the lowest one that is accepted.
//   - suspected: the near end of the interval. It is not confirmed, so the waiver is exceeded only when the whole interval
//     lies beyond the ceiling, as a suspect fails the gate only when it lies beyond that.
//   - confirmed, and accepted for one commit (`/perf accept`): the near end, too. The ceiling is what was measured of that very
//     commit, and a merge group measures it again: of two estimates of one change the second is often the larger one.
#pragma once

#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"

namespace torchgate::gate {

/// Applies the policy's waivers of this comparison, and says what became of each: waived, exceeded, expired, unused, or of a commit that is already in the
/// baseline: that accepts nothing more. A waiver of a case that this
/// run was not asked for is not mentioned.
void apply_waivers(std::vector<Judged>& cases, const SideEvidence& before, const SideEvidence& after,
                   const policy::Judging& policy, Remarks& remarks);

}  // namespace torchgate::gate
