// SPDX-License-Identifier: Apache-2.0
// How long the device must be held so that the host has queued a whole sample before the device starts it. If a device
// waits for the host in the middle of a sample, its time includes gaps that depend on the host.
#pragma once

#include <cstdint>

#include "harness/bench/device/device_settings.hpp"

namespace torchgate::bench {

class QueueAhead {
 public:
  explicit QueueAhead(const DeviceSettings& settings) : settings_(settings), hold_ns_(settings.hold_first_ns) {}

  /// 0: do not hold, it does not help.
  [[nodiscard]] std::int64_t hold_ns() const { return hold_ns_; }
  /// No hold is long enough, because the call waits for the device or takes the host too long: samples are kept as
  /// they are.
  [[nodiscard]] bool gave_up() const { return gave_up_; }

  /// After an attempt: whether to take it again, with the new hold_ns(). `behind`: the device had begun before the
  /// last launch was queued; `queuing_ns`: how long the host took to queue.
  bool again(bool behind, std::int64_t queuing_ns);

 private:
  const DeviceSettings& settings_;
  std::int64_t hold_ns_;
  std::int64_t behind_in_a_row_ = 0;
  bool was_enough_ = false;
  bool gave_up_ = false;
};

}  // namespace torchgate::bench
