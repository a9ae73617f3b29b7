// SPDX-License-Identifier: Apache-2.0
// Which samples were taken while the device ran slower than it should: hot, out of power, or clocked down on purpose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/bench/device/device.hpp"
#include "harness/bench/device/device_settings.hpp"

namespace torchgate::bench {

/// MHz. Absent where the timer moved too few of its steps to tell, or was not read.
std::optional<double> clock_mhz(const std::optional<ClockReading>& reading, const DeviceTraits& traits,
                                const DeviceSettings& settings);

/// The environment variable that says what clock a device is locked to, where that is not its highest.
inline constexpr const char* locked_clock_variable = "TORCHGATE_SM_CLOCK_MHZ";

/// Its value; null: not set. bad_input when it is no clock.
base::Result<std::optional<double>> locked_clock_mhz(const char* text);

class ThrottleGuard {
 public:
  ThrottleGuard(const DeviceTraits& traits, const DeviceSettings& settings) : traits_(traits), settings_(settings) {}

  /// Whether the sample counts. One whose clock is not known does: unknown is shown, not guessed.
  bool keeps(const std::optional<double>& mhz);
  [[nodiscard]] std::int64_t kept() const { return kept_; }
  [[nodiscard]] std::int64_t discarded() const { return discarded_; }
  /// How long to let the device alone after a discarded sample: longer with each one in a row.
  [[nodiscard]] std::int64_t pause_ns() const;
  /// Why the series is none, once more would be discarded of `wanted` kept samples than may be.
  [[nodiscard]] std::optional<std::string> invalid(std::int64_t wanted) const;

 private:
  const DeviceTraits& traits_;
  const DeviceSettings& settings_;
  std::int64_t kept_ = 0;
  std::int64_t discarded_ = 0;
  std::int64_t in_a_row_ = 0;
  double slowest_mhz_ = 0;
};

}  // namespace torchgate::bench
