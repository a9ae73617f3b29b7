// SPDX-License-Identifier: Apache-2.0
// The interface to a measured device: one queue that executes its work in order. The CUDA device is in
// harness/bench/torch, a simulated one with known truth in the tests. No policy in here: what to queue, when to wait and
// which sample counts is decided in device_sampler.cpp, the same for both.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "harness/base/result.hpp"

namespace torchgate::bench {

/// The two events, and the two readings of the clock, around what is timed.
enum class Mark { begin, end };

/// How far the device's clock and its timer advanced between the two readings.
struct ClockReading {
  double cycles = 0;
  double ns = 0;
};

/// What is known about a device before anything is measured.
struct DeviceTraits {
  std::string name;
  /// The clock (MHz) that it should run at; absent: unknown, so throttling cannot be detected.
  std::optional<double> expected_clock_mhz;
  /// Why the clock cannot be read; absent if it can.
  std::optional<std::string> clock_unknown;
  /// One step of the timer that clock readings use.
  double timer_step_ns = 0;
};

/// Work queued by the caller: one call of the case, or several.
using DeviceWork = std::function<void()>;

/// All but the waiting only queue. An error has the failed operation and the reason; afterwards lost() tells whether the
/// device can still be used. Exceptions of a DeviceWork pass through.
class Device {
 public:
  virtual ~Device() = default;

  [[nodiscard]] virtual const DeviceTraits& traits() const = 0;
  /// Why the device cannot be used any more (an illegal access, a reset, unplugged); absent while it works.
  [[nodiscard]] virtual std::optional<std::string> lost() = 0;

  /// Queues writes to at least twice the level-2 cache: so that nothing of the call is left there.
  virtual base::Result<void> flush_cache() = 0;
  /// Queues an idle time of about `ns`: later work waits for it, while the host runs ahead.
  virtual base::Result<void> hold(std::int64_t ns) = 0;
  /// Queues a reading of the clock; queues nothing if the clock cannot be read.
  virtual base::Result<void> stamp_clock(Mark mark) = 0;
  /// Queues an event: `mark` is passed when all that was queued before is done.
  virtual base::Result<void> record(Mark mark) = 0;

  /// Whether the mark has been passed. Never waits.
  virtual base::Result<bool> passed(Mark mark) = 0;
  /// Waits until all of the device is idle, without a time limit: only after the end mark has been passed.
  virtual base::Result<void> synchronize() = 0;
  /// Between the marks. REQUIRES: both were passed.
  virtual base::Result<double> elapsed_ns() = 0;
  /// Between the two readings; absent if they could not be taken. REQUIRES: the device is idle.
  virtual base::Result<std::optional<ClockReading>> clock_between() = 0;
  /// The host waits for this time, so that a hot device can cool down.
  virtual void pause(std::int64_t ns) = 0;

  // A graph: the work of a DeviceWork, recorded once and queued again as a whole. One at a time.
  /// Queues `work` where capture() will record it: a first call there may allocate.
  virtual base::Result<void> rehearse(const DeviceWork& work) = 0;
  virtual base::Result<void> capture(const DeviceWork& work) = 0;
  /// Nodes of the captured graph: kernels, copies, ...
  virtual base::Result<std::int64_t> graph_nodes() = 0;
  /// Makes the captured graph executable.
  virtual base::Result<void> instantiate() = 0;
  virtual base::Result<void> replay() = 0;
  virtual void drop_graph() = 0;
};

}  // namespace torchgate::bench
