// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/usable_result.hpp"

#include <algorithm>
#include <span>

#include "harness/record/clock_cycle.hpp"
#include "reports/facts/about_states.hpp"

namespace torchgate::gate {
namespace {

// No unit makes more of a measurement, and within these bounds neither squares nor ratios leave the range of a double.
constexpr double largest = 1e100;
constexpr double smallest_time = 1e-100;

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
Bounds bounds_of_primary(const record::Metric& primary, int at_once) {
  if (!is_time(primary)) return bounds_of(primary);
  return {record::cycle_ns / at_once / ns_of_unit(primary.unit), largest};
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

std::optional<facts::Fact> unusable_because(const record::CaseResult& result, const record::Case& definition,
                                            int at_once) {
  const record::Metric* const primary = primary_metric(definition);
  if (primary == nullptr) return std::nullopt;
  if (is_below_resolution(result, definition)) return facts::below_resolution(primary->name, primary->unit);
  return unusable_within(result, *primary, bounds_of_primary(*primary, at_once));
}

bool is_below_resolution(const record::CaseResult& result, const record::Case& definition) {
  const record::Metric* const primary = primary_metric(definition);
  if (primary == nullptr || !definition.protocol.starts_with("github-action-benchmark/")) return false;
  if (!is_time(*primary) && !primary->unit.starts_with("ns/")) return false;  // "ns/frame"
  const record::Measurement* const found = measurement_of(result, primary->name);
  return found != nullptr && found->summary && found->summary->min == 0 && found->summary->max == 0;
}

std::optional<std::string> wrong_because(const record::CaseResult& result) {
  if (result.check) {
    const record::OutputCheck& check = *result.check;
    if (!check.within || !(check.relative_l2 <= check.tolerance))
      return facts::output_not_within(check.relative_l2, check.tolerance).words();
  }
  for (const record::PathProof& proof : result.proofs)
    if (!proof.holds) return facts::proof_does_not_hold(proof.expectation, proof.observed).words();
  return std::nullopt;
}

}  // namespace torchgate::gate
