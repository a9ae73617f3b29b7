// SPDX-License-Identifier: Apache-2.0
// CPU time of the calling thread.
#pragma once

#include <time.h>

namespace torchgate::suites {

/// Of a rank's thread that is the time for which it computes: while it waits for messages it uses none.
inline double thread_time_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  constexpr double ns_per_s = 1e9;
  return static_cast<double>(now.tv_sec) * ns_per_s + static_cast<double>(now.tv_nsec);
}

}  // namespace torchgate::suites
