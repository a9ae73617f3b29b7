// SPDX-License-Identifier: Apache-2.0
// Interleaved pairs of one case: what they say, for `ab` and for the confirmation of suspects.
#pragma once

#include <optional>
#include <vector>

#include "ci/gate/evidence.hpp"
#include "ci/gate/policy.hpp"
#include "reports/report.hpp"
#include "stats/pairs.hpp"

namespace torchgate::gate {

/// after - before of the log values (larger is worse), for the pairs of which both processes measured the case.
std::vector<double> pair_differences(const TimedEvidence& before, const TimedEvidence& after);

/// Judges them with alpha/family.
stats::PairJudgement judge_case_pairs(const std::vector<double>& differences, std::size_t family, const Policy& policy);

/// The same as the report shows it.
reports::Confirmation as_confirmation(const stats::PairJudgement& judgement, std::size_t family, const Policy& policy,
                                      const record::Metric& metric);

/// Makes the pairs' answer the finding's own: verdict, change, interval, p, d, reasons, effect.
void apply_pairs(reports::Finding& finding, const stats::PairJudgement& judgement, std::size_t family,
                 const Policy& policy);

}  // namespace torchgate::gate
