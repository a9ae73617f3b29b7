// SPDX-License-Identifier: Apache-2.0
// The numbers that come out, against those that were put into a simulated device.
#include "harness/bench/device/device_sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/harness/bench/device/fake_device.hpp"

namespace torchgate::bench {
namespace {

using testing::always;
using testing::FakeClock;
using testing::FakeDevice;
using testing::ms;
using testing::s;
using testing::us;

class DeviceSamplerTest : public ::testing::Test {
 protected:
  DeviceSampler sampler(DeviceWork call) { return {device, std::move(call), call_ns, settings, counts, clock}; }
  // Kernels that take `warm_us` each with their data in the cache, and twice that without.
  DeviceWork kernels(double warm_us, std::int64_t count = 1) {
    return [this, warm_us, count] { device.launch(count, warm_us * 1e3, 2 * warm_us * 1e3); };
  }

  static std::int64_t host_bound(const DeviceSeries& series) {
    return std::count_if(series.samples.begin(), series.samples.end(), [](const auto& one) { return one.host_bound; });
  }
  static std::int64_t limited(const DeviceSeries& series) {
    return std::count_if(series.samples.begin(), series.samples.end(),
                         [](const auto& one) { return one.resolution_limited; });
  }
  static void expect_all_near(const DeviceSeries& series, double us_per_call, double within_us) {
    EXPECT_FALSE(series.invalid) << *series.invalid;
    ASSERT_FALSE(series.samples.empty());
    for (const DeviceSample& sample : series.samples) ASSERT_NEAR(sample.ns / 1e3, us_per_call, within_us);
  }
  template <class F>
  static std::string message_of(F run) {
    try {
      run();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "nothing was thrown";
  }

  FakeClock clock;
  FakeDevice device{clock};
  DeviceSettings settings;
  SamplerSettings counts;
  std::int64_t call_ns = 1 * ms;
};

TEST_F(DeviceSamplerTest, ColdAndHotAreTheTimesWithoutAndWithTheCache) {
  auto of = sampler(kernels(200));
  const DeviceSeries cold = of.cold();
  expect_all_near(cold, 400, 0.5);
  EXPECT_EQ(cold.calls_per_sample, 1);
  const DeviceSeries hot = of.hot();
  expect_all_near(hot, 200, 0.5);
  EXPECT_EQ(hot.calls_per_sample, 1);
  for (const DeviceSeries& series : {cold, hot}) {
    EXPECT_EQ(series.samples.size(), 400U);
    EXPECT_EQ(host_bound(series), 0);
    EXPECT_EQ(limited(series), 0);
    EXPECT_EQ(series.throttled, 0);
    for (const DeviceSample& sample : series.samples) EXPECT_NEAR(sample.clock_mhz.value(), 1'000, 20);
  }
}

TEST_F(DeviceSamplerTest, LaunchGapsAreNotMeasured) {
  // The host needs 5 us a launch, the device 1 us a kernel: without a hold every call takes 100 us.
  auto of = sampler(kernels(1, 20));
  expect_all_near(of.hot(), 20, 0.5);
  const DeviceSeries cold = of.cold();
  expect_all_near(cold, 40, 0.5);
  EXPECT_EQ(host_bound(cold), 0);
  EXPECT_EQ(cold.retaken, 0) << "the hold was found before the first sample";
}

TEST_F(DeviceSamplerTest, ShortKernelsComeInBatches) {
  const DeviceSeries hot = sampler(kernels(2)).hot();
  EXPECT_EQ(hot.calls_per_sample, 64) << "64 x 2 us is the first power of two from 100 us";
  expect_all_near(hot, 2, 0.5 / 64 + 1e-9);
  EXPECT_EQ(host_bound(hot), 0);
  EXPECT_EQ(limited(hot), 0);
}

TEST_F(DeviceSamplerTest, AShortColdSampleIsMarkedAsSuch) {
  const DeviceSeries under = sampler(kernels(24)).cold();
  EXPECT_EQ(limited(under), static_cast<std::int64_t>(under.samples.size())) << "48 us";
  EXPECT_EQ(limited(sampler(kernels(26)).cold()), 0) << "52 us";
}

TEST_F(DeviceSamplerTest, ABatchOfNearlyNothingEndsAndIsMarked) {
  device.launch_ns = 1;
  device.event_step_ns = 10;
  const DeviceSeries hot = sampler(kernels(0.05)).hot();
  EXPECT_EQ(hot.calls_per_sample, 1'024);
  EXPECT_EQ(limited(hot), static_cast<std::int64_t>(hot.samples.size()));
}

TEST_F(DeviceSamplerTest, ACallThatTheHostIsTooSlowForIsHostBound) {
  // 15 ms of queuing would need a hold of 30 ms: more than the longest.
  const DeviceSeries cold = sampler(kernels(1, 3'000)).cold();
  EXPECT_EQ(host_bound(cold), static_cast<std::int64_t>(cold.samples.size()));
  expect_all_near(cold, 15'000, 20);  // the device takes 6 ms, which is not reported as measured
}

TEST_F(DeviceSamplerTest, AQueueThatIsFullMakesTheHostWait) {
  // 2,000 launches in 2 ms could be held, but no more than 1,024 fit behind the hold.
  device.launch_ns = 1 * us;
  const DeviceSeries cold = sampler(kernels(0.25, 2'000)).cold();
  EXPECT_EQ(host_bound(cold), static_cast<std::int64_t>(cold.samples.size()));
}

TEST_F(DeviceSamplerTest, ACallThatWaitsForTheDeviceIsHostBoundAndNotHeld) {
  const DeviceWork call = [this] {
    device.launch(1, 100e3, 100e3);
    device.wait();
    clock.work(50 * us);
    device.launch(1, 100e3, 100e3);
  };
  const DeviceSeries hot = sampler(call).hot();
  EXPECT_EQ(host_bound(hot), static_cast<std::int64_t>(hot.samples.size()));
  expect_all_near(hot, 250 + 2 * 5 + 2, 1);  // two kernels, 50 us of the host between them, launches, the second's way
}

TEST_F(DeviceSamplerTest, AnInterruptedHostIsTakenAgain) {
  int calls = 0;
  const DeviceWork call = [&] {
    if (++calls == 100) clock.jump(5 * ms);
    device.launch(2, 100e3, 100e3);
  };
  const DeviceSeries hot = sampler(call).hot();
  expect_all_near(hot, 200, 0.5);
  EXPECT_EQ(host_bound(hot), 0);
  EXPECT_EQ(hot.retaken, 1);
}

TEST_F(DeviceSamplerTest, AHostThatBecomesSlowGetsALongerHold) {
  int calls = 0;
  const DeviceWork call = [&] {
    if (++calls > 100) clock.work(500 * us);
    device.launch(2, 100e3, 100e3);
  };
  const DeviceSeries hot = sampler(call).hot();
  expect_all_near(hot, 200, 0.5);
  EXPECT_EQ(host_bound(hot), 0);
  EXPECT_EQ(hot.retaken, 2) << "once with the same hold, once with a longer one";
}

TEST_F(DeviceSamplerTest, ThrottledSamplesAreDiscardedAndCounted) {
  // Three times 2 ms at 60 %.
  for (const double from : {20e6, 80e6, 140e6}) device.throttles.push_back({from, from + 2e6, 0.6});
  const DeviceSeries hot = sampler(kernels(200)).hot();
  EXPECT_EQ(hot.throttled, 3) << "the pause of 50 ms after each is longer than it lasts";
  EXPECT_EQ(hot.samples.size(), 400U);
  std::int64_t touched = 0;
  for (const DeviceSample& sample : hot.samples) {
    EXPECT_GE(sample.clock_mhz.value(), 750);
    if (std::abs(sample.ns - 200e3) > 500) ++touched;  // the throttle began within it
  }
  EXPECT_LE(touched, 3);
}

TEST_F(DeviceSamplerTest, AClockWithinTheLimitIsKeptAndShown) {
  device.throttles = {{0, always, 0.8}};
  const DeviceSeries hot = sampler(kernels(200)).hot();
  EXPECT_EQ(hot.throttled, 0);
  expect_all_near(hot, 250, 0.5);
  for (const DeviceSample& sample : hot.samples) EXPECT_NEAR(sample.clock_mhz.value(), 800, 20);
}

TEST_F(DeviceSamplerTest, ThePauseGrowsUntilTheDeviceIsCool) {
  // 900 ms of throttling; the pauses are 50, 100, 150, 200, 250 and 300 ms.
  const auto begin = static_cast<double>(clock.wall_ns());
  device.throttles = {{begin, begin + 900e6, 0.5}};
  const DeviceSeries hot = sampler(kernels(200)).hot();
  EXPECT_EQ(hot.throttled, 6);
  expect_all_near(hot, 200, 0.5);
}

TEST_F(DeviceSamplerTest, TooManyThrottledSamplesMakeASeriesInvalid) {
  device.throttles = {{0, always, 0.5}};
  counts.samples_least = counts.samples_most = 40;
  const DeviceSeries cold = sampler(kernels(200)).cold();
  EXPECT_TRUE(cold.samples.empty());
  EXPECT_EQ(cold.throttled, 11) << "10 of 50 would be 20 %";
  EXPECT_EQ(
      cold.invalid.value(),
      "11 samples ran below 75 % of the expected clock (down to 500 of 1000 MHz), more than 20 %; cool the device, or "
      "find the cause; if its clock is locked at a lower frequency, set TORCHGATE_SM_CLOCK_MHZ");
}

TEST_F(DeviceSamplerTest, AnUnknownClockIsUnknown) {
  device.throttles = {{0, always, 0.5}};
  device.device_traits.clock_unknown = "no kernel for it";
  const DeviceSeries unread = sampler(kernels(200)).hot();
  expect_all_near(unread, 400, 0.5);
  for (const DeviceSample& sample : unread.samples) EXPECT_FALSE(sample.clock_mhz);
  EXPECT_EQ(unread.throttled, 0);

  device.device_traits.clock_unknown.reset();
  device.device_traits.expected_clock_mhz.reset();
  const DeviceSeries unexpected = sampler(kernels(200)).hot();
  EXPECT_EQ(unexpected.throttled, 0);
  for (const DeviceSample& sample : unexpected.samples) EXPECT_NEAR(sample.clock_mhz.value(), 500, 10);
}

TEST_F(DeviceSamplerTest, ATimerTooCoarseForTheSampleTellsNoClock) {
  for (const DeviceSample& sample : sampler(kernels(10)).cold().samples)
    EXPECT_FALSE(sample.clock_mhz) << "22 of 40 us";
  for (const DeviceSample& sample : sampler(kernels(25)).cold().samples) EXPECT_TRUE(sample.clock_mhz) << "51 of 40 us";
}

TEST_F(DeviceSamplerTest, ADeviceThatHangsEndsInAnError) {
  struct Hang {
    std::int64_t good_launches;
    double flush_ns;
    std::function<void(DeviceSampler)> measure;
    std::string what;
  };
  const auto cold = [](DeviceSampler of) { (void)of.cold(); };
  const auto hot = [](DeviceSampler of) { (void)of.hot(); };
  const auto graph = [](DeviceSampler of) { (void)of.graph(); };
  for (const Hang& hang : {Hang{0, 30e3, cold, "its warm-up"}, Hang{3, 30e3, cold, "1 call"},
                           Hang{1'000'000, always, cold, "flushing its level-2 cache"},
                           Hang{600, 30e3, hot, "64 calls"}, Hang{2, 30e3, graph, "the calls before the capture"}}) {
    FakeClock own_clock;
    FakeDevice stuck(own_clock);
    stuck.query_ns = 1 * ms;
    stuck.hangs_after = hang.good_launches;
    stuck.flush_ns = hang.flush_ns;
    const DeviceWork call = [&] { stuck.launch(1, 2e3, 2e3); };
    std::int64_t begin = 0;
    const std::string said = message_of([&] {
      begin = own_clock.wall_ns();
      hang.measure(DeviceSampler(stuck, call, 10 * us, settings, counts, own_clock));
    });
    EXPECT_EQ(said,
              "the device did not finish " + hang.what + " within 30 s: a kernel does not end, or the queue is stuck");
    EXPECT_GE(own_clock.wall_ns() - begin, 30 * s);
  }
}

TEST_F(DeviceSamplerTest, ALongCallIsNotTakenForAHang) {
  settings.timeout_ns = 1 * s;
  device.query_ns = 10 * ms;
  counts.samples_least = 5;
  call_ns = 3 * s;
  expect_all_near(sampler(kernels(3e6)).hot(), 3e6, 10);
}

TEST_F(DeviceSamplerTest, WhatTheDeviceRefusesIsNamed) {
  const std::vector<std::pair<std::string, std::string>> said{
      {"flush_cache", "flushing the level-2 cache: out of memory"},
      {"hold", "holding the device: out of memory"},
      {"stamp_clock", "reading the device's clock: out of memory"},
      {"record", "recording an event: out of memory"},
      {"passed", "its warm-up: out of memory"},
      {"synchronize", "its warm-up: out of memory"},
      {"elapsed_ns", "reading the events: out of memory"},
      {"clock_between", "reading the device's clock: out of memory"}};
  for (const auto& [method, message] : said) {
    device.refuses = {{method, "out of memory"}};
    EXPECT_EQ(message_of([&] { (void)sampler(kernels(200)).cold(); }), message);
  }
}

TEST_F(DeviceSamplerTest, ALostDeviceIsAnError) {
  device.lost_after = 100;
  EXPECT_EQ(message_of([&] { (void)sampler(kernels(200)).hot(); }),
            "recording an event: an illegal memory access was encountered");
  EXPECT_EQ(message_of([&] { (void)sampler(kernels(200)).hot(); }),
            "CUDA error: an illegal memory access was encountered");
}

TEST_F(DeviceSamplerTest, ExceptionsOfTheCallPassThrough) {
  EXPECT_THROW((void)sampler([] { throw std::domain_error("no such shape"); }).hot(), std::domain_error);
}

TEST_F(DeviceSamplerTest, EventsAroundNoWorkMakeASeriesInvalid) {
  const DeviceSeries hot = sampler([this] { clock.work(300 * us); }).hot();
  EXPECT_TRUE(hot.samples.empty());
  EXPECT_NE(hot.invalid.value_or("").find("the events enclose no work"), std::string::npos);
  device.elapsed_answer = std::nan("");
  EXPECT_TRUE(sampler(kernels(200)).hot().invalid);
}

TEST_F(DeviceSamplerTest, AsManySamplesAsTheBudgetPaysFor) {
  // Flush, hold, the call and what is around it: 30 us + 50 us + 10 ms + less than 100 us.
  device.query_ns = 10 * us;
  EXPECT_EQ(sampler(kernels(5'000)).cold().samples.size(), 40U) << "300 ms pay for 29, 40 are the least";
  EXPECT_EQ(sampler(kernels(500'000)).cold().samples.size(), 5U) << "1 s each";
  EXPECT_NEAR(static_cast<double>(sampler(kernels(1'000)).hot().samples.size()), 283, 2) << "1.06 ms each";
}

TEST_F(DeviceSamplerTest, AGraphIsTimedByItsReplays) {
  // Eager, the host is five times slower than the device; a replay is one launch.
  auto of = sampler(kernels(1, 20));
  const GraphSeries graph = of.graph();
  expect_all_near(graph.replays, 20, 0.05);
  EXPECT_EQ(graph.replays.calls_per_sample, 10) << "10 calls of 20 us are one sample";
  EXPECT_EQ(host_bound(graph.replays), 0);
  EXPECT_EQ(graph.nodes, 200);
  EXPECT_DOUBLE_EQ(graph.build_ns, 200 * 5e3 + 200e3) << "200 launches into it, then instantiated";
  EXPECT_FALSE(device.has_graph());
}

TEST_F(DeviceSamplerTest, ShortGraphsAreReplayedSeveralTimes) {
  const GraphSeries graph = sampler(kernels(2)).graph();
  EXPECT_EQ(graph.replays.calls_per_sample, 80);
  expect_all_near(graph.replays, 2, 0.5 / 80 + 1e-9);
}

TEST_F(DeviceSamplerTest, WhatCannotBeCapturedIsSaid) {
  const DeviceWork waits = [this] {
    device.launch(1, 100e3, 100e3);
    device.wait();
  };
  EXPECT_EQ(message_of([&] { (void)sampler(waits).graph(); }),
            "its calls cannot be captured into a graph: operation not permitted when stream is capturing");
  EXPECT_FALSE(device.has_graph());
  const std::vector<std::pair<std::string, std::string>> said{
      {"rehearse", "calling it on the captured stream: no"},
      {"capture", "its calls cannot be captured into a graph: no"},
      {"instantiate", "instantiating its graph: no"},
      {"graph_nodes", "counting the nodes of its graph: no"},
      {"replay", "replaying its graph: no"}};
  for (const auto& [method, message] : said) {
    device.refuses = {{method, "no"}};
    EXPECT_EQ(message_of([&] { (void)sampler(kernels(200)).graph(); }), message);
    EXPECT_FALSE(device.has_graph());
  }
}

}  // namespace
}  // namespace torchgate::bench
