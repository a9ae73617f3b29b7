// SPDX-License-Identifier: Apache-2.0
// Turns a call into samples: bounded warm-up, blocks long enough for the clock, raw times in order.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/bench/clock.hpp"
#include "harness/bench/timed.hpp"

namespace torchgate::bench {

/// How long and how often. Defaults are those of the profile "default"; see quick_settings().
struct SamplerSettings {
  /// LibTorch settles within 10 calls (libtorch-verified.md section 4: 2 to 10 slow calls, then flat).
  std::int64_t warmup_least_calls = 10;
  std::int64_t warmup_least_ns = 50'000'000;
  std::int64_t warmup_most_ns = 2'000'000'000;
  /// A CPU sample is at least 20 us of work: a clock reading is then less than 0.1 % of it.
  std::int64_t sample_least_ns = 20'000;
  /// Samples are taken until the budget is spent, at least `samples_least` and at most `samples_most` of them.
  std::int64_t budget_ns = 300'000'000;
  std::int64_t samples_least = 40;
  std::int64_t samples_most = 400;
  /// ... but a case whose least number of samples would take longer than this gets fewer (never under 5).
  std::int64_t budget_most_ns = 3'000'000'000;
};

/// A desk's first look, and CI of a small machine: about a fifth of the time, with less power.
SamplerSettings quick_settings();

struct Samples {
  std::int64_t calls_per_sample = 1;
  std::int64_t warmup_calls = 0;
  std::vector<double> wall_ns;                          ///< per call, in time order
  std::vector<double> cpu_ns;                           ///< per call
  std::map<std::string, std::vector<double>> recorded;  ///< per call: what the call put into its Recorder
};

/// `settle` waits for the device's queue; it is part of each sample. Exceptions of the call pass through.
Samples sample(Timed& timed, const std::function<void()>& settle, const SamplerSettings& settings, Clock& clock);

}  // namespace torchgate::bench
