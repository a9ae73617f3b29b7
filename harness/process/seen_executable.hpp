// SPDX-License-Identifier: Apache-2.0
// The file that a process runs, as the kernel has it (/proc/PID/exe), whatever the process says of itself.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>

#include "harness/process/descriptor.hpp"
#include "harness/process/file_identity.hpp"

namespace torchgate::process {

struct SeenExecutable {
  std::string path;       ///< where it was when it was seen
  FileIdentity identity;  ///< when it was seen
  Descriptor file;        ///< the file itself, even when another one has its name by now; closed: it may not be read
};

/// Looks at one process while it runs. The first look right after exec is certain. A later exec is seen by the next look,
/// one after the last look is not.
class ExecutableWatch {
 public:
  /// Costs one stat() while the file stays the same. A process that has ended, or may not be looked at, changes nothing.
  void look(pid_t pid);

  /// For a process that may not be looked at (an executable with capabilities): the file that was started.
  void assume(const std::filesystem::path& executable);

  /// Null: never seen.
  [[nodiscard]] const std::shared_ptr<const SeenExecutable>& seen() const { return seen_; }

 private:
  std::shared_ptr<const SeenExecutable> seen_;
};

}  // namespace torchgate::process
