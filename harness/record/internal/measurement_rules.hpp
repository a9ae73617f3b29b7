// SPDX-License-Identifier: Apache-2.0
// What holds for measurements wherever they are read from, the record or the samples file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/record/process.hpp"

namespace torchgate::record::internal {

/// Times and counts cannot be negative; a timed value in a unit of its own (a leak in bytes per call) can.
inline bool can_be_negative(const Metric& metric) {
  const bool is_time = metric.unit == "ns" || metric.unit == "us" || metric.unit == "ms" || metric.unit == "s";
  return metric.kind == MetricKind::timed && !is_time;
}

/// Raw samples are those that the summary is of, and the discarded ones where they were kept.
inline bool sample_count_fits(std::size_t samples, const Measurement& measurement, const CaseResult& result) {
  const auto count = static_cast<std::int64_t>(samples);
  return !measurement.summary ||
         (count >= measurement.summary->n && count - measurement.summary->n <= result.discarded_samples);
}

}  // namespace torchgate::record::internal
