// SPDX-License-Identifier: Apache-2.0
// The parts of a Google Benchmark name: the benchmark itself, and how it was run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/case.hpp"

namespace torchgate::import {

struct GoogleBenchmarkName {
  std::string name;  ///< without the suffixes that Google Benchmark adds, but with "/threads:4", which is an argument
  /// Those that have a name: "n:8", "threads:4"; and the number of threads of the rows where the name does not have it.
  std::vector<record::Parameter> parameters;
  bool manual_time = false;   ///< the benchmark measures itself: its time is another quantity
  bool real_time = false;     ///< rates are per real time, or per the time it measures itself; else per CPU time
  bool process_time = false;  ///< its CPU time is that of all threads
  bool threads_argument =
      false;  ///< its last "threads:4" is an argument: one call at a time, although it looks like four
};

/// What its rows say of how it was run. Absent: not known.
struct GoogleBenchmarkCounts {
  std::optional<std::int64_t> iterations;  ///< of a repetition, in all of its threads
  std::optional<std::int64_t> repetitions;
  std::optional<std::int64_t> threads = {};
};

/// Of a `run_name`: "BM_copy/n:8/min_time:0.5/real_time/threads:4" is "BM_copy/n:8/threads:4". "iterations:5", "repeats:5" and
/// "threads:4" are arguments that the program calls so where COUNTS has other numbers; then, and where a name without "threads:4" has several threads,
/// that number is a parameter.
GoogleBenchmarkName parse_google_benchmark_name(std::string_view run_name, const GoogleBenchmarkCounts& counts = {});

/// Of which clock its CPU time is.
record::Clock cpu_clock_of(const GoogleBenchmarkName& name);

/// What its rates are per. A time that it measures itself counts as real: it stands in the place of the real time.
record::Clock rate_clock_of(const GoogleBenchmarkName& name);

/// How a benchmark of that name is measured: "google-benchmark/1", "google-benchmark-manual/1" where it measures itself.
std::string google_benchmark_protocol(const GoogleBenchmarkName& name);

}  // namespace torchgate::import
