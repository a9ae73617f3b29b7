// SPDX-License-Identifier: Apache-2.0
// Cases that the screen neither suspected nor decided, after pairs were spent on them.
#pragma once

#include <string>
#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/gate/pairs/pair_forecasts.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate {

/// The pairs of JUDGED left it open as the screen had: the screen's numbers stand, with what the pairs add: how many there were,
/// how many more it would take, and what they would have shown. ANSWER: of the pairs with these VALUES under PLAN.
void leave_open(Judged& judged, const stats::RuleAnswer& answer, const PairValues& values, const PairPlan& plan,
                const policy::Gate& policy_of_case);

/// "its pairs differ by 30 %, too much for 24 pairs": no pair up to the last of PLAN is expected to decide a case with these VALUES. PRIOR: of
/// processes that ran one after the other. REQUIRES: the spread of either is known.
facts::Fact too_noisy(const PairValues& values, const PairSdEstimate& prior, const PairPlan& plan);

/// Note: how many cases the screen left open, how many of them pairs decided and in what time, and why the others stayed open.
/// WHY_NOT: why there were no pairs at all; empty: there were, or none were asked for.
void mention_open_cases(const std::vector<Judged>& cases, const record::Run* pairs, const facts::Fact& why_not,
                        Remarks& remarks);

}  // namespace torchgate::gate
