// SPDX-License-Identifier: Apache-2.0
// What the reports of models.hpp are put together from: findings with plausible numbers, by what happened to the case.
#pragma once

#include <cstdint>
#include <string>

#include "reports/report.hpp"

namespace torchgate::reports::models {

inline const record::Metric time_metric{"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed,
                                        true};
inline const record::Metric cpu_time{"cpu_time", "ns", record::Direction::lower_is_better, record::MetricKind::timed,
                                     false};
inline const record::Metric peak_bytes{"peak_bytes", "bytes", record::Direction::lower_is_better,
                                       record::MetricKind::exact, false};
inline const record::Metric operator_calls{"operator_calls", "1", record::Direction::lower_is_better,
                                           record::MetricKind::exact, false};

/// One side of a time in nanoseconds, with what a CPU case of batch 8 has beside it.
SideNumbers side(double value_ns, std::int64_t processes = 5, std::int64_t samples = 200);
TextbookAnswer textbook(double p, double d, std::string word, std::string call);

/// A case timed in processes; the interval is the change plus and minus half_width.
Finding timed(std::string name, Verdict verdict, GateAction action, double before_ns, double change,
              double half_width = 0.02);
Finding equivalent(std::string name, double before_ns, double change);
Finding exact(std::string name, const record::Metric& metric, Verdict verdict, GateAction action, double before,
              double after);
Finding without_numbers(std::string name, Verdict verdict, GateAction action, std::string reason);

/// The finding as the gate leaves it when pairs confirmed it: interval, p and alpha are those of the pairs.
void confirm(Finding& finding, std::int64_t pairs, double half_width, double p, double alpha);
/// Pairs that gave no answer leave the finding as the screen saw it.
Confirmation undecided_after(std::int64_t pairs, double change, double half_width, double p, double alpha);

/// Cases with nothing to say, each with a timed metric and a count.
void add_quiet_cases(Report& report, int cases);
/// Both sides' headers, and nothing judged yet.
Report base();

}  // namespace torchgate::reports::models
