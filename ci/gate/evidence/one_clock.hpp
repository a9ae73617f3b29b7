// SPDX-License-Identifier: Apache-2.0
// Rates that are compared per real time although a file has them per CPU time, Google Benchmark's default: where /real_time was added to or removed
// from a benchmark, and where less work was done in less CPU time while the real time did not follow, so that the rate stands still.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/gate/judge.hpp"
#include "harness/record/run.hpp"
#include "reports/facts/about_states.hpp"

namespace torchgate::gate {

/// items_per_second, bytes_per_second: Google Benchmark's own rates. Its files do not tell which of the other counters are rates.
bool is_rate_of_library(std::string_view metric);

/// Case and metric.
using RatesOfCases = std::set<std::pair<std::string, std::string>>;

/// items_per_second and bytes_per_second that RUNS have per different clocks. Other counters are left alone: which of them are rates is not
/// known.
RatesOfCases rates_of_two_clocks(const std::vector<const record::Run*>& runs);

/// One side of a run.
struct MeasuredSide {
  const record::Run* run = nullptr;
  std::int64_t side = 0;
};

/// The same metrics, where the work per call is another one in AFTER, and CPU time is a smaller share of the real time there than in the first side of
/// NEWEST_FIRST that has the rate per CPU time: per CPU time they became less worse than the throughput did. Medians of the processes decide; both by
/// more than 1 %. Older sides are not asked: they may be as this one was before an improvement that AFTER takes back.
RatesOfCases rates_of_less_cpu(const std::vector<MeasuredSide>& newest_first, const MeasuredSide& after);

/// RUN with those of RATES that it has per CPU time as rates per real time: the work of a call is known from both times. Each result says WHY, a
/// sentence about the name of a rate. Absent: it has none, or not both times of each process.
std::optional<record::Run> in_real_time(const record::Run& run, const RatesOfCases& rates,
                                        const facts::Sentence<std::string>& why);

/// Interleaved pairs with those of their rates that became less worse per CPU time than per real time as rates per real time. Absent: there are none.
std::optional<record::Run> pairs_in_real_time(const record::Run& pairs);

/// COMPARISON with such rates of all its runs, the pairs among them, per real time. CONVERTED, empty before, holds these runs and outlives it.
Comparison in_one_clock(Comparison comparison, std::vector<record::Run>& converted);

}  // namespace torchgate::gate
