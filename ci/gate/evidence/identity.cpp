// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"

namespace torchgate::gate {
namespace {

std::string was_and_is(const std::string& what, const std::string& before, const std::string& after) {
  return fmt::format("its {} was {} and is {}", what, before, after);
}

std::string value_of(const std::vector<record::Parameter>& parameters, const std::string& name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const record::Parameter& each) { return each.name == name; });
  return found == parameters.end() ? "not set" : found->value;
}

std::string names_in(const std::vector<record::Parameter>& parameters) {
  std::string names;
  for (const record::Parameter& each : parameters) names += (names.empty() ? "" : ", ") + each.name;
  return names.empty() ? "none" : names;
}

// The first one that differs; where all values are the same, it is their order or a duplicate.
std::string parameters_differ(const std::vector<record::Parameter>& before,
                              const std::vector<record::Parameter>& after) {
  for (const auto* const side : {&before, &after}) {
    for (const record::Parameter& each : *side) {
      const std::string was = value_of(before, each.name);
      const std::string is = value_of(after, each.name);
      if (was != is) return was_and_is("parameter " + each.name, was, is);
    }
  }
  return fmt::format("its parameters were ({}) and are ({})", names_in(before), names_in(after));
}

std::string words_of(const record::Metric* metric) {
  return metric == nullptr ? "none" : fmt::format("{} ({})", metric->name, metric->unit);
}

}  // namespace

std::optional<std::string> meaning_differs(const record::Metric& before, const record::Metric& after) {
  if (before.unit != after.unit) return was_and_is("unit", before.unit, after.unit);
  if (before.direction != after.direction) {
    const auto better = [](const record::Metric& metric) {
      return metric.direction == record::Direction::lower_is_better ? "smaller values" : "larger values";
    };
    return fmt::format("{} were better and {} are", better(before), better(after));
  }
  if (before.kind != after.kind) {
    const auto kind = [](const record::Metric& metric) {
      return metric.kind == record::MetricKind::timed ? "timed" : "exact";
    };
    return was_and_is("kind", kind(before), kind(after));
  }
  return std::nullopt;
}

const record::Metric* metric_named(const record::Case& definition, const std::string& name) {
  const auto found = std::find_if(definition.metrics.begin(), definition.metrics.end(),
                                  [&](const record::Metric& metric) { return metric.name == name; });
  return found == definition.metrics.end() ? nullptr : &*found;
}

std::optional<std::string> identity_differs(const record::Case& before, const record::Case& after) {
  if (&before == &after) return std::nullopt;
  if (before.protocol != after.protocol) return was_and_is("protocol", before.protocol, after.protocol);
  if (before.device != after.device) return was_and_is("device", before.device, after.device);
  if (before.input_seed != after.input_seed)
    return was_and_is("input seed", std::to_string(before.input_seed), std::to_string(after.input_seed));
  if (before.parameters != after.parameters) return parameters_differ(before.parameters, after.parameters);
  const record::Metric* a = primary_metric(before);
  const record::Metric* b = primary_metric(after);
  if (a == nullptr && b == nullptr) return std::nullopt;
  if (a == nullptr || b == nullptr || a->name != b->name || a->unit != b->unit)
    return was_and_is("primary metric", words_of(a), words_of(b));
  if (auto why = meaning_differs(*a, *b)) return fmt::format("primary metric {}: {}", a->name, *why);
  return std::nullopt;
}

bool is_same_case(const record::Case& stored, const record::Case& now) {
  return !stored.ambiguous && !identity_differs(stored, now);
}

}  // namespace torchgate::gate
