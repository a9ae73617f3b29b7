// SPDX-License-Identifier: Apache-2.0
// The report as metrics of Prometheus: for node_exporter's textfile collector, or any server of files. ci/templates has a dashboard.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/formats/prometheus_text.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// Each case is a few time series, which a Prometheus keeps in memory: the worst cases are exported, and how many are not is a metric.
inline constexpr std::size_t most_exported_cases = 1000;

/// Outcome, counts of findings and claims, and per case both sides in base units (seconds, bytes), the change and its interval.
/// Names are labels, on one line. What is not known is left out.
std::string render_prometheus(const Report& report);

/// Of a report of `gate --since`: the label `since` with the name of the pin in all samples, so that they are other series than those of
/// the gate of a pull request.
void name_pin(std::vector<PrometheusFamily>& families, const Report& report);

}  // namespace torchgate::reports
