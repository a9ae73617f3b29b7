// SPDX-License-Identifier: Apache-2.0
// Rates per real time on one side and per CPU time on the other: Google Benchmark's, where /real_time was added to or removed from a benchmark.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/record/run.hpp"

namespace torchgate::gate {

/// Case and metric.
using RatesOfCases = std::set<std::pair<std::string, std::string>>;

/// items_per_second and bytes_per_second that RUNS have per different clocks. Other counters are left alone: which of them are rates is not
/// known.
RatesOfCases rates_of_two_clocks(const std::vector<const record::Run*>& runs);

/// RUN with those of RATES that it has per CPU time as rates per real time: the work of a call is known from both times. Each result says so.
/// Absent: it has none, or not both times of each process.
std::optional<record::Run> in_real_time(const record::Run& run, const RatesOfCases& rates);

}  // namespace torchgate::gate
