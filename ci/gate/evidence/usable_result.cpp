// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/usable_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "ci/gate/evidence/evidence.hpp"

namespace torchgate::gate {
namespace {

// No unit makes more of a measurement, and within these bounds neither squares nor ratios leave the range of a double.
constexpr double largest = 1e100;
constexpr double smallest_time = 1e-100;

bool is_time(const record::Metric& metric) {
  return metric.unit == "ns" || metric.unit == "us" || metric.unit == "ms" || metric.unit == "s";
}

struct Bounds {
  double low;
  double high;

  [[nodiscard]] bool hold(double value) const { return value >= low && value <= high; }  // NaN is in none
};

// Only a time has to be positive: a leak in bytes per call may be 0 or less.
Bounds bounds_of(const record::Metric& metric) {
  return {is_time(metric) ? smallest_time : -largest, largest};
}

std::string no_measurement(double value, const record::Metric& metric) {
  return fmt::format("{} of {:g} {}: not a duration that can be measured; check what the benchmark times", metric.name,
                     value, metric.unit);
}

}  // namespace

std::optional<std::string> unusable_because(const record::CaseResult& result, const record::Metric& metric) {
  const record::Measurement* const found = measurement_of(result, metric.name);
  if (found == nullptr || !found->summary) return metric.name + ": no numbers were reported";
  const record::SampleSummary& summary = *found->summary;
  const Bounds bounds = bounds_of(metric);
  for (const double value : {summary.median, summary.min, summary.max}) {
    if (!bounds.hold(value)) return no_measurement(value, metric);
  }
  // What was discarded as warm-up stands first, and is judged by no rule.
  const auto counted = static_cast<std::size_t>(std::max<std::int64_t>(0, summary.n));
  const std::span<const double> samples(found->samples);
  for (const double value : samples.last(std::min(samples.size(), counted))) {
    if (!bounds.hold(value)) return no_measurement(value, metric);
  }
  return std::nullopt;
}

std::optional<std::string> unusable_because(const record::CaseResult& result, const record::Case& definition) {
  const record::Metric* const primary = primary_metric(definition);
  return primary == nullptr ? std::nullopt : unusable_because(result, *primary);
}

}  // namespace torchgate::gate
