// SPDX-License-Identifier: Apache-2.0
// Samples as the record summarises them.
#pragma once

#include <optional>
#include <span>

#include "harness/record/metric.hpp"

namespace torchgate::record {

/// std::runtime_error if there are none, or one is not finite. P95 and P99 only with enough samples to differ from
/// the maximum.
record::SampleSummary summarize_samples(std::span<const double> samples);

/// Of a process whose every sample is the mean of a turn of its own. Absent: there are none, or one is not positive.
std::optional<TurnTimes> turns_of_one_sample(std::span<const double> means);

}  // namespace torchgate::record
