// SPDX-License-Identifier: Apache-2.0
// Limits on the content of files. Any file may come from an untrusted source; without limits, a small one could take
// hours or all memory. Each limit is about ten times the largest expected run (10,000 cases, 1,000 groups). A number that a
// flag or a setting takes has the same limit in each file that has it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace torchgate::base {

/// Names of cases, groups, metrics, facts; paths: what Linux allows a path (PATH_MAX).
inline constexpr std::size_t max_name_bytes = 4096;
/// Messages and reasons: a page of output of a compiler or LibTorch, with its stack. Longer ones are cut when written.
inline constexpr std::size_t max_text_bytes = std::size_t{64} << 10U;

/// Of one run.
inline constexpr std::int64_t max_cases = 100'000;
inline constexpr std::int64_t max_groups = 10'000;
/// 10,000 groups in ten processes each.
inline constexpr std::int64_t max_processes = 100'000;
/// A process with LibTorch, CUDA and Python loads 300.
inline constexpr std::int64_t max_objects = 10'000;
/// Different ones; suites that name their own have tens.
inline constexpr std::int64_t max_metrics = 10'000;
/// Different ones, with the shapes of their inputs, over all profiles.
inline constexpr std::int64_t max_operators = 100'000;
/// Of one case: each is compared with each of a result.
inline constexpr std::int64_t max_metrics_of_case = 256;
/// Parameters of a case, variables of an environment, facts of a machine, rows of the doctor.
inline constexpr std::int64_t max_parameters = 1'000;
/// Claims of a group, proofs of a result.
inline constexpr std::int64_t max_claims = 1'000;
/// More are not read by people, and each of them may appear in a report. Longer lists are cut when written.
inline constexpr std::int64_t max_warnings = 1'000;
/// Values of a summary; this version knows a dozen.
inline constexpr std::int64_t max_summary_columns = 100;
inline constexpr std::int64_t max_turns = 100'000;
/// Suites of a plan.
inline constexpr std::int64_t max_suites = 1'000;

/// Numbers that decide how long something takes: flag, setting, plan and record alike.
inline constexpr std::int64_t max_processes_per_group = 1'000;  ///< run.processes
inline constexpr std::int64_t max_pairs = 1'000;                ///< gate.pairs
inline constexpr std::int64_t max_shards = 256;
inline constexpr std::int64_t max_threads = 1'024;
/// Processes of one case that work together.
inline constexpr std::int64_t max_ranks = 1'024;
/// Thirty years in nanoseconds fit into 64 bits, with room for sums.
inline constexpr double max_seconds = 1e9;
inline constexpr std::int64_t max_ns = 1'000'000'000'000'000'000;

/// Calls, samples, faults, pairs of a budget: sums over all processes of a run fit into 64 bits.
inline constexpr std::int64_t max_count = 1'000'000'000'000;
/// A petabyte.
inline constexpr std::int64_t max_bytes = 1'000'000'000'000'000;

/// Results name their case, cases their metrics, and profiles their operators by position: "0" in the file is a whole name in
/// memory. This many bytes of names may be copied, and more for a larger text; a measured run needs a tenth of it.
inline constexpr std::size_t max_copied_bytes = std::size_t{16} << 20U;
inline constexpr std::size_t max_copied_bytes_per_byte = 8;

}  // namespace torchgate::base
