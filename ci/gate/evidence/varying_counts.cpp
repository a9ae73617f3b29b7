// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/varying_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "ci/gate/evidence/identity.hpp"
#include "stats/quantile.hpp"

namespace torchgate::gate {
namespace {

bool is_sampled_count(const record::Metric& metric) {
  return metric.kind == record::MetricKind::timed && !metric.primary &&
         std::string_view(metric.name).ends_with(sampled_suffix);
}

const record::Metric* samples_of(const record::Case& definition, std::string_view name) {
  const record::Metric* const samples = metric_named(definition, std::string(name) + std::string(sampled_suffix));
  return samples != nullptr && is_sampled_count(*samples) ? samples : nullptr;
}

std::string range_words(const CountRange& range) {
  return range.agrees() ? fmt::format("{:.10g}", range.least)
                        : fmt::format("{:.10g} to {:.10g}", range.least, range.most);
}

}  // namespace

std::optional<CountRange> range_of_samples(const CaseEvidence& evidence, const std::string& name) {
  std::optional<CountRange> range;
  const std::string sampled_name = name + std::string(sampled_suffix);
  for (const CaseProcess& one : evidence.measured) {
    const record::Measurement* const sampled = measurement_of(*one.result, sampled_name);
    if (sampled == nullptr || !sampled->summary) continue;
    if (!range) range = {sampled->summary->min, sampled->summary->max};
    range->least = std::min(range->least, sampled->summary->min);
    range->most = std::max(range->most, sampled->summary->max);
  }
  return range;
}

std::optional<CountRange> range_of_count(const CaseEvidence& evidence, const std::string& name) {
  std::optional<CountRange> range = count_range(evidence, name);
  const auto sampled = range_of_samples(evidence, name);
  if (!range || !sampled) return range ? range : sampled;
  range->least = std::min(range->least, sampled->least);
  range->most = std::max(range->most, sampled->most);
  return range;
}

std::set<std::string_view> names_of_counts(const record::Case& definition) {
  std::set<std::string_view> names;
  for (const record::Metric& metric : definition.metrics) {
    if (metric.kind == record::MetricKind::exact) names.insert(metric.name);
    if (is_sampled_count(metric))
      names.insert(std::string_view(metric.name).substr(0, metric.name.size() - sampled_suffix.size()));
  }
  return names;
}

std::optional<record::Metric> count_named(const record::Case& definition, const std::string& name) {
  const record::Metric* const exact = metric_named(definition, name);
  if (exact != nullptr && exact->kind == record::MetricKind::exact) return *exact;
  const record::Metric* const sampled = samples_of(definition, name);
  if (sampled == nullptr) return std::nullopt;
  record::Metric count = *sampled;
  count.name = name;
  count.kind = record::MetricKind::exact;
  count.judged = false;
  return count;
}

bool judges_samples(const record::Case& before, const record::Case& after, std::string_view name) {
  const record::Metric* const was = samples_of(before, name);
  const record::Metric* const now = samples_of(after, name);
  return was != nullptr && now != nullptr && (was->judged || now->judged);
}

bool is_count_now(const CaseEvidence& after, std::string_view samples) {
  if (!samples.ends_with(sampled_suffix)) return false;
  samples.remove_suffix(sampled_suffix.size());
  return count_range(after, samples).has_value();
}

std::optional<double> typical_count(const CaseEvidence& evidence, const std::string& name) {
  std::vector<double> counts;
  for (const CaseProcess& one : evidence.measured) {
    const record::Measurement* const exact = measurement_of(*one.result, name);
    const record::Measurement* const sampled = measurement_of(*one.result, name + std::string(sampled_suffix));
    if (exact != nullptr && exact->value)
      counts.push_back(*exact->value);
    else if (sampled != nullptr && sampled->summary)
      counts.push_back(sampled->summary->median);
  }
  return stats::median(counts);
}

std::vector<const record::Metric*> samples_of_counts(const record::Case& definition,
                                                     const std::vector<Judged>& counted) {
  std::vector<const record::Metric*> samples;
  for (const Judged& judged : counted) {
    if (const record::Metric* const of_count = samples_of(definition, judged.metric.name)) samples.push_back(of_count);
  }
  return samples;
}

std::vector<std::string> varying_counts(const CaseEvidence& before, const CaseEvidence& after,
                                        const std::vector<Judged>& counted) {
  std::set<std::string_view> names = names_of_counts(*before.definition);
  for (const Judged& judged : counted) names.erase(judged.metric.name);
  std::vector<std::string> apart;
  for (const std::string_view each : names) {
    if (exact_value(before, each) && exact_value(after, each)) continue;
    if (judges_samples(*before.definition, *after.definition, each)) continue;
    const std::string name(each);
    const auto was = range_of_count(before, name);
    const auto is = range_of_count(after, name);
    if (!was || !is || (was->least <= is->most && is->least <= was->most)) continue;
    apart.push_back(
        fmt::format("{} {} ({} before, {} now)", after.definition->name, name, range_words(*was), range_words(*is)));
  }
  return apart;
}

}  // namespace torchgate::gate
