// SPDX-License-Identifier: Apache-2.0
// The numbers of the measuring policy of a device, each with its reason. How many samples are taken is the same as on the
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
  /// Where 100 us of calls cannot be had (nothing is queued at all), looking for a batch has to end.
  std::int64_t most_calls_per_sample = 1024;
  /// Before each kind of sample, and after each pause, untimed.
  std::int64_t warmup_calls = 3;
  /// Calls in one graph, so that a replay is long against its own launch (measurement.md 1.2).
  std::int64_t calls_per_graph = 10;

  /// The first hold, before it is known how long the host takes to queue a call.
  std::int64_t hold_first_ns = 50'000;
  /// The next hold is this many times what the host took.
  std::int64_t hold_factor = 2;
  /// A longer one would cost more than it tells, and a CUDA queue takes only about a thousand launches anyway.
  std::int64_t hold_most_ns = 20'000'000;
  /// After so many longer holds in a row that were not enough, the call waits for the device itself.
  std::int64_t hold_attempts = 3;

  /// A sample taken below this share of the expected clock is discarded (nvbench's limit).
  double least_clock_share = 0.75;
  /// More discarded samples than this and those that are left are not the device's normal state either.
  double most_discarded_share = 0.2;
  /// A clock reading is believed when its timer moved this many steps: 5 % at two uncertain ends.
  double least_timer_steps = 40;
  /// The pause after a discarded sample, times the number discarded in a row, up to the longest.
  std::int64_t pause_ns = 50'000'000;
  std::int64_t pause_most_ns = 500'000'000;

  /// How long a sample may take beyond ten times what a call takes by the host's clock.
  std::int64_t timeout_ns = 30'000'000'000;
};

/// What is written over to flush a level-2 cache of `l2_bytes`: twice its size, at least 64 MB. Lines that the flush itself
/// left dirty are written back while the call runs, the same for every call.
inline constexpr std::size_t flush_bytes(std::size_t l2_bytes) {
  constexpr std::size_t least = std::size_t{64} << 20;
  return 2 * l2_bytes > least ? 2 * l2_bytes : least;
}

}  // namespace torchgate::bench
