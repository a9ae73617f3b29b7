// SPDX-License-Identifier: Apache-2.0
// One counter of the kernel's perf_event interface, of this process and of the threads that it starts later.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/base/result.hpp"

namespace torchgate::bench {

class EventCounter {
 public:
  /// TYPE and CONFIG as in perf_event_open(2), e.g. PERF_TYPE_HARDWARE and PERF_COUNT_HW_INSTRUCTIONS. User mode only, and stopped. io: the
  /// kernel's answer; virtual machines often have no hardware events, and kernel.perf_event_paranoid above 2 permits none.
  static base::Result<EventCounter> open(std::uint32_t type, std::uint64_t config);

  EventCounter(EventCounter&& other) noexcept;
  EventCounter& operator=(EventCounter&&) = delete;
  ~EventCounter();

  void start();
  void stop();
  /// Since it was opened. Absent: the kernel could not count all the time, because other counters needed the same hardware.
  [[nodiscard]] std::optional<std::uint64_t> count() const;

 private:
  explicit EventCounter(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace torchgate::bench
