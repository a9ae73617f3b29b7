// SPDX-License-Identifier: Apache-2.0
// Verdicts on a metric beside the primary one that need no statistics: the baseline has numbers of it, and this run has
// none that can be compared, or has them in a smaller share of its processes.
#pragma once

#include <optional>

#include "ci/gate/judged.hpp"

namespace torchgate::gate {

/// The state of a metric that is judged beside the primary one but has no usable numbers in AFTER: missing (a larger share of
/// AFTER's processes has none than of BEFORE's) or failed (a process has a number that is not a measurement).
/// Absent when it can be judged, when BEFORE has no usable numbers either, and for the primary metric, whose state is the
/// case's.
std::optional<Judged> metric_state(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric);

}  // namespace torchgate::gate
