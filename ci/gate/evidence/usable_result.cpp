// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/usable_result.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>
#include <system_error>

#include "reports/facts/about_states.hpp"

namespace torchgate::gate {
namespace {

// No unit makes more of a measurement, and within these bounds neither squares nor ratios leave the range of a double.
constexpr double largest = 1e100;
constexpr double smallest_time = 1e-100;

// One clock cycle at 5 GHz: a call that takes less does nothing.
constexpr double cycle_ns = 0.2;

double ns_of_unit(const std::string& unit) {
  constexpr double thousand = 1e3;
  if (unit == "ns") return 1;
  if (unit == "us") return thousand;
  if (unit == "ms") return thousand * thousand;
  return unit == "s" ? thousand * thousand * thousand : 0;
}

bool is_time(const record::Metric& metric) {
  return ns_of_unit(metric.unit) > 0;
}

// Tools divide the time of threads that run at once by their number: "threads" of Google Benchmark, the suffix "-8" of Go.
double threads_of(const record::Case& definition) {
  const auto threads = std::find_if(definition.parameters.begin(), definition.parameters.end(),
                                    [](const record::Parameter& each) { return each.name == "threads"; });
  std::string_view digits;
  if (threads != definition.parameters.end()) {
    digits = threads->value;
  } else if (definition.protocol.starts_with("go/")) {
    const std::size_t hyphen = definition.name.rfind('-');
    if (hyphen != std::string::npos) digits = std::string_view(definition.name).substr(hyphen + 1);
  }
  int count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool whole = error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
  return whole && count > 1 ? count : 1;
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

// The time of a case itself; a process that waits may have less CPU time than a cycle.
Bounds bounds_of_primary(const record::Metric& primary, const record::Case& definition) {
  if (!is_time(primary)) return bounds_of(primary);
  return {cycle_ns / threads_of(definition) / ns_of_unit(primary.unit), largest};
}

facts::Fact no_measurement(double value, const record::Metric& metric, const Bounds& bounds) {
  const bool too_short = bounds.low > smallest_time && value >= 0 && value < bounds.low;
  return (too_short ? facts::measures_nothing : facts::no_duration)(metric.name, value, metric.unit);
}

std::optional<facts::Fact> unusable_within(const record::CaseResult& result, const record::Metric& metric,
                                           const Bounds& bounds) {
  const record::Measurement* const found = measurement_of(result, metric.name);
  if (found == nullptr || !found->summary) {
    if (result.message.empty()) return facts::no_numbers(metric.name);
    const bool of_device = metric.name.starts_with(record::device_time_prefix);
    return (of_device ? facts::no_valid_device_time : facts::no_valid_numbers)(metric.name, result.message);
  }
  const record::SampleSummary& summary = *found->summary;
  for (const double value : {summary.median, summary.min, summary.max}) {
    if (!bounds.hold(value)) return no_measurement(value, metric, bounds);
  }
  // What was discarded as warm-up stands first, and is judged by no rule.
  const auto counted = static_cast<std::size_t>(std::max<std::int64_t>(0, summary.n));
  const std::span<const double> samples(found->samples);
  for (const double value : samples.last(std::min(samples.size(), counted))) {
    if (!bounds.hold(value)) return no_measurement(value, metric, bounds);
  }
  return std::nullopt;
}

}  // namespace

std::optional<facts::Fact> unusable_because(const record::CaseResult& result, const record::Metric& metric) {
  return unusable_within(result, metric, bounds_of(metric));
}

std::optional<facts::Fact> unusable_because(const record::CaseResult& result, const record::Case& definition) {
  const record::Metric* const primary = primary_metric(definition);
  if (primary == nullptr) return std::nullopt;
  return unusable_within(result, *primary, bounds_of_primary(*primary, definition));
}

}  // namespace torchgate::gate
