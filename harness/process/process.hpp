// SPDX-License-Identifier: Apache-2.0
// One child process, from start to end: limited in time, in a process group of its own, and gone when this returns.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/process/seen_executable.hpp"
#include "harness/record/process.hpp"

namespace torchgate::process {

/// Enough for a stack trace or a usage text, little enough for a suite that prints without end.
inline constexpr std::size_t default_tail_bytes = 16 * 1024;

/// Between SIGTERM and SIGKILL. A suite has nothing to save (reports are written whole or not at all), so this only has
/// to be long enough for a core dump handler or a sanitizer to say something.
inline constexpr std::chrono::milliseconds default_termination_grace{1000};

struct Command {
  std::filesystem::path executable;            ///< started as it is, never searched in PATH
  std::vector<std::string> arguments;          ///< without argv[0]
  std::vector<record::Parameter> environment;  ///< set on top of ours
  std::vector<std::string> unset;              ///< taken out of ours
  std::filesystem::path working_directory;     ///< empty: ours
  std::optional<std::chrono::nanoseconds> time_limit;
  std::chrono::milliseconds termination_grace = default_termination_grace;
  std::size_t tail_bytes = default_tail_bytes;

  /// Starts and goes on although we were asked to stop: what cleans up after that.
  bool cleans_up = false;

  /// What it leaves running outside its process group is its own affair (git's housekeeping): not for code under test.
  bool may_leave_processes = false;

  /// When not empty: what it prints goes into this new file instead of the tail (errors still go there), and no file that it
  /// writes can grow beyond `output_limit_bytes`.
  std::filesystem::path output_file;

  /// When set: called with its process id while it runs, soon after the start, then less and less often, and whenever it
  /// has printed something. The last time can lie `longest_between_looks` before its end.
  std::function<void(pid_t)> look;
};

/// A listing of a hundred thousand benchmarks is 10 MB; more is a program that prints without end.
inline constexpr std::uint64_t output_limit_bytes = std::uint64_t{64} << 20;

/// Reading the memory map of a process with some hundred libraries takes 0.3 ms, in which it cannot map anything: a
/// thousandth of this.
inline constexpr std::chrono::milliseconds longest_between_looks{256};

enum class Ending {
  exited,       ///< see exit_code
  signalled,    ///< see signal; nobody here sent it
  timed_out,    ///< ran into its limit and was killed
  interrupted,  ///< killed because this program was interrupted (interrupt.hpp)
  abandoned,    ///< killed because another process that it works with had failed (run_together)
  not_started   ///< see error
};

struct Outcome {
  Ending ending = Ending::not_started;
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::string error;                            ///< not_started: what the operating system said
  std::string tail;                             ///< the last bytes of stdout and stderr together, as printed
  std::chrono::steady_clock::time_point ended;  ///< when its end was seen
  std::chrono::nanoseconds wall{0};
  std::chrono::nanoseconds cpu{0};                ///< user + system, of it and of the children it waited for
  std::chrono::steady_clock::time_point started;  ///< just before it was launched
  std::optional<record::ProcessUsage> usage;

  /// What it ran, as far as that was seen; null: not started, or it may not be looked at.
  std::shared_ptr<const SeenExecutable> executable;
  /// Processes that it had started and that still ran when it (and those that it worked with) had ended. They were killed.
  std::int64_t left_behind = 0;
  /// Those that could not be killed: "1234, 1235". Empty: none.
  std::string unstoppable;
  /// Absent where it cannot be told from our own size: the kernel counts the forked copy of us before exec as well.
  std::optional<std::int64_t> peak_resident_bytes;
};

/// Runs COMMAND to its end: its own exit, its time limit, or an interruption. Whatever it started and left behind is killed
/// too, in whatever session it is (descendants.hpp), so nothing of it disturbs or rewrites the next measurement; what cannot be
/// killed keeps the next one from starting. Standard input is empty, and no other file of ours is open in it. When this
/// program itself dies, even by SIGKILL, the kernel kills the child.
Outcome run_process(const Command& command);

/// The same for several that work together and are started at once. When one cannot be started, is killed, or ends with
/// another exit code than 0, the others have PATIENCE to say what they think of it, and are then ended (`abandoned`).
/// Outcomes are in the order of COMMANDS.
std::vector<Outcome> run_together(const std::vector<Command>& commands, std::chrono::milliseconds patience);

}  // namespace torchgate::process
