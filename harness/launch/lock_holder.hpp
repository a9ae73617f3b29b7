// SPDX-License-Identifier: Apache-2.0
// The holder of a lock: its name, and whether waiting for it makes sense.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace torchgate::launch {

struct LockHolder {
  std::optional<pid_t> pid;   ///< unknown: a process of another container, or /proc/locks cannot be read
  std::optional<uid_t> user;  ///< of that process; of the file where the process is not known
  std::string program;        ///< as the kernel calls it; empty: unknown
};

/// Who holds the flock on the file that DESCRIPTOR has open.
LockHolder lock_holder(int descriptor, const std::filesystem::path& proc = "/proc");

/// The process that has the lock, in the text of /proc/locks; waiting ones are in it too.
std::optional<pid_t> flock_owner(std::string_view locks, dev_t device, ino_t inode);

/// "process 1234 (torchgate) of user build (1001)", with as much of it as known.
std::string holder_text(const LockHolder& holder);

/// False: another user has it, and it is not known to be torchgate. It may never be released.
bool worth_waiting_for(const LockHolder& holder, uid_t us);

}  // namespace torchgate::launch
