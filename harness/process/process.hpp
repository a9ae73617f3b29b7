// SPDX-License-Identifier: Apache-2.0
// One child process, from start to end: with a time limit, in its own process group, and ended when this returns.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/process/command.hpp"
#include "harness/process/seen_executable.hpp"
#include "harness/record/process.hpp"

namespace torchgate::process {

/// Reading the memory map of a process with some hundred libraries takes 0.3 ms, in which it cannot map anything: a
/// thousandth of this.
inline constexpr std::chrono::milliseconds longest_between_looks{256};

enum class Ending {
  exited,       ///< see exit_code
  signalled,    ///< see signal; not sent by this program
  timed_out,    ///< ran into its limit and was killed
  interrupted,  ///< killed because this program was interrupted (interrupt.hpp)
  abandoned,    ///< killed because another process of run_together failed
  not_started   ///< see error
};

struct Outcome {
  Ending ending = Ending::not_started;
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::string error;                            ///< not_started: the error of the operating system
  std::string tail;                             ///< the last bytes of stdout and stderr together, as printed
  std::chrono::steady_clock::time_point ended;  ///< when its end was noticed
  std::chrono::nanoseconds wall{0};
  std::chrono::nanoseconds cpu{0};                ///< user + system, of it and of the children it waited for
  std::chrono::steady_clock::time_point started;  ///< just before it was launched
  std::optional<record::ProcessUsage> usage;

  /// Its executable, as far as known; null: not started, or not readable.
  std::shared_ptr<const SeenExecutable> executable;
  std::chrono::steady_clock::time_point executable_read_at;  ///< it may have become another one later
  /// Processes that it had started and that were still running after its end (and that of run_together). They were
  /// killed.
  std::int64_t left_behind = 0;
  /// Those that could not be killed: "1234, 1235". Empty: none.
  std::string unstoppable;
  /// Absent if it cannot be distinguished from the size of the caller: the kernel counts its forked copy before exec as well.
  std::optional<std::int64_t> peak_resident_bytes;
};

/// Takes part in run_together: talks to its processes while they run, and may end them.
class Companion {
 public:
  virtual ~Companion() = default;
  virtual void on_started(std::size_t index, pid_t pid) = 0;
  virtual void on_ended(std::size_t index, const Outcome& outcome) = 0;
  /// What to wait for beside the processes, and until when.
  virtual void add_events(std::vector<pollfd>& events) const = 0;
  [[nodiscard]] virtual std::chrono::steady_clock::time_point wake_up() const = 0;

  struct End {
    std::size_t index;
    Ending why;
  };
  /// After each wait; the processes to end.
  virtual std::vector<End> step() = 0;
};

/// Runs COMMAND to its end: its own exit, its time limit, or an interruption. All processes that it leaves behind are
/// killed too, in any session (descendants.hpp), so they cannot disturb or change the next measurement; one that
/// cannot be killed prevents the next start. Standard input is empty, and no other file of the caller is open in it. When this
/// program itself dies, even by SIGKILL, the kernel kills the child.
Outcome run_process(const Command& command);

/// The same for several that work together and are started at once. When one cannot be started, is killed, or ends with
/// another exit code than 0, the others have PATIENCE to report, and are then ended (`abandoned`).
/// Outcomes are in the order of COMMANDS.
std::vector<Outcome> run_together(const std::vector<Command>& commands, std::chrono::milliseconds patience,
                                  Companion* companion = nullptr);

}  // namespace torchgate::process
