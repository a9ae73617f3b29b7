// SPDX-License-Identifier: Apache-2.0
// The numbers of a finding that do not depend on the rule: both sides' values, tails, throughput, memory, the change,
// and what the textbook rule says.
#pragma once

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/evidence/noise.hpp"  // IWYU pragma: export
#include "ci/policy/policy.hpp"
#include "reports/report.hpp"
#include "stats/interval.hpp"

namespace torchgate::gate {

/// One side. REQUIRES: at least one measured process with this metric.
reports::SideNumbers side_numbers(const CaseEvidence& evidence, const record::Metric& metric,
                                  const TimedEvidence& timed);

/// A finding with both sides' numbers, the change between their run values and the textbook rule's answer; verdict and
/// effect are the caller's.
reports::Finding compare_sides(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
                               const TimedEvidence& before_timed, const TimedEvidence& after_timed);

/// Log effect (larger is worse) as the relative change of the metric's value.
double relative_change(double worse_log, const record::Metric& metric);
reports::Interval relative_interval(const stats::Interval& worse_logs, const record::Metric& metric);

/// d and its word, when it is a number.
void set_effect_size(reports::Finding& finding, std::optional<double> d);

}  // namespace torchgate::gate
