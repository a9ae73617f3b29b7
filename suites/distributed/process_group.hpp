// SPDX-License-Identifier: Apache-2.0
// What the ranks of a case communicate with: real Gloo over TCP.
#pragma once

#include <c10/util/intrusive_ptr.h>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

namespace torchgate::suites {

/// A new process group of all ranks of this_world(), one thread each; all of them call it at the same time. Over the
/// loopback interface where rank 0 is there, else over the interface of this machine's name. A rank that waits for another
/// one longer than 20 s throws. Throws c10::Error when the ranks cannot be connected. Returns when all ranks are connected.
c10::intrusive_ptr<c10d::ProcessGroup> connect_ranks();

/// The same for a timed call: returns when this rank is connected. Rank 0 must keep the group until all others are, as it does
/// if a collective follows: it has the store in which they find each other.
c10::intrusive_ptr<c10d::ProcessGroup> connect_this_rank();

}  // namespace torchgate::suites
