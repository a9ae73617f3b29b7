// SPDX-License-Identifier: Apache-2.0
// P95 and P99 as metrics of their own. Only interleaved pairs can judge them: against a stored baseline every rule tried
// on recorded sessions raised 6-41 % false alarms, so there they are numbers with intervals and nothing more.
#pragma once

#include <optional>
#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "ci/policy/policy.hpp"

namespace torchgate::gate {

/// One per tail, named "<metric>_p95" and "<metric>_p99": the tail of each process, paired, by the same rule as
/// the median, with a margin of 10 % (P95) and 20 % (P99). `inconclusive` with the number that is missing when a side
/// has fewer samples than an order-statistic interval of that tail needs (72 and 368), or its samples include stops. None when the policy does not
/// gate tails, or the case has a policy of "pass".
std::vector<Judged> judged_tails(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                                 const PairPlan& plan, const policy::Gate& policy);

/// Smaller changes of a mean are not said: rare calls decide it, as they do a P99.
inline constexpr double slower_mean_margin = 0.20;

/// The mean of every process, of the samples that its median is of. Empty where one is not known.
ProcessValues mean_values(const CaseEvidence& evidence, const record::Metric& metric);

/// The ratio of the means of the processes where the rule of the median calls them regressed, with a margin of 20 %, or, at fewer pairs than that rule
/// can alarm at, where their t interval of level 1 - alpha/m lies beyond the margin: calls that are rare and slower move no median. Its risk of a false
/// one, over all cases, is that of the medians once more. Absent also where the policy gates tails, which then say it.
std::optional<double> slower_mean(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                                  const PairPlan& plan, const policy::Gate& policy);

/// More pairs would change no tail's verdict. True when the policy does not gate tails.
bool tails_decided(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                   const PairPlan& plan, const policy::Gate& policy);

}  // namespace torchgate::gate
