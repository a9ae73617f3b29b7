// SPDX-License-Identifier: Apache-2.0
// What a child starts ends with it, wherever it went: another session, another process group, another parent.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace torchgate::process {

/// SIGKILL takes microseconds, a program that forks as fast as it can some passes over /proc. What lives longer waits for a
/// device or a network file system, or is another user's (sudo).
inline constexpr std::chrono::milliseconds descendants_patience{10000};

/// A process, also after its number was given to another one.
struct ProcessId {
  pid_t pid = -1;
  std::uint64_t start = 0;  ///< in clock ticks after boot

  bool operator==(const ProcessId&) const = default;
};

/// While one is alive this program is a child subreaper (prctl(2)): what its descendants leave behind becomes its child, and
/// is found and ended by end(). What were children of this program before are left alone, as is everything below them as long
/// as they live. A program that starts processes in another thread meanwhile cannot use it: they would be taken for ours.
/// Not for two threads at a time.
class DescendantScope {
 public:
  explicit DescendantScope(std::chrono::milliseconds patience = descendants_patience);
  ~DescendantScope();
  DescendantScope(const DescendantScope&) = delete;
  DescendantScope& operator=(const DescendantScope&) = delete;

  /// Processes that an earlier scope could not end, and this one could not either: they can disturb or spoil whatever is
  /// started beside them.
  [[nodiscard]] const std::vector<ProcessId>& in_the_way() const { return in_the_way_; }

  struct Ended {
    std::int64_t killed = 0;      ///< still ran
    std::vector<ProcessId> left;  ///< run on, in spite of it; pid -1: there are some that cannot be named
  };

  /// Kills and reaps, again and again, until no descendant is left or the patience is over. All children that somebody waits
  /// for must have been waited for.
  Ended end();

 private:
  std::chrono::milliseconds patience_;
  std::vector<ProcessId> earlier_;  // children of this program that are none of ours
  std::vector<ProcessId> in_the_way_;
  bool ended_ = false;
};

}  // namespace torchgate::process
