// SPDX-License-Identifier: Apache-2.0
// A clock that moves only when a test says so, and a backend that counts what a test says.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/bench/bench.hpp"
#include "harness/bench/sampling/clock.hpp"
#include "harness/bench/sampling/turns.hpp"

namespace torchgate::bench::testing {

inline constexpr std::int64_t us = 1'000;
inline constexpr std::int64_t ms = 1'000'000;
inline constexpr std::int64_t s = 1'000'000'000;

/// Known truth: reading it costs `reading_ns`, and fake calls advance it by what they "take".
class FakeClock final : public Clock {
 public:
  std::int64_t wall_ns() override {
    wall_ += reading_ns;
    return wall_;
  }
  std::int64_t cpu_ns() override {
    wall_ += cpu_reading_ns;
    return cpu_;
  }
  /// Work on `threads` threads.
  void work(std::int64_t ns, std::int64_t threads = 1) {
    wall_ += ns;
    cpu_ += ns * threads;
  }
  void jump(std::int64_t ns) { wall_ += ns; }
  void jump_cpu(std::int64_t ns) { cpu_ += ns; }

  std::int64_t reading_ns = 0;
  std::int64_t cpu_reading_ns = 0;

 private:
  std::int64_t wall_ = 1'000'000;
  std::int64_t cpu_ = 5'000;
};

/// Gives a number of turns of one length.
class FixedTurns final : public TurnGiver {
 public:
  FixedTurns(std::int64_t turns, std::int64_t turn_ns) : left_(turns), turn_ns_(turn_ns) {}
  void ready(const Ready& ready) override { said = ready; }
  std::optional<std::int64_t> next_turn() override { return left_-- > 0 ? std::optional(turn_ns_) : std::nullopt; }
  void took(const Took& one) override { took_all.push_back(one); }

  Ready said;
  std::vector<Took> took_all;

 private:
  std::int64_t left_;
  std::int64_t turn_ns_;
};

/// Draws from a generator that prepare() seeds, like LibTorch's; counts what `observations` holds, in turn.
class FakeBackend final : public Backend {
 public:
  void start(int) override {}
  [[nodiscard]] std::vector<record::Parameter> facts() const override { return {{"library", "fake 1.0"}}; }
  [[nodiscard]] std::optional<std::string> unmet(const std::string& requirement) const override {
    if (present.count(requirement) > 0) return std::nullopt;
    return "there is no " + requirement;
  }
  void prepare(std::uint64_t seed, bool training) override {
    generator = seed;
    gradients = training;
  }
  [[nodiscard]] std::function<void()> keep_settings() const override {
    return [this, now = setting] { setting = now; };
  }
  void synchronize(const std::string&) override {
    if (on_synchronize) on_synchronize();
  }
  void give_memory_back(const std::string& device) override { gave_back.push_back(device); }
  base::Result<Device*> device(const std::string& name) override {
    if (name != "cuda") return nullptr;
    if (device_error) return *device_error;
    return cuda;
  }
  [[nodiscard]] std::optional<std::string> lost(const std::string& name) override {
    return lost_before_opened ? lost_before_opened : Backend::lost(name);
  }
  Observation observe(const std::string&, const CountedCall& call) override {
    for (int i = 0; i < calls_per_observation; ++i) {
      call.set_up();
      call.run();
    }
    if (on_recorded_call) {
      call.set_up();
      on_recorded_call(call.run);
    }
    if (observations.empty()) return {};
    return observations[observed++ % observations.size()];
  }

  base::Boxed<record::OperatorProfile> profile(const std::function<void()>&, std::int64_t calls) override {
    profiled_calls = calls;
    return {};
  }

  std::uint64_t draw() { return ++generator; }

  std::int64_t profiled_calls = 0;  ///< asked for, of the last case
  std::set<std::string> present;
  std::vector<Observation> observations;
  int calls_per_observation = 1;
  std::function<void(const std::function<void()>&)> on_recorded_call;  ///< gets one more call of each observation
  std::function<void()> on_synchronize;
  std::vector<std::string> gave_back;  ///< the devices whose memory was given back
  Device* cuda = nullptr;
  std::optional<base::Error> device_error;
  std::optional<std::string> lost_before_opened;  ///< why no device can be opened any more
  std::uint64_t generator = 0;
  bool gradients = false;
  mutable int setting = 0;  ///< a global one of the library

 private:
  std::size_t observed = 0;
};

}  // namespace torchgate::bench::testing
