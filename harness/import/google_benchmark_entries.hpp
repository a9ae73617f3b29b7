// SPDX-License-Identifier: Apache-2.0
// Entries of Google Benchmark's files, whatever their syntax, as one process.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/google_benchmark_name.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// A counter of one row: items_per_second, bytes_per_second, or one of the program's own.
struct GoogleBenchmarkCounter {
  std::string name;
  std::optional<double> value;  ///< absent: NaN or infinite
};

/// One object of "benchmarks", one row of the CSV.
struct GoogleBenchmarkEntry {
  std::string name;
  std::string run_name;                  ///< version 1.5 on; before, there is only the name
  std::string run_type;                  ///< version 1.5 on
  std::optional<std::int64_t> family;    ///< of the program's list of families; version 1.6 on
  std::optional<std::int64_t> instance;  ///< of that family; version 1.6 on
  std::optional<std::int64_t> repetition;
  std::int64_t iterations = 1;
  bool has_iterations = false;
  std::optional<std::int64_t> repetitions;  ///< that were asked for; version 1.5 on
  bool has_real_time = false;
  std::optional<double> real_time;  ///< absent: NaN or infinite
  std::optional<double> cpu_time;
  double ns_per_unit = 1;
  std::vector<GoogleBenchmarkCounter> counters;
  std::optional<double> peak_bytes;
  std::optional<double> allocations;
  std::optional<double> sample_run;
  std::string aggregate_name;  ///< "median"; version 1.5 on
  bool percentage = false;     ///< an aggregate that is not a time
  bool fitted = false;         ///< a row of complexity (BigO, RMS): a curve through others, not statistics of them
  bool error = false;
  bool skipped = false;
  std::string message;
  std::optional<std::int64_t> threads;  ///< version 1.5.1 on
  std::string label;                    ///< that the program set
};

/// Takes entries in the order of the file. A benchmark is a name, a family and an instance of it. Where the file has neither family nor type of
/// an entry (CSV, and JSON before 1.5), rows of one name that stand together are one benchmark, and aggregates are known by their place
/// (google_benchmark_rows.hpp).
class GoogleBenchmarkEntries {
 public:
  /// An empty text, or what is wrong with the entry or the number of entries.
  std::string add(GoogleBenchmarkEntry entry);

  /// PROCESS, which has all that is not a benchmark, with its cases. bad_input: there are none, or nothing was measured.
  base::Result<ImportedProcess> finish(ImportedProcess process);

 private:
  // One repetition of a benchmark: a sample.
  struct Repetition {
    std::int64_t index = 0;
    double time_ns = 0;
    double cpu_ns = 0;
    std::size_t position = 0;  // in the file, among those of its benchmark
    std::optional<double> sample_run;
  };

  // A counter over the repetitions, in the order of the file. One that is missing in some is not a metric, and a warning names it.
  struct Counter {
    std::string name;
    std::vector<double> values;
  };

  // A counter is exact when all repetitions say the same.
  struct ExactCounter {
    std::vector<double> values;
    bool missing = false;

    void add(std::optional<double> next) {
      missing = missing || !next;
      if (next && !missing) values.push_back(*next);
    }
    [[nodiscard]] bool differs() const {
      return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
    }
    [[nodiscard]] std::optional<double> agreed() const {
      return missing || values.empty() || differs() ? std::nullopt : std::optional(values.front());
    }
  };

  // All entries of one benchmark.
  struct Benchmark {
    std::string run_name;
    std::pair<std::int64_t, std::int64_t> place;  // family and instance; -1: not known
    bool typed = true;                            // the file says which of its entries are aggregates
    std::int64_t rows = 0;                        // entries of it
    std::int64_t iterations = 0;                  // of the first row
    std::string ambiguous;                        // why it is not known of which benchmark it is
    std::int64_t number = 1;                      // of those of its name
    std::int64_t of_one_name = 1;
    bool dropped = false;  // another one stands for all of its name
    std::vector<Repetition> repetitions;
    bool cpu_time_known = true;
    bool only_aggregates = true;
    std::optional<double> median_ns;  // of the aggregates
    std::optional<double> mean_ns;
    std::optional<double> median_cpu_ns;
    std::optional<double> mean_cpu_ns;
    std::vector<GoogleBenchmarkCounter> median_counters;
    std::vector<GoogleBenchmarkCounter> mean_counters;
    std::vector<Counter> counters;
    std::int64_t calls_per_sample = 1;
    GoogleBenchmarkCounts counts;
    ExactCounter peak_bytes;
    ExactCounter allocations;
    std::string failure;
    std::string no_aggregate;  // why its mean or median is not a time
    std::string skipped;
    std::string label;
    bool own_repetitions = false;  // as many as they are, they are of one benchmark
    bool no_numbers = false;       // a row of it is an error, or says that it was skipped
  };

  void add_repetition(Benchmark& of, const GoogleBenchmarkEntry& entry);
  void add_counters(Benchmark& of, const GoogleBenchmarkEntry& entry, std::size_t position);
  static void add_aggregate(Benchmark& of, GoogleBenchmarkEntry& entry);
  void take_counters(const Benchmark& of, const GoogleBenchmarkName& name, ImportedCase& result);
  void take_counters_of_aggregate(const std::vector<GoogleBenchmarkCounter>& counters, const std::string& run_name,
                                  const GoogleBenchmarkName& name, ImportedCase& result);
  void warn_of_lost_counters();
  Benchmark* benchmark(const GoogleBenchmarkEntry& entry);
  Benchmark* new_benchmark(const GoogleBenchmarkEntry& entry);
  void settle_rows();
  void tell_apart();
  base::Result<void> settle_aggregates();
  void make_cases();
  ImportedCase make_case(Benchmark benchmark, const GoogleBenchmarkName& name, bool keep_suffixes);

  ImportedProcess process_;
  std::vector<Benchmark> benchmarks_;
  std::unordered_map<std::string, std::size_t> positions_;  // typed: by name and place
  std::set<std::string> lost_counters_;      // "items_per_second of BM_x": those that some repetitions lack
  std::set<std::string> too_many_counters_;  // beyond those that a benchmark may have
  std::size_t last_ = 0;
  bool untyped_ = false;
};

}  // namespace torchgate::import
