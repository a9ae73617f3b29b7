// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/cold_start.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "harness/bench/device/device_metrics.hpp"
#include "harness/record/sample_summary.hpp"

namespace torchgate::bench {
namespace {

record::Measurement* find_measurement(record::CaseResult& result, const std::string& metric) {
  const auto found = std::find_if(result.measurements.begin(), result.measurements.end(),
                                  [&](const auto& each) { return each.metric == metric; });
  return found == result.measurements.end() ? nullptr : &*found;
}

bool is_exact(const record::Case& definition, const std::string& metric) {
  return std::any_of(definition.metrics.begin(), definition.metrics.end(), [&](const record::Metric& each) {
    return each.name == metric && each.kind == record::MetricKind::exact;
  });
}

// Whether every launch has it.
bool append(record::Measurement& first, const std::vector<record::CaseResult*>& others) {
  for (record::CaseResult* other : others) {
    const record::Measurement* same = find_measurement(*other, first.metric);
    if (same == nullptr) return false;
    first.samples.insert(first.samples.end(), same->samples.begin(), same->samples.end());
  }
  first.summary = record::summarize_samples(first.samples);
  return true;
}

bool all_equal(const record::Measurement& first, const std::vector<record::CaseResult*>& others) {
  return std::all_of(others.begin(), others.end(), [&](record::CaseResult* other) {
    const record::Measurement* same = find_measurement(*other, first.metric);
    return same != nullptr && same->value == first.value;
  });
}

}  // namespace

record::CaseResult join_launches(const record::Case& definition, std::vector<record::CaseResult> launches) {
  const auto bad = std::find_if(launches.begin(), launches.end(),
                                [](const auto& each) { return each.status != record::CaseStatus::ok; });
  if (bad != launches.end()) return std::move(*bad);
  record::CaseResult joined = std::move(launches.front());
  std::vector<record::CaseResult*> others;
  for (std::size_t i = 1; i < launches.size(); ++i) others.push_back(&launches[i]);
  std::vector<record::Measurement> kept;
  for (record::Measurement& measurement : joined.measurements) {
    if (is_exact(definition, measurement.metric)) {
      if (all_equal(measurement, others)) {
        kept.push_back(std::move(measurement));
      } else {
        add_note(joined, measurement.metric + " differs between the launches and is not recorded");
      }
    } else if (append(measurement, others)) {
      kept.push_back(std::move(measurement));
    }
  }
  joined.measurements = std::move(kept);
  return joined;
}

}  // namespace torchgate::bench
