// SPDX-License-Identifier: Apache-2.0
#include "harness/import/imported_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/base/mean.hpp"
#include "harness/base/significant_digits.hpp"
#include "harness/import/bounds.hpp"
#include "harness/record/sample_summary.hpp"

namespace torchgate::import {
namespace {

const record::Metric time_metric{"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true};
const record::Metric cpu_metric{"cpu_time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, false};
const record::Metric bytes_metric{"peak_bytes", "bytes", record::Direction::lower_is_better, record::MetricKind::exact,
                                  false};
const record::Metric allocations_metric{"allocations", "1", record::Direction::lower_is_better,
                                        record::MetricKind::exact, false};

record::Measurement timed(const record::Metric& metric, std::vector<double> samples) {
  record::Measurement measurement;
  measurement.metric = metric.name;
  measurement.summary = record::summarize_samples(samples);
  measurement.samples = std::move(samples);
  return measurement;
}

// Without a time, the first timed metric is what the case is about.
bool has_time(const ImportedCase& each) {
  return !each.time_ns.empty() || each.metrics.empty();
}

void take_times(ImportedCase& each, record::CaseResult& result) {
  result.measurements.reserve(2 + each.metrics.size());
  if (has_time(each)) result.measurements.push_back(timed(time_metric, std::move(each.time_ns)));
  for (ImportedMetric& other : each.metrics) {
    if (other.metric.kind == record::MetricKind::timed)
      result.measurements.push_back(timed(other.metric, std::move(other.samples)));
  }
  if (!each.cpu_ns.empty()) result.measurements.push_back(timed(cpu_metric, std::move(each.cpu_ns)));
}

record::Measurement exact(const record::Metric& metric, double value) {
  record::Measurement measurement;
  measurement.metric = metric.name;
  measurement.value = value;
  return measurement;
}

// GIVEN may be rounded to the digits that it has.
bool is_rounded(double exact, double given) {
  constexpr double rounding = 1e-5;
  constexpr double half = 0.51;
  const auto digits = static_cast<double>(base::significant_digits(given));
  const double last_place = given == 0 ? 0 : std::pow(10, std::floor(std::log10(std::abs(given))) + 1 - digits);
  return std::abs(exact - given) <= std::max(rounding * std::abs(given), half * last_place);
}

}  // namespace

void mark_single_value(ImportedCase& each, SingleValue value, std::string_view samples) {
  const bool mean = value == SingleValue::mean;
  each.only_summary = true;
  each.note = fmt::format("the file has only the {} of {}", mean ? "mean" : "median", samples);
  if (mean) each.protocol += mean_protocol;
}

std::string not_samples_of(const std::vector<double>& samples_ns, std::optional<double> mean_ns,
                           std::optional<double> median_ns) {
  const std::optional<double> given = mean_ns ? mean_ns : median_ns;
  if (samples_ns.empty() || !given) return "";
  const double exact = mean_ns ? base::mean(samples_ns) : record::summarize_samples(samples_ns).median;
  if (is_rounded(exact, *given)) return "";
  return fmt::format("their {} is {:.6g} ns, but the file has {:.6g} ns", mean_ns ? "mean" : "median", exact, *given);
}

std::string not_samples_of(const std::vector<std::optional<double>>& samples_s, std::optional<double> mean_s,
                           std::optional<double> median_s) {
  const auto in_ns = [](std::optional<double> seconds) {
    return seconds ? std::optional(*seconds * ns_per_s) : std::nullopt;
  };
  std::vector<double> samples_ns;
  for (const std::optional<double>& each : samples_s) {
    if (!invalid_time(in_ns(each)).empty()) return "";
    samples_ns.push_back(*in_ns(each));
  }
  return not_samples_of(samples_ns, in_ns(mean_s), in_ns(median_s));
}

std::string unused_samples_warning(const std::string& file, std::int64_t count, const std::string& first_reason) {
  if (count == 0) return "";
  return fmt::format("{}: the samples of {} could not be used: {}; {} used", file,
                     count == 1 ? "one case" : "some cases", first_reason,
                     count == 1 ? "its median or mean is" : "their medians or means are");
}

std::vector<record::Metric> metrics_of(const ImportedCase& each) {
  std::vector<record::Metric> metrics;
  if (has_time(each)) metrics.push_back(time_metric);
  bool primary = !metrics.empty();
  for (const ImportedMetric& other : each.metrics) {
    metrics.push_back(other.metric);
    metrics.back().primary = !primary && other.metric.kind == record::MetricKind::timed;
    primary = primary || metrics.back().primary;
  }
  if (!each.cpu_ns.empty()) {
    metrics.push_back(cpu_metric);
    metrics.back().clock = each.cpu_clock;
    metrics.back().judged = each.cpu_judged;
  }
  if (each.peak_bytes) metrics.push_back(bytes_metric);
  if (each.allocations) metrics.push_back(allocations_metric);
  return metrics;
}

record::Case definition_of(const ImportedCase& each, const std::string& name, const std::string& suite,
                           const std::string& group) {
  record::Case definition;
  definition.name = name;
  definition.suite = suite;
  definition.group = group;
  definition.parameters = each.parameters;
  definition.protocol = each.protocol;
  definition.device = each.device;
  definition.items_per_call = each.items_per_call;
  definition.bytes_per_call = each.bytes_per_call;
  definition.metrics = metrics_of(each);
  definition.skipped = each.skipped.empty() ? std::nullopt : std::optional(each.skipped);
  return definition;
}

record::CaseResult result_of(ImportedCase each, const std::string& name) {
  record::CaseResult result;
  result.name = name;
  if (!each.failure.empty()) {
    result.status = record::CaseStatus::failed;
    result.message = std::move(each.failure);
    return result;
  }
  if (!each.skipped.empty()) {
    result.status = record::CaseStatus::skipped;
    result.message = std::move(each.skipped);
    return result;
  }
  result.calls_per_sample =
      std::clamp<std::int64_t>(each.calls_per_sample, 1, base::max_count);  // as a record may have it
  result.only_summary = each.only_summary;
  result.measured_at = std::move(each.measured_at);
  try {
    take_times(each, result);
  } catch (const std::runtime_error& error) {  // samples that cannot be summarised cost this case, not the run
    result.measurements.clear();
    result.status = record::CaseStatus::failed;
    result.message = error.what();
    return result;
  }
  if (each.peak_bytes) result.measurements.push_back(exact(bytes_metric, *each.peak_bytes));
  if (each.allocations) result.measurements.push_back(exact(allocations_metric, *each.allocations));
  for (const ImportedMetric& other : each.metrics) {
    if (other.value) result.measurements.push_back(exact(other.metric, *other.value));
  }
  result.message = std::move(each.note);
  return result;
}

}  // namespace torchgate::import
