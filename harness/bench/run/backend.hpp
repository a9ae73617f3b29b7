// SPDX-License-Identifier: Apache-2.0
// What the harness needs from the library under measurement. LibTorch's is harness/bench/torch; programs that measure
// plain C++ (and the harness's own tests) use the plain one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/device/device.hpp"
#include "harness/bench/observation.hpp"
#include "harness/record/process.hpp"

namespace torchgate::bench {

/// The median of this number of calls varies by less than a tenth of the variation of one call; more would take time
/// from samples.
inline constexpr std::int64_t most_profiled_calls = 101;

/// A call of a case, and what has to be done before each one and is not counted. Both can be called.
struct CountedCall {
  std::function<void()> set_up;
  std::function<void()> run;
};

class Backend {
 public:
  virtual ~Backend() = default;
  /// Once, before anything is built. `threads`: intra-operator threads.
  virtual void start(int threads) = 0;
  /// Facts known only to this library: version, capabilities, thread counts.
  [[nodiscard]] virtual std::vector<record::Parameter> facts() const = 0;
  /// Absent if the requirement is met; otherwise the reason. An unknown name is not met, with that reason.
  [[nodiscard]] virtual std::optional<std::string> unmet(const std::string& requirement) const = 0;
  /// Before a case is built, on the thread of start(): restores the library's global settings as start() left them, seeds
  /// its generator and switches gradient recording on or off. What the case sets from then on lasts until the next one.
  virtual void prepare(std::uint64_t seed, bool training) = 0;
  /// The library's global settings as they are now, to be set again: cases that are built one after the other and then timed in turns each
  /// have their own. On the thread of start().
  [[nodiscard]] virtual std::function<void()> keep_settings() const {
    return [] {};
  }
  /// Waits until all work queued on `device` is done.
  virtual void synchronize(const std::string& device) = 0;
  /// Gives memory that the library keeps for later calls back to `device`: another process needs it.
  virtual void give_memory_back(const std::string& device) { (void)device; }
  /// The device whose own time is measured beside the host's; null for the CPU, and without a device. The backend keeps
  /// it.
  virtual base::Result<Device*> device(const std::string& name);
  /// Why `device` cannot be used by this process any more, also where device() never opened it; absent: it can.
  [[nodiscard]] virtual std::optional<std::string> lost(const std::string& device);
  /// Counts what one call does. It may be made more than once, for counts that exclude each other, each time after its set-up.
  virtual Observation observe(const std::string& device, const CountedCall& call) = 0;
  /// Profiles this number of calls by operator. Empty if this library does not expose operators; then it need not
  /// call anything.
  virtual base::Boxed<record::OperatorProfile> profile(const std::function<void()>& call, std::int64_t calls);
};

/// Counts nothing, supports only CPU features as requirements, measures plain C++.
std::unique_ptr<Backend> plain_backend();

}  // namespace torchgate::bench
