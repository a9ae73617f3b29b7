// SPDX-License-Identifier: Apache-2.0
// The constants of measuring on a device, each with its reason. How many samples are taken is the same as on the
// host: SamplerSettings.
#pragma once

#include <cstddef>
#include <cstdint>

namespace torchgate::bench {

struct DeviceSettings {
  /// Event times move in steps of about 0.5 us: 100 us are 200 of them.
  std::int64_t hot_least_ns = 100'000;
  /// A cold sample is one call and cannot be made longer; below this one step is over 1 % of it.
  std::int64_t cold_resolved_ns = 50'000;
  /// If 100 us of calls are never reached (nothing is queued at all), the search for a batch ends here.
  std::int64_t most_calls_per_sample = 1024;
  /// Before each kind of sample, and after each pause, untimed.
  std::int64_t warmup_calls = 3;
  /// Calls in one graph, so that a replay is long compared with its launch.
  std::int64_t calls_per_graph = 10;

  /// The first hold, before it is known how long the host takes to queue a call.
  std::int64_t hold_first_ns = 50'000;
  /// The next hold is this many times the time that the host took.
  std::int64_t hold_factor = 2;
  /// A longer one is not worth its time, and a CUDA queue holds only about a thousand launches.
  std::int64_t hold_most_ns = 20'000'000;
  /// If this number of longer holds in a row are not enough, the call waits for the device itself.
  std::int64_t hold_attempts = 3;

  /// A sample taken below this share of the expected clock is discarded (nvbench's limit).
  double least_clock_share = 0.75;
  /// With more discarded samples than this, the remaining ones do not show the device's normal state either.
  double most_discarded_share = 0.2;
  /// A clock reading is valid if its timer advanced by this many steps: 5 % at two uncertain ends.
  double least_timer_steps = 40;
  /// The pause after a discarded sample, times the number discarded in a row, up to the longest.
  std::int64_t pause_ns = 50'000'000;
  std::int64_t pause_most_ns = 500'000'000;

  /// How long a sample may take beyond ten times the time of a call on the host's clock.
  std::int64_t timeout_ns = 30'000'000'000;
};

/// Number of bytes to write to flush a level-2 cache of `l2_bytes`: twice its size, at least 64 MB. Lines that the
/// flush itself left dirty are written back while the call runs, the same for every call.
inline constexpr std::size_t flush_bytes(std::size_t l2_bytes) {
  constexpr std::size_t least = std::size_t{64} << 20;
  return 2 * l2_bytes > least ? 2 * l2_bytes : least;
}

}  // namespace torchgate::bench
