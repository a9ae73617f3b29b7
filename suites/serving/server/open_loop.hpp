// SPDX-License-Identifier: Apache-2.0
// Sends requests at their scheduled times, whether earlier ones were answered or not. Latencies count from the scheduled time, so
// that a stalled server is not spared the requests that would have come meanwhile ("coordinated omission", Tene 2013).
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <thread>

#include "suites/serving/server/request.hpp"

namespace torchgate::serving {

/// The time of a driver: the real one, or a test's.
struct DriverClock {
  std::function<SteadyTime()> now = [] { return std::chrono::steady_clock::now(); };
  std::function<void(SteadyTime)> sleep_until = [](SteadyTime time) {
    // The kernel wakes a thread about 60 us late: the last part is spun.
    constexpr auto spun = std::chrono::microseconds(200);
    std::this_thread::sleep_until(time - spun);
    while (std::chrono::steady_clock::now() < time) std::this_thread::yield();
  };
};

/// Calls send(i, scheduled time) for each arrival. Behind schedule it sends at once, and does not move the schedule.
inline void send_open_loop(std::span<const nanoseconds> arrivals, const DriverClock& clock,
                           const std::function<void(std::size_t, SteadyTime)>& send) {
  const SteadyTime start = clock.now();
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    const SteadyTime scheduled = start + arrivals[i];
    if (clock.now() < scheduled) clock.sleep_until(scheduled);
    send(i, scheduled);
  }
}

}  // namespace torchgate::serving
