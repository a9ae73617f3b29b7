// SPDX-License-Identifier: Apache-2.0
// A device with known truth: one queue, a level-2 cache, a clock that can be throttled, and a host that takes time to
// launch. Its time is that of a FakeClock, which only its own calls and the test move.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/device/device.hpp"
#include "tests/harness/bench/fakes.hpp"

namespace torchgate::bench::testing {

/// A moment that never comes.
inline constexpr double always = std::numeric_limits<double>::infinity();

class FakeDevice final : public Device {
 public:
  explicit FakeDevice(FakeClock& clock) : clock_(clock) {
    device_traits.name = "fake";
    device_traits.expected_clock_mhz = full_mhz;
    device_traits.timer_step_ns = 1'000;
  }

  // --- What a test's call does ---
  /// Launches `kernels`, each of which takes `warm_ns` at full clock when its data is in the cache, else `cold_ns`.
  void launch(std::int64_t kernels, double warm_ns, double cold_ns);
  /// Waits for the queue, as reading a value back does.
  void wait();

  // --- The truth ---
  static constexpr double full_mhz = 1'000;
  struct Throttle {
    double from_ns = 0;
    double to_ns = 0;
    double share = 1;  ///< of the full clock
  };
  std::vector<Throttle> throttles;  ///< on the test's clock; apart from each other, in order
  std::int64_t launch_ns = 5'000;   ///< what the host needs to launch one kernel
  std::int64_t query_ns = 1'000;    ///< what the host needs to ask for an event
  double latency_ns = 2'000;        ///< from the host's launch to the start on an idle device
  std::size_t queue_depth = 1'024;  ///< a host that launches more waits
  double event_step_ns = 500;       ///< resolution of events
  double flush_ns = 30'000;
  std::int64_t instantiate_ns = 200'000;
  DeviceTraits device_traits;

  // --- Failures ---
  std::map<std::string, std::string> refuses;  ///< method -> what it answers
  std::optional<std::int64_t> hangs_after;     ///< launches; the next never ends
  std::optional<std::int64_t> lost_after;      ///< launches; from the next on nothing works
  std::optional<double> elapsed_answer;        ///< what elapsed_ns() says in place of the truth
  [[nodiscard]] bool has_graph() const { return graph_.has_value(); }
  [[nodiscard]] std::int64_t launches() const { return launches_; }

  // --- Device ---
  [[nodiscard]] const DeviceTraits& traits() const override { return device_traits; }
  [[nodiscard]] std::optional<std::string> lost() override;
  base::Result<void> flush_cache() override;
  base::Result<void> hold(std::int64_t ns) override;
  base::Result<void> stamp_clock(Mark mark) override;
  base::Result<void> record(Mark mark) override;
  base::Result<bool> passed(Mark mark) override;
  base::Result<void> synchronize() override;
  base::Result<double> elapsed_ns() override;
  base::Result<std::optional<ClockReading>> clock_between() override;
  void pause(std::int64_t ns) override { clock_.jump(ns); }
  base::Result<void> rehearse(const DeviceWork& work) override;
  base::Result<void> capture(const DeviceWork& work) override;
  base::Result<std::int64_t> graph_nodes() override;
  base::Result<void> instantiate() override;
  base::Result<void> replay() override;
  void drop_graph() override { graph_.reset(); }

 private:
  struct Kernel {
    double warm_ns;
    double cold_ns;
  };
  base::Result<void> answer(const char* method);
  [[nodiscard]] double now() { return static_cast<double>(clock_.wall_ns()); }
  [[nodiscard]] double share_at(double ns) const;
  [[nodiscard]] double next_change(double ns) const;
  [[nodiscard]] double end_of(double start, double full_clock_ns) const;
  [[nodiscard]] double cycles_between(double from, double to) const;
  void queue(double full_clock_ns);
  void wait_until(double ns);

  FakeClock& clock_;
  double free_at_ = 0;
  std::deque<double> pending_;
  std::int64_t launches_ = 0;
  bool in_cache_ = false;
  std::map<Mark, double> events_;
  std::map<Mark, double> stamps_;
  bool capturing_ = false;
  std::optional<std::vector<Kernel>> graph_;
};

}  // namespace torchgate::bench::testing
