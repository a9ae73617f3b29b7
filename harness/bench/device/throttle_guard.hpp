// SPDX-License-Identifier: Apache-2.0
// Finds samples that were taken while the device was slower than expected: hot, power-limited, or clocked down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/bench/device/device.hpp"
#include "harness/bench/device/device_settings.hpp"

namespace torchgate::bench {

/// MHz. Absent if the timer advanced by too few steps, or was not read.
std::optional<double> clock_mhz(const std::optional<ClockReading>& reading, const DeviceTraits& traits,
                                const DeviceSettings& settings);

/// The environment variable with the clock that a device is locked to, if that is not its maximum.
inline constexpr const char* locked_clock_variable = "TORCHGATE_SM_CLOCK_MHZ";

/// Its value; null: not set. bad_input if it is not a clock.
base::Result<std::optional<double>> locked_clock_mhz(const char* text);

class ThrottleGuard {
 public:
  ThrottleGuard(const DeviceTraits& traits, const DeviceSettings& settings) : traits_(traits), settings_(settings) {}

  /// Whether the sample is valid. One with an unknown clock is.
  bool keeps(const std::optional<double>& mhz);
  [[nodiscard]] std::int64_t kept() const { return kept_; }
  [[nodiscard]] std::int64_t discarded() const { return discarded_; }
  /// How long to leave the device idle after a discarded sample: longer with each one in a row.
  [[nodiscard]] std::int64_t pause_ns() const;
  /// Why the series is invalid, if more samples are discarded than allowed for `wanted` kept ones.
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
