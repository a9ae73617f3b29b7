// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/varying_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "ci/gate/evidence/identity.hpp"

namespace torchgate::gate {
namespace {

// A judged one is compared as a timed metric.
bool is_sampled_count(const record::Metric& metric) {
  return metric.kind == record::MetricKind::timed && !metric.primary && !metric.judged &&
         std::string_view(metric.name).ends_with(sampled_suffix);
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
  const record::Metric* const sampled = metric_named(definition, name + std::string(sampled_suffix));
  if (sampled == nullptr || !is_sampled_count(*sampled)) return std::nullopt;
  record::Metric count = *sampled;
  count.name = name;
  count.kind = record::MetricKind::exact;
  return count;
}

std::vector<const record::Metric*> samples_of_counts(const record::Case& definition,
                                                     const std::vector<Judged>& counted) {
  std::vector<const record::Metric*> samples;
  for (const Judged& judged : counted) {
    const record::Metric* const of_count = metric_named(definition, judged.metric.name + std::string(sampled_suffix));
    if (of_count != nullptr) samples.push_back(of_count);
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
