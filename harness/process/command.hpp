// SPDX-License-Identifier: Apache-2.0
// A program to start, and within which limits.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/process.hpp"

namespace torchgate::process {

/// Enough for a stack trace or a usage text, little enough for endless output.
inline constexpr std::size_t default_tail_bytes = 16 * 1024;

/// Between SIGTERM and SIGKILL. A suite has nothing to save (reports are written whole or not at all), so this only needs
/// to be long enough for the output of a core dump handler or a sanitizer.
inline constexpr std::chrono::milliseconds default_termination_grace{1000};

struct Command {
  std::filesystem::path executable;            ///< started as given, never searched in PATH
  std::vector<std::string> arguments;          ///< without argv[0]
  std::vector<record::Parameter> environment;  ///< set on top of that of this process
  std::vector<std::string> unset;              ///< removed from it
  std::filesystem::path working_directory;     ///< empty: that of this process
  std::optional<std::chrono::nanoseconds> time_limit;
  std::chrono::milliseconds termination_grace = default_termination_grace;
  std::size_t tail_bytes = default_tail_bytes;

  /// Runs although the user asked to stop: for clean-up.
  bool cleans_up = false;

  /// Processes that it leaves outside its process group may keep running (git's housekeeping): not for code under test.
  bool may_leave_processes = false;

  /// When not empty: its output goes into this new file instead of the tail (errors still go there), and no file that it
  /// writes can grow beyond `output_limit_bytes` (or `file_limit_bytes`).
  std::filesystem::path output_file;

  /// When set: no file that it writes can grow beyond this; a write beyond it kills the process (SIGXFSZ).
  std::optional<std::uint64_t> file_limit_bytes;

  /// A descriptor of this process that is open in it under the same number; -1: none.
  int inherited = -1;

  /// When set: called with its process id while it runs, soon after the start, then less and less often, and whenever it
  /// has printed something. The last time can lie `longest_between_looks` before its end.
  std::function<void(pid_t)> look;
};

/// A listing of a hundred thousand benchmarks is 10 MB; more is endless output.
inline constexpr std::uint64_t output_limit_bytes = std::uint64_t{64} << 20;

}  // namespace torchgate::process
