// SPDX-License-Identifier: Apache-2.0
// Turns calls into samples of device time, of three kinds:
//
//   cold   one call with nothing of it in the level-2 cache:
//          flush, wait, hold, clock, EVENT, call, EVENT, clock, wait
//   hot    a batch of calls in a row, long enough for the events' resolution:
//          hold, clock, EVENT, calls, EVENT, clock, wait
//   graph  the calls captured once into a graph, and replays of it in a batch, as hot
//
// Holding the queue lets the host run ahead, so that the events measure the device's work without the gaps in which
// it waits for the next launch; queue_ahead.hpp finds how long. A sample taken while the device ran too slowly is
// taken again (throttle_guard.hpp). The case has been warmed up by the host's own samples before.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/bench/device/device.hpp"
#include "harness/bench/device/device_settings.hpp"
#include "harness/bench/device/queue_ahead.hpp"
#include "harness/bench/sampling/clock.hpp"
#include "harness/bench/sampling/sampler.hpp"

namespace torchgate::bench {

struct DeviceSample {
  double ns = 0;  ///< between the events, per call
  /// The device had begun before the host had queued all of it: launch gaps may be in the time.
  bool host_bound = false;
  /// Too short for the events' resolution.
  bool resolution_limited = false;
  std::optional<double> clock_mhz;  ///< absent: unknown

  bool operator==(const DeviceSample&) const = default;
};

struct DeviceSeries {
  std::vector<DeviceSample> samples;  ///< valid ones, in time order
  std::int64_t calls_per_sample = 1;
  std::int64_t throttled = 0;  ///< discarded, and taken again
  std::int64_t retaken = 0;    ///< the host was behind; taken again with a longer hold
  /// Why there are no samples; absent if there are.
  std::optional<std::string> invalid;
};

struct GraphSeries {
  DeviceSeries replays;
  double build_ns = 0;     ///< host time to capture and to instantiate
  std::int64_t nodes = 0;  ///< of the graph of `calls_per_graph` calls
};

/// The device did not finish in time. It must not be used any more: every wait for it would be endless.
class DeviceTimeout : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Exceptions of the call pass through. Errors of the device are thrown as std::runtime_error with the failed step.
class DeviceSampler {
 public:
  /// `call_ns`: how long a call takes by the host's clock, with the wait for the device.
  DeviceSampler(Device& device, DeviceWork call, std::int64_t call_ns, const DeviceSettings& settings,
                const SamplerSettings& counts, Clock& clock);

  DeviceSeries cold();
  DeviceSeries hot();
  GraphSeries graph();

 private:
  enum class Cache { flushed, as_it_is };
  // Queued between the events, `repeats` times.
  struct Batch {
    const DeviceWork& once;
    std::int64_t calls_in_one;  // calls of the case in one `once`
    Cache cache;
    std::int64_t repeats = 1;
  };
  struct Attempt {
    double ns = 0;
    bool behind = false;
    std::optional<double> clock_mhz;
    std::int64_t queuing_ns = 0;
    std::int64_t cost_ns = 0;  // of the host, with everything around
  };

  DeviceSeries series(const DeviceWork& once, std::int64_t calls_in_one, Cache cache);
  std::int64_t find_repeats(Batch& batch, QueueAhead& ahead, DeviceSeries& series);
  Attempt settled(const Batch& batch, QueueAhead& ahead, DeviceSeries& series);
  Attempt take(const Batch& batch, const QueueAhead& ahead);
  void warm_up(const Batch& batch);
  void finish(const std::string& what, std::int64_t calls);

  Device& device_;
  DeviceWork call_;
  std::int64_t call_ns_;
  DeviceSettings settings_;
  SamplerSettings counts_;
  Clock& clock_;
};

}  // namespace torchgate::bench
