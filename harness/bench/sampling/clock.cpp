// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/sampling/clock.hpp"

#include <time.h>

#include <chrono>

namespace torchgate::bench {
namespace {

class RealClock final : public Clock {
 public:
  std::int64_t wall_ns() override {
    using namespace std::chrono;
    return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
  }
  std::int64_t cpu_ns() override {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
  }
};

}  // namespace

Clock& real_clock() {
  static RealClock clock;
  return clock;
}

}  // namespace torchgate::bench
