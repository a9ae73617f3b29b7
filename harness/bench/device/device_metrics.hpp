// SPDX-License-Identifier: Apache-2.0
// Device times as metrics of a case, with messages about them.
#pragma once

#include <string>
#include <vector>

#include "harness/bench/device/device_sampler.hpp"
#include "harness/record/metric.hpp"
#include "harness/record/process.hpp"

namespace torchgate::bench {

/// How device times are taken. With a new protocol a case is a different case: its times are not compared with older
/// ones.
inline constexpr const char* device_protocol = "cuda-events/1";

/// gpu_time_cold, gpu_time_hot (ns per call) and the clock (MHz) during them; kernel_launches and device_copies of a call,
/// which the backend counts; of graphs gpu_time_graph, graph_build_time
/// (ns) and graph_nodes.
std::vector<record::Metric> device_metrics(bool graphs);

/// Adds the metrics gpu_time_KIND and, if it is known for every sample, gpu_clock_KIND. Missing values are reported in
/// the result's message, as are samples that were discarded, host-bound or too short.
void add_device_series(const std::string& kind, const DeviceSeries& series, const DeviceTraits& traits,
                       record::CaseResult& result);
void add_graph_series(const GraphSeries& graph, const DeviceTraits& traits, record::CaseResult& result);

/// Once per case: throttling cannot be detected on this device.
void add_clock_note(const DeviceTraits& traits, record::CaseResult& result);

/// Adds a sentence to the result's message.
void add_note(record::CaseResult& result, const std::string& note);

}  // namespace torchgate::bench
