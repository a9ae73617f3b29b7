// SPDX-License-Identifier: Apache-2.0
// Bencher Metric Format (bencher.dev/docs/reference/bencher-metric-format), for `bencher run --adapter json --file FILE`.
#pragma once

#include <string>

#include "reports/report.hpp"

namespace torchgate::reports {

/// A benchmark per case of the new side: latency in nanoseconds (other primary metrics by their names), throughput in operations a second
/// where it is known, each with the lowest and highest process. Accepted by Bencher's published JSON Schema (a test has it).
std::string render_bencher(const Report& report);

}  // namespace torchgate::reports
