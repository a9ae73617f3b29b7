// SPDX-License-Identifier: Apache-2.0
// One entry of github-action-benchmark's data: what was measured of a commit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/json/json_reader.hpp"

namespace torchgate::import {

/// One element of "benches".
struct ActionBench {
  std::string name;
  std::string unit;
  bool has_value = false;
  std::optional<double> value;             ///< absent: NaN or infinite
  std::string not_a_number;                ///< why a text is not its value
  std::optional<std::int64_t> iterations;  ///< of Google Benchmark
  std::string summary;                     ///< "median" or "mean": what it is of values that the file does not have
};

/// One element of a suite.
struct ActionEntry {
  std::string commit;
  std::string tool;
  double date_ms = 0;
  std::vector<ActionBench> benches;
};

/// The next value of READER, which may lack its value.
ActionBench read_action_bench(json::JsonReader& reader);
ActionEntry read_action_entry(json::JsonReader& reader);

/// Leaves out what is not a benchmark: elements without a value, and of Google Benchmark the aggregates of repetitions; of aggregates alone the median, or
/// the mean, stands for the benchmark. Returns what to say about it, without the name of the file.
std::vector<std::string> leave_out_others(ActionEntry& entry);

}  // namespace torchgate::import
