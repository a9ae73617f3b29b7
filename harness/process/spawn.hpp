// SPDX-License-Identifier: Apache-2.0
// fork and exec with everything that can go wrong in between.
#pragma once

#include <sys/types.h>

#include "harness/base/result.hpp"
#include "harness/process/descriptor.hpp"
#include "harness/process/process.hpp"

namespace torchgate::process {

struct Child {
  pid_t pid = -1;     ///< also the id of its process group
  Descriptor output;  ///< what it prints, non-blocking
  Descriptor exited;  ///< readable when it has ended; closed where the kernel cannot tell (before Linux 5.3)
};

/// Starts COMMAND in a process group of its own, with /dev/null as its input and both its outputs in one pipe. io, with
/// what the operating system said, when the executable or its working directory cannot be used.
base::Result<Child> spawn(const Command& command);

}  // namespace torchgate::process
