// SPDX-License-Identifier: Apache-2.0
// One process that counts instructions: how it is started, and what it counted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/launch/count/process_count.hpp"  // IWYU pragma: export
#include "harness/launch/selection.hpp"
#include "harness/process/process.hpp"

namespace torchgate::launch {

/// What is counted, and with what.
struct CountSettings {
  std::filesystem::path valgrind;  ///< empty: the CPU's own counter
  std::string counter;             ///< "callgrind-3.19.0", "hardware"
  std::int64_t calls = 1;          ///< of each case, counted together
  bool set_up = false;             ///< functions of the set-up, too
  bool without_fma = false;        ///< in Callgrind: oneDNN and MKL take kernels that it executes fast
};

/// Valgrind in PATH; not_found says how to install it. Its version is that of `valgrind --version`.
base::Result<CountSettings> find_callgrind();

/// Whether the kernel counts instructions in user mode here; else why not.
base::Result<void> check_hardware_counter();

/// The cases of one group on one side, in one process; of a Google Benchmark program one case, since the parts of several could not be
/// told apart.
struct CountJob {
  const GroupOnSide* side = nullptr;
  std::string group;
  std::string filter;
  std::vector<std::string> cases;
};

/// COMMAND (its executable, environment and limits) to run JOB with all output below FOLDER.
process::Command count_command(process::Command command, const CountJob& job, const CountSettings& settings,
                               const std::string& profile, const std::filesystem::path& folder);

/// Which limit of time a process that counts would reach first.
enum class CountLimit { of_group, of_counting };

/// What JOB wrote below FOLDER, by case. The result has every case of JOB. LIMIT is named where it ended the process.
std::map<std::string, ProcessCount> read_counts(const CountJob& job, const CountSettings& settings,
                                                const process::Outcome& outcome, const std::filesystem::path& folder,
                                                CountLimit limit = CountLimit::of_group);

}  // namespace torchgate::launch
