// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/numbers.hpp"

#include <algorithm>
#include <cmath>

#include "reports/facts/about_tests.hpp"
#include "stats/quantile.hpp"
#include "stats/run_value.hpp"

namespace torchgate::gate {
namespace {

constexpr double p95 = 0.95;
constexpr double p99 = 0.99;
constexpr double ns_per_s = 1e9;

using record::orientation;

// A P99 of 100 samples is their second largest: shown only from the size on at which it has an interval.
std::optional<reports::Tail> tail(const std::vector<double>& sorted, double q) {
  const auto interval = stats::quantile_interval(sorted, q);
  const auto value = stats::quantile_of_sorted(sorted, q);
  if (!interval || !value) return std::nullopt;
  return reports::Tail{*value, reports::Interval{interval->low, interval->high, interval->level}};
}

}  // namespace

double run_value_of(const ProcessValues& values, const record::Metric& metric) {
  const auto value = stats::run_value(values.worse_logs);
  return value ? std::exp(orientation(metric) * *value) : values.medians.front();
}

SideValues side_values(const stats::Levels& worse_logs, const record::Metric& metric) {
  return {std::exp(orientation(metric) * worse_logs.before), std::exp(orientation(metric) * worse_logs.after),
          worse_logs.estimator};
}

stats::Better better_of(const record::Metric& metric) {
  return metric.direction == record::Direction::lower_is_better ? stats::Better::lower : stats::Better::higher;
}

double relative_change(double worse_log, const record::Metric& metric) {
  return std::expm1(orientation(metric) * worse_log);
}

reports::Interval relative_interval(const stats::Interval& worse_logs, const record::Metric& metric) {
  const double a = relative_change(worse_logs.low, metric);
  const double b = relative_change(worse_logs.high, metric);
  return {std::min(a, b), std::max(a, b), worse_logs.level};
}

reports::TextbookAnswer textbook_answer(const TimedEvidence& before, const TimedEvidence& after,
                                        const record::Metric& metric) {
  reports::TextbookAnswer answer;
  answer.samples = textbook_samples(before, after);
  if (before.samples.empty() || after.samples.empty()) {
    answer.call = "no answer";
    return answer;
  }
  stats::TextbookOptions options;
  options.better = better_of(metric);
  const stats::Textbook result = stats::textbook(before.samples, after.samples, options);
  answer.p = result.p;
  if (result.d && std::isfinite(*result.d)) answer.d = result.d;
  if (result.word) answer.word = stats::to_string(*result.word);
  answer.call = result.call == stats::Call::regressed  ? "regressed"
                : result.call == stats::Call::improved ? "improved"
                : result.p                             ? "no change"
                                                       : "no answer";
  return answer;
}

facts::Fact textbook_samples(const ProcessValues& before, const ProcessValues& after) {
  if (before.kept_samples() == 0 || after.kept_samples() == 0) return facts::no_raw_samples;
  return facts::raw_samples(before.kept_samples(), after.kept_samples(), before.medians.size(), after.medians.size());
}

std::optional<double> change_between(const ProcessValues& before, const ProcessValues& after,
                                     const record::Metric& metric) {
  if (before.medians.empty() || after.medians.empty()) return std::nullopt;
  const double was = run_value_of(before, metric);
  if (!(was > 0)) return std::nullopt;
  return run_value_of(after, metric) / was - 1;
}

bool shows_percentiles(const ProcessValues& values) {
  const auto enough = stats::quantile_interval_min_n(p95);
  return enough && !values.stops_included && values.kept_samples() >= static_cast<std::int64_t>(*enough);
}

reports::SideNumbers side_numbers(const CaseEvidence& evidence, const record::Metric& metric,
                                  const TimedEvidence& timed, double value) {
  reports::SideNumbers side;
  side.processes = static_cast<std::int64_t>(timed.medians.size());
  side.samples = timed.sample_count;
  side.process_values = timed.medians;
  side.value = value;
  if (!timed.stops_included) {
    std::vector<double> sorted = timed.samples;
    std::sort(sorted.begin(), sorted.end());
    side.p95 = tail(sorted, p95);
    side.p99 = tail(sorted, p99);
  }
  const auto per_second = [&](const std::optional<double>& per_call) -> std::optional<double> {
    if (!per_call || metric.unit != "ns" || !(side.value > 0)) return std::nullopt;
    return *per_call * ns_per_s / side.value;
  };
  side.items_per_second = per_second(evidence.definition->items_per_call);
  side.bytes_per_second = per_second(evidence.definition->bytes_per_call);
  side.peak_bytes = exact_value(evidence, "peak_bytes");
  const CaseEvidence* const itself = &evidence;
  side.noise = noise_of(std::span(&itself, 1), metric);
  return side;
}

}  // namespace torchgate::gate
