// SPDX-License-Identifier: Apache-2.0
// A summary on disk is an array; its columns are named once per document, in this order when we write it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "harness/record/metric.hpp"

namespace torchgate::record::internal {

struct SummaryColumn {
  std::string_view name;
  std::variant<std::int64_t SampleSummary::*, double SampleSummary::*, std::optional<double> SampleSummary::*> field;
};

inline constexpr std::array<SummaryColumn, 11> summary_columns{{
    {"n", &SampleSummary::n},
    {"mean", &SampleSummary::mean},
    {"sd", &SampleSummary::sd},
    {"min", &SampleSummary::min},
    {"p25", &SampleSummary::p25},
    {"median", &SampleSummary::median},
    {"p75", &SampleSummary::p75},
    {"p95", &SampleSummary::p95},
    {"p99", &SampleSummary::p99},
    {"max", &SampleSummary::max},
    {"lag1", &SampleSummary::lag1},
}};

}  // namespace torchgate::record::internal
