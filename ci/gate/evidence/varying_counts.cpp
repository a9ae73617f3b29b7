// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/varying_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace torchgate::gate {
namespace {

constexpr std::string_view sampled_suffix = "_sampled";

// Of processes that agree within themselves, and of those that do not.
std::optional<CountRange> range_of_count(const CaseEvidence& evidence, const std::string& name) {
  std::optional<CountRange> range = count_range(evidence, name);
  const auto sampled = range_of_samples(evidence, name);
  if (!range || !sampled) return range ? range : sampled;
  range->least = std::min(range->least, sampled->least);
  range->most = std::max(range->most, sampled->most);
  return range;
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

std::vector<std::string> varying_counts(const CaseEvidence& before, const CaseEvidence& after,
                                        const std::vector<Judged>& counted) {
  std::set<std::string_view> names;
  for (const record::Metric& metric : before.definition->metrics) {
    std::string_view name = metric.name;
    if (metric.judged && metric.kind == record::MetricKind::timed) continue;
    const bool sampled = metric.kind == record::MetricKind::timed && !metric.primary && name.ends_with(sampled_suffix);
    if (sampled) name.remove_suffix(sampled_suffix.size());
    if (sampled || metric.kind == record::MetricKind::exact) names.insert(name);
  }
  for (const Judged& judged : counted)
    if (judged.counts && judged.counts->after) names.erase(judged.metric.name);
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
