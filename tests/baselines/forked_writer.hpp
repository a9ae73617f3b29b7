// SPDX-License-Identifier: Apache-2.0
// Processes that write to a store and say what is kept, for tests that kill them.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>
#include <unistd.h>

namespace torchgate::baselines::testing {

struct Writer {
  pid_t process;
  int acknowledged;  ///< read end
};

/// A process that calls WRITE with the descriptor of its acknowledgements, and ends.
template <class Write>
Writer fork_writer(Write write) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    write(ends[1]);
    ::_exit(0);
  }
  ::close(ends[1]);
  return {child, ends[0]};
}

}  // namespace torchgate::baselines::testing
