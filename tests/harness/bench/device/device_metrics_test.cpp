// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/device/device_metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace torchgate::bench {
namespace {

class DeviceMetricsTest : public ::testing::Test {
 protected:
  // `n` samples of 10, 11, 12 ... us at 1,800 MHz.
  static DeviceSeries series_of(int n) {
    DeviceSeries series;
    for (int i = 0; i < n; ++i) series.samples.push_back({10'000.0 + 1'000 * i, false, false, 1'800.0});
    return series;
  }
  const record::Measurement* find(const std::string& metric) const {
    const auto found = std::find_if(result.measurements.begin(), result.measurements.end(),
                                    [&](const auto& m) { return m.metric == metric; });
    return found == result.measurements.end() ? nullptr : &*found;
  }

  DeviceTraits traits;
  record::CaseResult result;
};

TEST_F(DeviceMetricsTest, EveryDeclaredMetricIsTimedOrExactAndNoneIsPrimary) {
  EXPECT_EQ(device_metrics(false).size(), 6U);
  EXPECT_EQ(device_metrics(true).size(), 10U);
  for (const record::Metric& metric : device_metrics(true)) {
    EXPECT_FALSE(metric.primary) << metric.name;
    EXPECT_EQ(metric.kind == record::MetricKind::exact,
              metric.name == "graph_nodes" || metric.name == "kernel_launches" || metric.name == "device_copies");
    EXPECT_EQ(metric.direction == record::Direction::higher_is_better, metric.unit == "MHz");
  }
}

TEST_F(DeviceMetricsTest, ACleanSeriesIsNumbersWithoutAWord) {
  add_device_series("cold", series_of(3), traits, result);
  ASSERT_NE(find("gpu_time_cold"), nullptr);
  EXPECT_EQ(find("gpu_time_cold")->samples, (std::vector<double>{10'000, 11'000, 12'000}));
  EXPECT_DOUBLE_EQ(find("gpu_time_cold")->summary->median, 11'000);
  EXPECT_DOUBLE_EQ(find("gpu_clock_cold")->summary->median, 1'800);
  EXPECT_EQ(result.message, "");
}

TEST_F(DeviceMetricsTest, WhatIsOddAboutSamplesIsSaid) {
  DeviceSeries series = series_of(4);
  series.samples[0].host_bound = series.samples[1].host_bound = true;
  series.samples[3].resolution_limited = true;
  series.samples[2].clock_mhz.reset();
  series.throttled = 1;
  add_device_series("hot", series, traits, result);
  EXPECT_EQ(result.message,
            "gpu_time_hot: 2 of 4 samples are host-bound: their time includes waiting for launches; "
            "gpu_time_hot: 1 of 4 samples are too short for the resolution of events; "
            "gpu_time_hot: 1 of 4 samples are too short to read the clock: throttling cannot be detected in them; "
            "gpu_time_hot: discarded 1 sample below the expected clock");
  EXPECT_EQ(find("gpu_time_hot")->summary->n, 4);
  EXPECT_EQ(find("gpu_clock_hot"), nullptr);
}

TEST_F(DeviceMetricsTest, AnInvalidSeriesIsNotRecorded) {
  DeviceSeries series;
  series.invalid = "too hot";
  add_device_series("cold", series, traits, result);
  EXPECT_TRUE(result.measurements.empty());
  EXPECT_EQ(result.message, "gpu_time_cold is not valid and not recorded: too hot");
}

TEST_F(DeviceMetricsTest, AnUnknownClockIsSaidOnce) {
  traits.clock_unknown = "built without nvcc";
  DeviceSeries series = series_of(2);
  for (DeviceSample& sample : series.samples) sample.clock_mhz.reset();
  add_clock_note(traits, result);
  add_device_series("hot", series, traits, result);
  EXPECT_EQ(result.message, "the device's clock is unknown, so throttling cannot be detected: built without nvcc");
  EXPECT_EQ(find("gpu_clock_hot"), nullptr);
}

TEST_F(DeviceMetricsTest, AnUnknownExpectationIsSaid) {
  add_clock_note(traits, result);
  EXPECT_EQ(result.message, "the expected clock of this device is unknown, so throttling cannot be detected");
  result.message = {};
  traits.expected_clock_mhz = 1'980;
  add_clock_note(traits, result);
  EXPECT_EQ(result.message, "");
}

TEST_F(DeviceMetricsTest, AGraphHasATimeAPriceAndANumberOfNodes) {
  GraphSeries graph;
  graph.replays = series_of(3);
  graph.build_ns = 5e6;
  graph.nodes = 200;
  add_graph_series(graph, traits, result);
  EXPECT_DOUBLE_EQ(find("gpu_time_graph")->summary->median, 11'000);
  EXPECT_DOUBLE_EQ(find("graph_build_time")->summary->median, 5e6);
  EXPECT_EQ(find("graph_build_time")->summary->n, 1);
  EXPECT_EQ(find("graph_nodes")->value, 200);
  EXPECT_FALSE(find("graph_nodes")->summary);
}

}  // namespace
}  // namespace torchgate::bench
