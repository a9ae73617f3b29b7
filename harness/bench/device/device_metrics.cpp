// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/device/device_metrics.hpp"

#include <algorithm>

#include "harness/base/counted.hpp"
#include "harness/record/sample_summary.hpp"

namespace torchgate::bench {
namespace {

void add_timed(const std::string& metric, std::vector<double> samples, record::CaseResult& result) {
  record::Measurement measurement;
  measurement.metric = metric;
  measurement.summary = record::summarize_samples(samples);
  measurement.samples = std::move(samples);
  result.measurements.push_back(std::move(measurement));
}

}  // namespace

std::vector<record::Metric> device_metrics(bool graphs) {
  using record::Direction;
  using record::MetricKind;
  std::vector<record::Metric> all{
      {"gpu_time_cold", "ns", Direction::lower_is_better, MetricKind::timed, false},
      {"gpu_time_hot", "ns", Direction::lower_is_better, MetricKind::timed, false},
      {"gpu_clock_cold", "MHz", Direction::higher_is_better, MetricKind::timed, false},
      {"gpu_clock_hot", "MHz", Direction::higher_is_better, MetricKind::timed, false},
      {"kernel_launches", "1", Direction::lower_is_better, MetricKind::exact, false},
      {"device_copies", "1", Direction::lower_is_better, MetricKind::exact, false},
  };
  if (graphs) {
    all.push_back({"gpu_time_graph", "ns", Direction::lower_is_better, MetricKind::timed, false});
    all.push_back({"gpu_clock_graph", "MHz", Direction::higher_is_better, MetricKind::timed, false});
    all.push_back({"graph_build_time", "ns", Direction::lower_is_better, MetricKind::timed, false});
    all.push_back({"graph_nodes", "1", Direction::lower_is_better, MetricKind::exact, false});
  }
  return all;
}

void add_note(record::CaseResult& result, const std::string& note) {
  result.message = result.message.empty() ? note : result.message.text() + "; " + note;
}

void add_device_series(const std::string& kind, const DeviceSeries& series, const DeviceTraits& traits,
                       record::CaseResult& result) {
  const std::string metric = std::string(record::device_time_prefix) + kind;
  if (series.invalid) {
    add_note(result, metric + " is not valid and not recorded: " + *series.invalid);
    return;
  }
  std::vector<double> times;
  std::vector<double> clocks;
  for (const DeviceSample& sample : series.samples) {
    times.push_back(sample.ns);
    if (sample.clock_mhz) clocks.push_back(*sample.clock_mhz);
  }
  const auto say = [&](std::int64_t count, const std::string& what) {
    if (count == 0) return;
    add_note(result, metric + ": " + std::to_string(count) + " of " + std::to_string(series.samples.size()) +
                         " samples " + what);
  };
  const auto with = [&](bool DeviceSample::*flag) {
    return std::count_if(series.samples.begin(), series.samples.end(),
                         [&](const auto& sample) { return sample.*flag; });
  };
  say(with(&DeviceSample::host_bound), "are host-bound: their time includes waiting for launches");
  say(with(&DeviceSample::resolution_limited), "are too short for the resolution of events");
  if (!traits.clock_unknown) {
    say(static_cast<std::int64_t>(series.samples.size() - clocks.size()),
        "are too short to read the clock: throttling cannot be detected in them");
  }
  if (series.throttled > 0) {
    add_note(result, metric + ": discarded " + base::counted(series.throttled, "sample", "samples") +
                         " below the expected clock");
  }
  add_timed(metric, std::move(times), result);
  // With only some of the clocks, those of the longer samples would be overrepresented.
  if (clocks.size() == series.samples.size()) add_timed("gpu_clock_" + kind, std::move(clocks), result);
}

void add_graph_series(const GraphSeries& graph, const DeviceTraits& traits, record::CaseResult& result) {
  add_device_series("graph", graph.replays, traits, result);
  add_timed("graph_build_time", {graph.build_ns}, result);
  record::Measurement nodes;
  nodes.metric = "graph_nodes";
  nodes.value = static_cast<double>(graph.nodes);
  result.measurements.push_back(std::move(nodes));
}

void add_clock_note(const DeviceTraits& traits, record::CaseResult& result) {
  if (traits.clock_unknown) {
    add_note(result, "the device's clock is unknown, so throttling cannot be detected: " + *traits.clock_unknown);
  } else if (!traits.expected_clock_mhz) {
    add_note(result, "the expected clock of this device is unknown, so throttling cannot be detected");
  }
}

}  // namespace torchgate::bench
