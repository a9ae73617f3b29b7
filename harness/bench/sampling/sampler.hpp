// SPDX-License-Identifier: Apache-2.0
// Turns a call into samples: bounded warm-up, blocks long enough for the clock, raw times in order.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/bench/ranks/world.hpp"
#include "harness/bench/sampling/clock.hpp"
#include "harness/bench/sampling/turns.hpp"
#include "harness/bench/timed.hpp"

namespace torchgate::bench {

/// How long and how often. Defaults are those of the profile "default"; see quick_settings().
struct SamplerSettings {
  /// LibTorch settles within 10 calls: 2 to 10 slow ones, then flat.
  std::int64_t warmup_least_calls = 10;
  std::int64_t warmup_least_ns = 50'000'000;
  /// Bounds the calls after the first, which may compile or load and says nothing about the second.
  std::int64_t warmup_most_ns = 2'000'000'000;
  /// A CPU sample is at least 20 us of work: a clock reading is then less than 0.1 % of it.
  std::int64_t sample_least_ns = 20'000;
  /// In turns on a device: a sample is as many blocks as take this long. The device is waited for after each, as in samples that are taken in one
  /// piece, so that both have the same time per call. 0: one block.
  std::int64_t blocks_least_ns = 0;
  /// As many samples as the budget pays for, at least `samples_least` and at most `samples_most` of them.
  std::int64_t budget_ns = 300'000'000;
  std::int64_t samples_least = 40;
  std::int64_t samples_most = 400;
  /// ... but a case whose least number of samples would take longer than this gets fewer (never under 5).
  std::int64_t budget_most_ns = 3'000'000'000;
  /// For the operator profile, which is not timed: a fifteenth of the samples' budget, and five calls of a slow case.
  std::int64_t profile_ns = 20'000'000;
  /// To see whether calls leave something on the heap: 64 calls are a leak's proof, and a slow case is not called for it.
  std::int64_t heap_ns = 10'000'000;
  bool warmup_asked = false;   ///< the calls of warm-up by a flag: of every case
  bool samples_asked = false;  ///< the number of samples by a flag: also of a case that asks for a number of its own
};

/// A desk's first look, and CI of a small machine: about a fifth of the time, with less power.
SamplerSettings quick_settings();

/// To study how a case becomes steady, not to compare: no warm-up beyond two calls and those that find the size of a
/// block, and 4,000 samples unless they would take more than 6 s. tests/studies/steady_state.py uses it.
SamplerSettings series_settings();

/// With fewer samples the median of a process is meaningless. 40 would be better, which a case of seconds cannot
/// reach.
inline constexpr std::int64_t fewest_samples = 5;

/// Settings with so many calls of warm-up, however long they take: a flag asks for them.
SamplerSettings with_asked_warmup(SamplerSettings settings, std::int64_t calls);
/// The same for a number of samples.
SamplerSettings with_asked_samples(SamplerSettings settings, std::int64_t count);

/// Settings of a case that asks for a number of samples, however long they take, as far as no flag asks for others.
SamplerSettings with_samples(SamplerSettings settings, std::int64_t count);

/// How many samples the settings pay for when one costs `sample_ns`.
std::int64_t number_of_samples(const SamplerSettings& settings, std::int64_t sample_ns);

struct Samples {
  std::int64_t calls_per_sample = 1;  ///< a power of two, so that two builds nearly always have the same blocks
  std::int64_t warmup_calls = 0;      ///< calls before the first sample, with those that found the size of a block
  std::vector<double> wall_ns;        ///< per call, in time order; of several ranks the slowest's
  std::vector<double> cpu_ns;         ///< per call; of several ranks the one with the most
  std::vector<std::int64_t> turns;    ///< samples of each turn; empty: not taken in turns
  std::map<std::string, std::vector<double>> recorded;  ///< per call: values of their Recorder

  /// All observations of a metric, and how many there were at the end of each sample.
  struct Pooled {
    std::vector<double> values;
    std::vector<std::size_t> ends;
  };
  std::map<std::string, Pooled> pooled;
};

/// Is called for samples as they are taken, outside of the timed code.
class SampleObserver {
 public:
  virtual ~SampleObserver() = default;
  /// Warm-up has ended; this number of samples follows unless a call throws.
  virtual void on_start(std::int64_t samples, std::int64_t calls_per_sample) = 0;
  virtual void on_sample_begin() = 0;
  virtual void on_sample_end() = 0;
};

/// `settle` waits for the device's queue; it is part of each sample. The number of samples is fixed before the first:
/// stopping depending on the samples would bias it. Exceptions of the call pass through; std::runtime_error if the
/// clock went backwards during a sample.
///
/// Several ranks take the same samples: every duration that a decision depends on is the longest of all ranks, each
/// sample starts when all ranks are ready for it, and its time is that of the slowest rank. The difference between
/// the ranks is recorded as rank_spread. Values that the calls record themselves are each rank's own, but for
/// `of_all_ranks`: of these metrics a sample has the largest value of all ranks.
Samples sample(Timed& timed, const std::function<void()>& settle, const SamplerSettings& settings, Clock& clock,
               SampleObserver* observer = nullptr, World& world = solo_world(),
               const std::vector<std::string>& of_all_ranks = {});

/// The same for one process, whose samples are taken when `turns` says so, as many as fit into each turn, at least one. Where a turn has
/// many, its first one is a warm-up. `observer` is not told how many there will be.
Samples sample_in_turns(Timed& timed, const std::function<void()>& settle, const SamplerSettings& settings,
                        Clock& clock, TurnGiver& turns, SampleObserver* observer = nullptr);

/// Samples of one case on the CPU that are taken in parts, between those of other cases of the process: what disturbs the machine for a
/// while then disturbs all of them. As many as sample() takes.
class PartedSampling {
 public:
  PartedSampling(Timed& timed, std::function<void()> settle, const SamplerSettings& settings, Clock& clock);
  PartedSampling(PartedSampling&&) noexcept;
  ~PartedSampling();

  /// Warms up.
  void begin();
  /// As many samples as fit into this time, at least one. False: that was the last one.
  bool take_part(std::int64_t part_ns);
  Samples finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Timed metric of cases with several ranks: slowest minus fastest rank, per call (ns).
inline constexpr const char* rank_spread = "rank_spread";

}  // namespace torchgate::bench
