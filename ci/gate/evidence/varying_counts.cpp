// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/varying_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace torchgate::gate {
namespace {

constexpr std::string_view sampled_suffix = "_sampled";

using LowAndHigh = std::pair<double, double>;

std::optional<LowAndHigh> range_of_count(const CaseEvidence& evidence, const std::string& name) {
  std::optional<LowAndHigh> range;
  const auto add = [&](double low, double high) {
    range = range ? LowAndHigh(std::min(range->first, low), std::max(range->second, high)) : LowAndHigh(low, high);
  };
  for (const CaseProcess& one : evidence.measured) {
    const record::Measurement* const exact = measurement_of(*one.result, name);
    if (exact != nullptr && exact->value) add(*exact->value, *exact->value);
    const record::Measurement* const sampled = measurement_of(*one.result, name + std::string(sampled_suffix));
    if (sampled != nullptr && sampled->summary) add(sampled->summary->min, sampled->summary->max);
  }
  return range;
}

std::string range_words(const LowAndHigh& range) {
  return range.first == range.second ? fmt::format("{:.10g}", range.first)
                                     : fmt::format("{:.10g} to {:.10g}", range.first, range.second);
}

}  // namespace

std::vector<std::string> varying_counts(const CaseEvidence& before, const CaseEvidence& after) {
  std::set<std::string_view> names;
  for (const record::Metric& metric : before.definition->metrics) {
    std::string_view name = metric.name;
    const bool sampled = metric.kind == record::MetricKind::timed && !metric.primary && name.ends_with(sampled_suffix);
    if (sampled) name.remove_suffix(sampled_suffix.size());
    if (sampled || metric.kind == record::MetricKind::exact) names.insert(name);
  }
  std::vector<std::string> apart;
  for (const std::string_view each : names) {
    if (exact_value(before, each)) continue;
    const std::string name(each);
    const auto was = range_of_count(before, name);
    const auto is = range_of_count(after, name);
    if (!was || !is || (was->first <= is->second && is->first <= was->second)) continue;
    apart.push_back(
        fmt::format("{} {} ({} before, {} now)", after.definition->name, name, range_words(*was), range_words(*is)));
  }
  return apart;
}

}  // namespace torchgate::gate
