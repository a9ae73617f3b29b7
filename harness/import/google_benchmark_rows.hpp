// SPDX-License-Identifier: Apache-2.0
// Google Benchmark's files that do not say which of their rows are aggregates: the CSV of every version, and JSON before 1.5. Pure.
//
// What the tool writes of a benchmark (src/benchmark_runner.cc, src/statistics.cc, versions 1.0 to 1.9): its repetitions one after the other, all with
// the same number of iterations; then, where there are at least two of them, one row each for NAME_mean, NAME_median (since 1.2), NAME_stddev,
// NAME_cv (since 1.6) and the statistics that the program added, all with the same number in `iterations`. With
// --benchmark_report_aggregates_only the repetitions are left out. So "BM_filter_median" behind one row of "BM_filter" is a benchmark of its own.
// The name of a statistic that the program added has no '/'. Where other benchmarks have one row, "BM_train_large" behind the aggregates of "BM_train"
// is a benchmark, unless another benchmark has a statistic "large" as well. A row without numbers does not say how many rows its benchmark would have had,
// and behind two benchmarks with aggregates neither does the last row of a file: the file may be cut off.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace torchgate::import {

/// Rows of one name that stand together.
struct RowBlock {
  std::string_view name;
  std::int64_t rows = 1;
  std::int64_t iterations = 0;  ///< of the first one
  bool no_numbers = false;      ///< an error or a skipped benchmark: a row without numbers
};

/// What a block is.
struct BlockRole {
  bool aggregate = false;
  std::string_view of;         ///< an aggregate: the name of its benchmark
  std::string_view statistic;  ///< "median"
  bool begins = false;         ///< the first aggregate of its benchmark
  bool alone = false;          ///< ... of which the file has no repetitions
  bool unsure =
      false;  ///< a statistic that the program added; no other benchmark has it, and it may be a benchmark of one row
};

/// NAME has "/repeats:", of a benchmark that asks for its number of repetitions itself.
bool asks_for_repetitions(std::string_view name);

/// One role for each of BLOCKS, which are in the order of the file. Linear.
std::vector<BlockRole> roles_of(std::span<const RowBlock> blocks);

/// What to say about blocks that are ignored as statistics of the program and may be benchmarks, without the name of the file: where all files say the same,
/// it is said once. OTHERWISE: what to give instead of the file. Empty: there are none.
std::string ignored_statistics(const std::vector<BlockRole>& roles, std::string_view otherwise);

/// Why the rows of a benchmark seem to be those of two benchmarks of one name. TIMES: of its rows, in their order. MOST_ROWS: the repetitions of
/// the other benchmarks of the file, absent where that is not known. Empty: they are of one, as far as can be seen.
std::string two_in_one_block(std::span<const double> times, std::optional<std::int64_t> most_rows);

/// How many repetitions the benchmarks of a file have: the rows of most of its OWN blocks without "/repeats:". The last one does not count where it
/// has another number, since it may be cut off. Absent: not known.
std::optional<std::int64_t> usual_rows(std::span<const RowBlock> own);

}  // namespace torchgate::import
