// SPDX-License-Identifier: Apache-2.0
// fork and exec, with all errors in between.
#pragma once

#include <sys/types.h>

#include "harness/base/result.hpp"
#include "harness/process/command.hpp"
#include "harness/process/descriptor.hpp"

namespace torchgate::process {

struct Child {
  pid_t pid = -1;     ///< also the id of its process group
  Descriptor output;  ///< its output, non-blocking
  Descriptor exited;  ///< readable when it has ended; closed if the kernel does not support it (before Linux 5.3)
};

/// Starts COMMAND in a process group of its own, with /dev/null as its input and both its outputs in one pipe. io, with
/// the error of the operating system, if the executable or its working directory cannot be used.
base::Result<Child> spawn(const Command& command);

}  // namespace torchgate::process
