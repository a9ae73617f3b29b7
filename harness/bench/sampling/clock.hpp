// SPDX-License-Identifier: Apache-2.0
// Sources of time: the real clocks, or those of a test.
#pragma once

#include <cstdint>

namespace torchgate::bench {

class Clock {
 public:
  virtual ~Clock() = default;
  /// Monotonic wall time. About 20 ns a reading where the clock source is tsc.
  virtual std::int64_t wall_ns() = 0;
  /// CPU time of all threads of this process. About 200 ns a reading: read outside the wall interval.
  virtual std::int64_t cpu_ns() = 0;
};

/// steady_clock and CLOCK_PROCESS_CPUTIME_ID.
Clock& real_clock();

}  // namespace torchgate::bench
