// SPDX-License-Identifier: Apache-2.0
// Reads the device's clock before and after each of the host's samples, outside of what they time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/device/device.hpp"
#include "harness/bench/device/device_settings.hpp"
#include "harness/bench/device/throttle_guard.hpp"
#include "harness/bench/sampling/sampler.hpp"

namespace torchgate::bench {

class ClockWatch final : public SampleObserver {
 public:
  /// `next` is called too, nearest to the sample; may be null.
  ClockWatch(Device& device, const DeviceSettings& settings, SampleObserver* next)
      : device_(device), settings_(settings), next_(next), guard_(device.traits(), settings) {}

  void on_start(std::int64_t samples, std::int64_t calls_per_sample) override;
  void on_sample_begin() override;
  void on_sample_end() override;

  /// Removes the samples that were taken below the expected clock, and returns their number. A turn of such samples alone keeps them: a turn
  /// has a partner, that of the other side. Throws std::runtime_error if there are too many of them for a valid series.
  std::int64_t drop_throttled(Samples& samples) const;

 private:
  [[nodiscard]] std::vector<bool> kept_in_turns(std::vector<std::int64_t>& turns) const;

  Device& device_;
  const DeviceSettings& settings_;
  SampleObserver* next_;
  ThrottleGuard guard_;
  std::vector<bool> kept_;
};

}  // namespace torchgate::bench
