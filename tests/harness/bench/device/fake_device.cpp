// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/bench/device/fake_device.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace torchgate::bench::testing {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr const char* gone = "an illegal memory access was encountered";
// A kernel that reads the clock, and an event, take the device no time worth simulating.
constexpr double stamp_ns = 1'000;
constexpr std::int64_t event_ns = 500;

}  // namespace

double FakeDevice::share_at(double ns) const {
  for (const Throttle& throttle : throttles) {
    if (ns >= throttle.from_ns && ns < throttle.to_ns) return throttle.share;
  }
  return 1;
}

double FakeDevice::next_change(double ns) const {
  for (const Throttle& throttle : throttles) {
    if (ns < throttle.from_ns) return throttle.from_ns;
    if (ns < throttle.to_ns) return throttle.to_ns;
  }
  return never;
}

double FakeDevice::end_of(double start, double full_clock_ns) const {
  for (;;) {
    const double until = next_change(start);
    const double done = (until - start) * share_at(start);
    if (done >= full_clock_ns) return start + full_clock_ns / share_at(start);
    full_clock_ns -= done;
    start = until;
  }
}

double FakeDevice::cycles_between(double from, double to) const {
  double full_clock_ns = 0;
  while (from < to) {
    const double until = std::min(to, next_change(from));
    full_clock_ns += (until - from) * share_at(from);
    from = until;
  }
  return full_clock_ns * full_mhz / 1e3;
}

void FakeDevice::wait_until(double ns) {
  if (ns == never) throw std::logic_error("the test would wait for ever here");
  if (ns > now()) clock_.jump(static_cast<std::int64_t>(std::ceil(ns - now())));
}

void FakeDevice::queue(double full_clock_ns) {
  clock_.work(launch_ns);
  while (!pending_.empty() && pending_.front() <= now()) pending_.pop_front();
  if (pending_.size() >= queue_depth) {
    wait_until(pending_.front());
    pending_.pop_front();
  }
  const double start = std::max(now() + latency_ns, free_at_);
  free_at_ = start == never ? never : end_of(start, full_clock_ns);
  pending_.push_back(free_at_);
}

void FakeDevice::launch(std::int64_t kernels, double warm_ns, double cold_ns) {
  const bool cached = in_cache_;
  for (std::int64_t i = 0; i < kernels; ++i) {
    if (lost()) throw std::runtime_error(std::string("CUDA error: ") + gone);
    ++launches_;
    if (capturing_) {
      clock_.work(launch_ns);
      graph_->push_back({warm_ns, cold_ns});
      continue;
    }
    queue(cached ? warm_ns : cold_ns);
    if (hangs_after && launches_ > *hangs_after) free_at_ = never;
  }
  in_cache_ = true;
}

void FakeDevice::wait() {
  if (capturing_) throw std::runtime_error("operation not permitted when stream is capturing");
  wait_until(free_at_);
}

std::optional<std::string> FakeDevice::lost() {
  if (lost_after && launches_ >= *lost_after) return gone;
  return std::nullopt;
}

base::Result<void> FakeDevice::answer(const char* method) {
  if (lost()) return base::Error{base::ErrorCode::io, gone};
  const auto found = refuses.find(method);
  if (found != refuses.end()) return base::Error{base::ErrorCode::io, found->second};
  return {};
}

base::Result<void> FakeDevice::flush_cache() {
  if (auto refused = answer("flush_cache"); !refused) return refused;
  queue(flush_ns);
  in_cache_ = false;
  return {};
}

base::Result<void> FakeDevice::hold(std::int64_t ns) {
  if (auto refused = answer("hold"); !refused) return refused;
  queue(static_cast<double>(ns));
  return {};
}

base::Result<void> FakeDevice::stamp_clock(Mark mark) {
  if (auto refused = answer("stamp_clock"); !refused) return refused;
  if (device_traits.clock_unknown) return {};
  queue(stamp_ns);
  stamps_[mark] = free_at_;
  return {};
}

base::Result<void> FakeDevice::record(Mark mark) {
  if (auto refused = answer("record"); !refused) return refused;
  clock_.work(event_ns);
  events_[mark] = std::max(now() + latency_ns, free_at_);
  return {};
}

base::Result<bool> FakeDevice::passed(Mark mark) {
  if (auto refused = answer("passed"); !refused) return refused.error();
  clock_.work(query_ns);
  return now() >= events_.at(mark);
}

base::Result<void> FakeDevice::synchronize() {
  if (auto refused = answer("synchronize"); !refused) return refused;
  wait_until(free_at_);
  return {};
}

base::Result<double> FakeDevice::elapsed_ns() {
  if (auto refused = answer("elapsed_ns"); !refused) return refused.error();
  if (elapsed_answer) return *elapsed_answer;
  return std::round((events_.at(Mark::end) - events_.at(Mark::begin)) / event_step_ns) * event_step_ns;
}

base::Result<std::optional<ClockReading>> FakeDevice::clock_between() {
  if (auto refused = answer("clock_between"); !refused) return refused.error();
  if (device_traits.clock_unknown) return std::optional<ClockReading>();
  const double from = stamps_.at(Mark::begin);
  const double to = stamps_.at(Mark::end);
  const double step = device_traits.timer_step_ns;
  return std::optional<ClockReading>(
      {cycles_between(from, to), (std::floor(to / step) - std::floor(from / step)) * step});
}

base::Result<void> FakeDevice::rehearse(const DeviceWork& work) {
  if (auto refused = answer("rehearse"); !refused) return refused;
  work();
  return {};
}

base::Result<void> FakeDevice::capture(const DeviceWork& work) {
  if (auto refused = answer("capture"); !refused) return refused;
  graph_.emplace();
  capturing_ = true;
  try {
    work();
  } catch (const std::exception& error) {
    capturing_ = false;
    return base::Error{base::ErrorCode::io, error.what()};
  }
  capturing_ = false;
  return {};
}

base::Result<std::int64_t> FakeDevice::graph_nodes() {
  if (auto refused = answer("graph_nodes"); !refused) return refused.error();
  return static_cast<std::int64_t>(graph_->size());
}

base::Result<void> FakeDevice::instantiate() {
  if (auto refused = answer("instantiate"); !refused) return refused;
  clock_.work(instantiate_ns);
  return {};
}

base::Result<void> FakeDevice::replay() {
  if (auto refused = answer("replay"); !refused) return refused;
  double ns = 0;
  for (const Kernel& kernel : *graph_) ns += in_cache_ ? kernel.warm_ns : kernel.cold_ns;
  queue(ns);
  in_cache_ = true;
  return {};
}

}  // namespace torchgate::bench::testing
