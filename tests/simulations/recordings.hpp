// SPDX-License-Identifier: Apache-2.0
// Real timings, recorded on a shared two-core machine: sessions (CI runs over time, six processes of each variant), and
// sequences of interleaved pairs. The unchanged variants are `base`, `base2` and `aa` (same binary) and `alt` (other code
// layout); p2, p5 and p10 really do 2, 5 and 10 % more work.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "stats/moments.hpp"

namespace torchgate::simulations {

/// The stored numbers of one process.
struct RecordedProcess {
  double log_median = 0.0;  ///< of iterations 21-200
  double log_mean = 0.0;
  double mean = 0.0;
  double log_p95 = 0.0;
  double log_p99 = 0.0;
  stats::Moments samples;  ///< of all 200 iterations, in nanoseconds
};

using Workload = std::string;
using Variant = std::string;

struct RecordedSession {
  std::size_t folder = 0;  ///< which of the folders it came from
  std::map<std::pair<Workload, Variant>, std::vector<RecordedProcess>> processes;
};

struct RecordedSequence {
  std::size_t folder = 0;
  Workload workload;
  Variant variant;
  std::vector<RecordedProcess> processes;  ///< in the order measured; 2k and 2k+1 are a pair
  std::vector<bool> is_candidate;          ///< of each: the new side
};

struct Recordings {
  std::vector<std::string> folders;
  std::vector<RecordedSession> sessions;  ///< in the order of time, over all folders
  std::vector<RecordedSequence> sequences;
  std::vector<Workload> workloads;  ///< sorted
};

/// Reads sessions_process*.csv[.gz] and interleaved_process*.csv[.gz] in these folders. Sessions with missing processes
/// and sequences that are too short are left out, as in the reference. Throws std::runtime_error with the reason.
Recordings read_recordings(const std::vector<std::filesystem::path>& folders);

/// False for `sort`: more work is not slower there, so its changed variants are not evaluated.
bool is_valid(const Workload& workload, const Variant& variant);

}  // namespace torchgate::simulations
