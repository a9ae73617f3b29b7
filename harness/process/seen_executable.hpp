// SPDX-License-Identifier: Apache-2.0
// The file that a process runs, as known to the kernel (/proc/PID/exe), independent of what the process reports.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "harness/process/descriptor.hpp"
#include "harness/process/file_identity.hpp"

namespace torchgate::process {

struct SeenExecutable {
  std::string path;       ///< its path when it was read
  FileIdentity identity;  ///< when it was read
  Descriptor file;        ///< the file itself, even if another one has its name now; closed: not readable
};

/// Reads the executable of one process while it runs. The first reading right after exec always succeeds. A later exec is
/// noticed by the next reading; one after the last reading, of which read_at() is the time, is missed.
class ExecutableWatch {
 public:
  /// Costs one stat() while the file stays the same. A process that has ended, or may not be read, changes nothing.
  void look(pid_t pid);

  /// For a process that may not be read (an executable with capabilities): the file that was started.
  void assume(const std::filesystem::path& executable);

  /// Null: never read.
  [[nodiscard]] const std::shared_ptr<const SeenExecutable>& seen() const { return seen_; }

  /// When it was last what seen() says.
  [[nodiscard]] std::chrono::steady_clock::time_point read_at() const { return read_at_; }

 private:
  std::shared_ptr<const SeenExecutable> seen_;
  std::chrono::steady_clock::time_point read_at_;
};

}  // namespace torchgate::process
