// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/sampling/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "tests/harness/bench/fakes.hpp"

namespace torchgate::bench {
namespace {

using testing::FakeClock;
using testing::ms;
using testing::s;
using testing::us;

const std::function<void()> nothing = [] {};

// A call that takes `ns`, and counts itself.
struct FakeCall {
  FakeClock& clock;
  std::int64_t ns;
  std::int64_t* calls;
  void operator()() const {
    ++*calls;
    clock.work(ns);
  }
};

struct Outcome {
  Samples samples;
  std::int64_t calls = 0;
};

Outcome sample_constant(std::int64_t ns, const SamplerSettings& settings = {}, std::int64_t reading_ns = 0) {
  FakeClock clock;
  clock.reading_ns = reading_ns;
  Outcome outcome;
  Timed timed(FakeCall{clock, ns, &outcome.calls});
  outcome.samples = sample(timed, nothing, settings, clock);
  return outcome;
}

TEST(Sampler, ReportsTheTimeOfOneCall) {
  const auto [samples, calls] = sample_constant(100 * us);
  EXPECT_EQ(samples.calls_per_sample, 1);
  EXPECT_EQ(samples.wall_ns.size(), 400U) << "300 ms of 100 us calls are 3000: the most is 400";
  for (const double sample : samples.wall_ns) EXPECT_DOUBLE_EQ(sample, 100'000);
  for (const double sample : samples.cpu_ns) EXPECT_DOUBLE_EQ(sample, 100'000);
  EXPECT_EQ(calls, samples.warmup_calls + 400);
}

TEST(Sampler, CpuTimeIsThatOfAllThreads) {
  FakeClock clock;
  Timed timed([&clock] { clock.work(50 * us, 4); });
  const Samples samples = sample(timed, nothing, {}, clock);
  EXPECT_DOUBLE_EQ(samples.wall_ns.front(), 50'000);
  EXPECT_DOUBLE_EQ(samples.cpu_ns.front(), 200'000);
}

TEST(Sampler, WaitingForTheDeviceIsPartOfASample) {
  FakeClock clock;
  Timed timed([&clock] { clock.work(30 * us); });
  const Samples samples = sample(
      timed, [&clock] { clock.jump(70 * us); }, {}, clock);
  EXPECT_DOUBLE_EQ(samples.wall_ns.front(), 100'000);
  EXPECT_DOUBLE_EQ(samples.cpu_ns.front(), 30'000);
}

TEST(Sampler, WarmsUpForTheLeastTimeAndTheLeastCalls) {
  // 1 ms: the first call, then 50 of them are 50 ms.
  EXPECT_EQ(sample_constant(1 * ms).samples.warmup_calls, 51);
  // 20 ms: 50 ms are over after 3 more, but 10 calls are the least.
  EXPECT_EQ(sample_constant(20 * ms).samples.warmup_calls, 10);
}

// Of all the time that passes: a set-up, and reading the CPU's clock, can take a hundred times as long as a call.
TEST(Sampler, WarmUpEndsWhenItsTimeIsOverAlsoWhereCallsAreASmallPartOfIt) {
  FakeClock clock;
  Timed with_set_up = each_time([&clock] { clock.work(990 * us); }, [&clock] { clock.work(10 * us); });
  EXPECT_EQ(sample(with_set_up, nothing, {}, clock).warmup_calls, 51 + 3 * 2) << "three trials of blocks of two calls";

  FakeClock slow_to_read;
  slow_to_read.cpu_reading_ns = 500;
  Timed fast([&slow_to_read] { slow_to_read.work(24); });
  EXPECT_EQ(sample(fast, nothing, {}, slow_to_read).warmup_calls, 1 + 48'829 + 3 * 1024) << "50 ms of 1,024 ns each";
}

TEST(Sampler, AWarmUpOfOneCallStillSaysHowLongACallTakes) {
  const auto [samples, calls] = sample_constant(100 * us, with_asked_samples(with_asked_warmup({}, 1), 2));
  EXPECT_EQ(samples.warmup_calls, 2);
  EXPECT_EQ(samples.calls_per_sample, 1);
  EXPECT_EQ(calls, 4);
}

TEST(Sampler, WarmUpIsBounded) {
  // 500 ms: ten calls would take 5 s; after the first one 2 s are the most.
  EXPECT_EQ(sample_constant(500 * ms).samples.warmup_calls, 5);
  EXPECT_EQ(sample_constant(60 * s).samples.warmup_calls, 2);
}

TEST(Sampler, VerySlowCallsGetFewSamplesButNeverUnderFive) {
  EXPECT_EQ(sample_constant(10 * ms).samples.wall_ns.size(), 40U);
  EXPECT_EQ(sample_constant(100 * ms).samples.wall_ns.size(), 30U) << "3 s are the most for the least number";
  const auto [samples, calls] = sample_constant(60 * s);
  EXPECT_EQ(samples.wall_ns.size(), 5U);
  EXPECT_DOUBLE_EQ(samples.wall_ns.back(), 60e9);
  EXPECT_EQ(calls, 7);
}

TEST(Sampler, SpendsTheBudgetBetweenTheLeastAndTheMostSamples) {
  EXPECT_EQ(sample_constant(3 * ms).samples.wall_ns.size(), 100U);
}

TEST(Sampler, VeryFastCallsComeInBlocksOfAtLeastTwentyMicroseconds) {
  // Reading the clock takes ten times as long as the call: a single timed call says 33 ns.
  const auto [samples, calls] = sample_constant(3, {}, 30);
  const double block = samples.wall_ns.front() * static_cast<double>(samples.calls_per_sample);
  EXPECT_EQ(samples.calls_per_sample, 8192) << "2^13 x 3 ns is the first power of two over 20 us";
  EXPECT_GE(block, 20'000);
  EXPECT_NEAR(samples.wall_ns.front(), 3, 0.01) << "one reading of 30 ns in 8192 calls";
  EXPECT_EQ(samples.wall_ns.size(), 400U);
}

TEST(Sampler, AnInterruptedTrialDoesNotEndTheSearchForABlock) {
  FakeClock clock;
  clock.reading_ns = 30;
  SamplerSettings settings;
  settings.warmup_least_ns = 300;
  std::int64_t calls = 0;
  Timed timed([&] {
    clock.work(3);
    if (++calls == 100) clock.jump(1 * ms);  // in the first trial, of 1024 calls
  });
  EXPECT_EQ(sample(timed, nothing, settings, clock).calls_per_sample, 8192);
}

TEST(Sampler, BlocksArePowersOfTwo) {
  EXPECT_EQ(sample_constant(7 * us).samples.calls_per_sample, 4);
  EXPECT_EQ(sample_constant(15 * us).samples.calls_per_sample, 2);
  EXPECT_EQ(sample_constant(20 * us).samples.calls_per_sample, 1);
}

TEST(Sampler, AnExpensiveFirstCallDecidesNothing) {
  FakeClock clock;
  std::int64_t calls = 0;
  Timed timed([&] { clock.work(calls++ == 0 ? 10 * s : 1 * ms); });
  const Samples samples = sample(timed, nothing, {}, clock);
  EXPECT_EQ(samples.wall_ns.size(), 300U);
  EXPECT_DOUBLE_EQ(*std::max_element(samples.wall_ns.begin(), samples.wall_ns.end()), 1e6);
}

TEST(Sampler, AJumpOfTheClockDuringWarmUpDecidesNothing) {
  FakeClock clock;
  std::int64_t calls = 0;
  Timed timed([&] {
    clock.work(1 * ms);
    if (++calls == 49) clock.jump(10 * s);
  });
  const Samples samples = sample(timed, nothing, {}, clock);
  EXPECT_EQ(samples.wall_ns.size(), 300U);
  EXPECT_EQ(samples.calls_per_sample, 1);
}

TEST(Sampler, AJumpOfTheClockDuringASampleIsInThatSampleOnly) {
  FakeClock clock;
  std::int64_t calls = 0;
  Timed timed([&] {
    clock.work(1 * ms);
    if (++calls == 100) clock.jump(10 * s);
  });
  const Samples samples = sample(timed, nothing, {}, clock);
  ASSERT_EQ(samples.wall_ns.size(), 300U);
  EXPECT_EQ(std::count(samples.wall_ns.begin(), samples.wall_ns.end(), 1e6), 299);
}

TEST(Sampler, RefusesAClockThatGoesBackwards) {
  FakeClock clock;
  std::int64_t calls = 0;
  Timed timed([&] {
    clock.work(1 * ms);
    if (++calls == 100) clock.jump(-10 * s);
  });
  EXPECT_THROW((void)sample(timed, nothing, {}, clock), std::runtime_error);
  Timed with_less_cpu([&] {
    clock.work(1 * ms);
    clock.jump_cpu(-2 * ms);
  });
  EXPECT_THROW((void)sample(with_less_cpu, nothing, {}, clock), std::runtime_error);
}

TEST(Sampler, AClockThatStandsStillComesToAnEnd) {
  SamplerSettings settings;
  settings.warmup_least_ns = 1'000;
  settings.samples_most = settings.samples_least;
  const auto [samples, calls] = sample_constant(0, settings);
  EXPECT_EQ(samples.wall_ns.size(), 40U);
  EXPECT_DOUBLE_EQ(samples.wall_ns.front(), 0);
}

TEST(Sampler, ExceptionsOfTheCallPassThrough) {
  FakeClock clock;
  std::int64_t calls = 0;
  Timed timed([&] {
    clock.work(1 * ms);
    if (++calls == 60) throw std::domain_error("sixtieth");
  });
  EXPECT_THROW((void)sample(timed, nothing, {}, clock), std::domain_error);
}

TEST(Sampler, RecordedValuesAreMeansOfTheCallsOfASample) {
  FakeClock clock;
  std::int64_t calls = 0;
  Timed timed([&](Recorder& recorder) {
    clock.work(5 * us);
    recorder.put("three", 3);
    recorder.put("alternating", ++calls % 2 == 0 ? 10 : 20);
    const auto phase = recorder.phase("first");
    clock.work(2 * us);
  });
  const Samples samples = sample(timed, nothing, {}, clock);
  EXPECT_EQ(samples.calls_per_sample, 4);
  ASSERT_EQ(samples.recorded.size(), 3U);
  for (const auto& [metric, values] : samples.recorded) EXPECT_EQ(values.size(), samples.wall_ns.size()) << metric;
  for (const double value : samples.recorded.at("three")) EXPECT_EQ(value, 3.0) << "to the last bit";
  EXPECT_DOUBLE_EQ(samples.recorded.at("alternating").front(), 15);
  EXPECT_DOUBLE_EQ(samples.recorded.at("first").front(), 2'000);
}

TEST(Sampler, WhatIsPutDuringWarmUpOnlyIsNotRecorded) {
  FakeClock clock;
  std::int64_t calls = 0;
  Timed timed([&](Recorder& recorder) {
    clock.work(1 * ms);
    if (++calls < 5) recorder.put("early", 1);
  });
  EXPECT_TRUE(sample(timed, nothing, {}, clock).recorded.empty());
}

class Witness final : public SampleObserver {
 public:
  explicit Witness(FakeClock& clock) : clock_(clock) {}
  void on_start(std::int64_t samples, std::int64_t calls_per_sample) override {
    announced = samples * calls_per_sample;
  }
  void on_sample_begin() override { clock_.work(7 * ms); }
  void on_sample_end() override {
    clock_.work(7 * ms);
    ++seen;
  }
  std::int64_t announced = 0;
  std::int64_t seen = 0;

 private:
  FakeClock& clock_;
};

TEST(Sampler, TheObserverIsOutsideOfTheTimedInterval) {
  FakeClock clock;
  Witness witness(clock);
  Timed timed([&clock] { clock.work(10 * us); });
  const Samples samples = sample(timed, nothing, {}, clock, &witness);
  EXPECT_EQ(witness.announced, 800);
  EXPECT_EQ(witness.seen, 400);
  EXPECT_DOUBLE_EQ(*std::max_element(samples.wall_ns.begin(), samples.wall_ns.end()), 10'000);
  EXPECT_DOUBLE_EQ(*std::max_element(samples.cpu_ns.begin(), samples.cpu_ns.end()), 10'000);
}

TEST(Sampler, TheQuickProfileTakesAFifth) {
  const auto whole = sample_constant(1 * ms).calls;
  const auto quick = sample_constant(1 * ms, quick_settings()).calls;
  EXPECT_EQ(whole, 51 + 300);
  EXPECT_EQ(quick, 11 + 40);
}

}  // namespace
}  // namespace torchgate::bench
