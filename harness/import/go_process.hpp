// SPDX-License-Identifier: Apache-2.0
// The benchmarks of one `go test` while its lines are read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/import/go_units.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// "BenchmarkSum/n=100-2  89041  177.7 ns/op  562.89 MB/s".
struct GoResult {
  struct Value {
    double value = 0;
    std::string_view unit;
  };

  std::string_view name;  ///< without "Benchmark"
  std::int64_t iterations = 1;
  std::vector<Value> values;
};

/// Absent: LINE is not a result.
std::optional<GoResult> go_result_of(std::string_view line);

/// Number of a result's GOMAXPROCS suffix with its hyphen: "-8"; empty: it has none.
std::string_view procs_suffix(std::string_view name);

/// VALUES of one line beside its time, in units of package testing or of the program, as metrics of ONE. Of a value that is not a number ONE has failed.
void add_go_metrics(const std::vector<GoResult::Value>& values, ImportedCase& one);

class GoProcess {
 public:
  [[nodiscard]] bool empty() const { return benchmarks_.empty(); }

  /// An empty text, or why it was not added.
  std::string add(const GoResult& result);
  /// Benchmark NAME did not end, or was skipped; NAME without "Benchmark" and perhaps without "-8".
  void fail(std::string_view name, std::string_view why);
  void skip(std::string_view name, std::string_view why);
  /// Any of them was told to have failed.
  [[nodiscard]] bool has_failed() const { return has_failed_; }
  /// All that were not skipped.
  void fail_all(const std::string& why);

  /// Its cases into PROCESS. PACKAGE stands before their names.
  void move_to(ImportedProcess& process, const std::string& package, const GoUnits& units);

 private:
  struct Benchmark {
    std::string name;
    std::int64_t iterations = 1;
    std::map<std::string, std::vector<double>, std::less<>> values;  // by unit
    std::string failure;
    std::string skipped;
    std::vector<std::size_t> starts;  // of its lines: the first one, and those behind another benchmark's
    std::size_t lines = 0;
  };

  Benchmark* benchmark(std::string_view name);
  Benchmark* benchmark_with_suffix(std::string_view name);
  // WITHOUT_VERDICT: "widgets of p.Run-8" is added where it is declared exact and is not, and nothing else compares it.
  static ImportedCase case_of(Benchmark benchmark, const std::string& package, const GoUnits& units,
                              std::set<std::string>& without_verdict);

  std::vector<Benchmark> benchmarks_;
  std::unordered_map<std::string, std::size_t> positions_;
  std::size_t last_ = 0;
  std::size_t last_result_ = 0;
  std::string suffix_;  // of the results so far
  bool has_failed_ = false;
};

}  // namespace torchgate::import
