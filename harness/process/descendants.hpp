// SPDX-License-Identifier: Apache-2.0
// Ends all descendants of a child with it, also those in another session or process group, or with another parent.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace torchgate::process {

/// SIGKILL takes microseconds, a program that forks continuously some passes over /proc. A process that lives longer
/// waits for a device or a network file system, or belongs to another user (sudo).
inline constexpr std::chrono::milliseconds descendants_patience{10000};

/// A process, distinguished from a later one with the same number.
struct ProcessId {
  pid_t pid = -1;
  std::uint64_t start = 0;  ///< in clock ticks after boot

  bool operator==(const ProcessId&) const = default;
};

/// While one is alive this program is a child subreaper (prctl(2)): processes that its descendants leave behind
/// become its children, and end() finds and ends them. Earlier children of this program are not touched, nor are
/// their descendants as long as they live. A program that starts processes in another thread at the same time cannot
/// use it: they would be ended too. Only for one thread at a time.
class DescendantScope {
 public:
  explicit DescendantScope(std::chrono::milliseconds patience = descendants_patience);
  ~DescendantScope();
  DescendantScope(const DescendantScope&) = delete;
  DescendantScope& operator=(const DescendantScope&) = delete;

  /// Processes that an earlier scope could not end, and this one could not either: they can disturb everything that is
  /// started beside them.
  [[nodiscard]] const std::vector<ProcessId>& in_the_way() const { return in_the_way_; }

  struct Ended {
    std::int64_t killed = 0;      ///< were still running
    std::vector<ProcessId> left;  ///< still running; pid -1: some whose ids are unknown
  };

  /// Kills and reaps repeatedly, until no descendant is left or the time is over. All expected children must have been
  /// waited for.
  Ended end();

 private:
  std::chrono::milliseconds patience_;
  std::vector<ProcessId> earlier_;  // earlier children of this program
  std::vector<ProcessId> in_the_way_;
  bool ended_ = false;
};

}  // namespace torchgate::process
