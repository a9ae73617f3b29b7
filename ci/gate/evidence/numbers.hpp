// SPDX-License-Identifier: Apache-2.0
// The numbers that do not depend on the rule: both sides' values, tails, throughput, memory, the change, and what the
// textbook rule says.
#pragma once

#include <optional>
#include <string>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/evidence/noise.hpp"  // IWYU pragma: export
#include "ci/gate/judged.hpp"
#include "reports/report.hpp"
#include "stats/interval.hpp"
#include "stats/levels.hpp"
#include "stats/textbook.hpp"

namespace torchgate::gate {

/// The run value in the metric's unit. REQUIRES: at least one process.
double run_value_of(const ProcessValues& values, const record::Metric& metric);

/// One side, with this value. REQUIRES: at least one measured process with this metric.
reports::SideNumbers side_numbers(const CaseEvidence& evidence, const record::Metric& metric,
                                  const TimedEvidence& timed, double value);

/// What the textbook rule says of them.
reports::TextbookAnswer textbook_answer(const TimedEvidence& before, const TimedEvidence& after,
                                        const record::Metric& metric);
/// What its samples are: "150 v 150 raw samples of 5 v 5 processes".
facts::Fact textbook_samples(const ProcessValues& before, const ProcessValues& after);

/// The relative change between the run values, which needs no rule. Absent when a side has none.
std::optional<double> change_between(const ProcessValues& before, const ProcessValues& after,
                                     const record::Metric& metric);

/// The metric's direction, as stats names it.
stats::Better better_of(const record::Metric& metric);

/// Side numbers have a P95: from so many samples on it has an interval.
bool shows_percentiles(const ProcessValues& values);

/// Log levels (larger is worse) as values of the metric.
SideValues side_values(const stats::Levels& worse_logs, const record::Metric& metric);
/// A log ratio (larger is worse) as the relative change of the metric's value.
double relative_change(double worse_log, const record::Metric& metric);
reports::Interval relative_interval(const stats::Interval& worse_logs, const record::Metric& metric);

}  // namespace torchgate::gate
