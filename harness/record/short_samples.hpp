// SPDX-License-Identifier: Apache-2.0
// Whether the samples of a case are long enough for the clock that timed them.
#pragma once

#include <cstdlib>
#include <optional>

#include "harness/record/run.hpp"

namespace torchgate::record {

/// The fact of a machine that has the smallest step of the clock, in ns.
inline constexpr const char* clock_step_fact = "clock_step_ns";

/// With a clock coarser than 1 % of a sample, its resolution dominates what is measured.
inline constexpr double largest_step_share = 0.01;

/// Absent: not known, as of a run of another tool.
inline std::optional<double> clock_step_ns(const Machine& machine) {
  for (const MachineFact& fact : machine.facts) {
    if (fact.name != clock_step_fact || !fact.value) continue;
    const double ns = std::strtod(fact.value->c_str(), nullptr);
    if (ns > 0) return ns;
  }
  return std::nullopt;
}

/// How long a sample of RESULT took in its process, if that is too short for a clock of STEP_NS; absent: it is long enough, or none was
/// timed. The median: a single sample that was cut short is an outlier like any other.
inline std::optional<double> short_sample_ns(const CaseResult& result, double step_ns) {
  for (const Measurement& measurement : result.measurements) {
    if (measurement.metric != "time" || !measurement.summary) continue;
    const double ns = measurement.summary->median * static_cast<double>(result.calls_per_sample);
    if (ns > 0 && step_ns > largest_step_share * ns) return ns;
  }
  return std::nullopt;
}

}  // namespace torchgate::record
