// SPDX-License-Identifier: Apache-2.0
// Reads benchstat's inputs and golden outputs in tests/fixtures/stats/benchstat, and writes the same rows from our own
// numbers: the text that benchstat prints after the two medians ("-4.62% (p=0.008 n=10)", "~ (p=0.539 n=10)").
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace torchgate::stats::testing {

/// Samples by (unit, benchmark), in seconds or bytes per second.
using BenchstatSamples = std::map<std::pair<std::string, std::string>, std::vector<double>>;
BenchstatSamples read_go_benchmarks(const std::string& file);

struct BenchstatRow {
  std::string unit;  ///< "sec/op" or "B/s"
  std::string name;  ///< of the benchmark
  std::string text;
};
/// The rows of benchstat's text table, and of its CSV.
std::vector<BenchstatRow> read_benchstat_table(const std::string& file);
std::vector<BenchstatRow> read_benchstat_csv(const std::string& file);

/// The same row from our numbers.
std::string our_benchstat_row(const BenchstatRow& wanted, const BenchstatSamples& before,
                              const BenchstatSamples& after);

}  // namespace torchgate::stats::testing
