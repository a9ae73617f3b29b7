// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "reports/facts/about_states.hpp"

namespace torchgate::gate {
namespace {

std::string value_of(const std::vector<record::Parameter>& parameters, const std::string& name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const record::Parameter& each) { return each.name == name; });
  return found == parameters.end() ? "not set" : found->value;
}

facts::Names names_in(const std::vector<record::Parameter>& parameters) {
  facts::Names names;
  for (const record::Parameter& each : parameters) names.push_back(each.name);
  return names.empty() ? facts::Names{"none"} : names;
}

// The first one that differs; where all values are the same, it is their order or a duplicate.
facts::Fact parameters_differ(const std::vector<record::Parameter>& before,
                              const std::vector<record::Parameter>& after) {
  for (const auto* const side : {&before, &after}) {
    for (const record::Parameter& each : *side) {
      const std::string was = value_of(before, each.name);
      const std::string is = value_of(after, each.name);
      if (was != is) return facts::attribute_differs("parameter " + each.name, was, is);
    }
  }
  return facts::parameters_differ(names_in(before), names_in(after));
}

std::string words_of(const record::Metric* metric) {
  return metric == nullptr ? "none" : fmt::format("{} ({})", metric->name, metric->unit);
}

struct Work {
  const char* words;
  std::optional<double> record::Case::*per_call;
  std::vector<const char*> rates;
};

bool has_any(const record::Case& definition, const std::vector<const char*>& metrics) {
  return std::any_of(metrics.begin(), metrics.end(),
                     [&](const char* name) { return metric_named(definition, name) != nullptr; });
}

// Where both sides have a rate of it, that says what the time does not (work.cpp), and some files have it only as the product of both.
std::optional<facts::Fact> work_differs(const record::Case& before, const record::Case& after) {
  const std::vector<Work> kinds{
      {"number of items per call", &record::Case::items_per_call, {"items_per_second"}},
      {"number of bytes per call", &record::Case::bytes_per_call, {"bytes_per_second", "MB/s"}}};
  for (const auto& [words, per_call, rates] : kinds) {
    const std::optional<double>& was = before.*per_call;
    const std::optional<double>& is = after.*per_call;
    if (!was || !is || !(*was > 0) || !(*is > 0) || std::abs(std::log(*is / *was)) <= same_work) continue;
    if (has_any(before, rates) && has_any(after, rates)) continue;
    return facts::attribute_differs(words, fmt::to_string(*was), fmt::to_string(*is));
  }
  return std::nullopt;
}

const char* words_of(record::Clock clock) {
  switch (clock) {
    case record::Clock::unknown:
      break;
    case record::Clock::real:
      return "real time";
    case record::Clock::cpu:
      return "CPU time of one thread";
    case record::Clock::process_cpu:
      return "CPU time of all threads";
  }
  return "not known";
}

}  // namespace

std::optional<facts::Fact> meaning_differs(const record::Metric& before, const record::Metric& after) {
  if (before.unit != after.unit) return facts::attribute_differs("unit", before.unit, after.unit);
  if (before.direction != after.direction)
    return before.direction == record::Direction::lower_is_better ? facts::larger_is_better_now()
                                                                  : facts::smaller_is_better_now();
  if (before.kind != after.kind) {
    const auto kind = [](const record::Metric& metric) {
      return metric.kind == record::MetricKind::timed ? "timed" : "exact";
    };
    return facts::attribute_differs("kind", kind(before), kind(after));
  }
  if (before.clock != after.clock && before.clock != record::Clock::unknown && after.clock != record::Clock::unknown)
    return facts::attribute_differs("clock", words_of(before.clock), words_of(after.clock));
  return std::nullopt;
}

const record::Metric* metric_named(const record::Case& definition, const std::string& name) {
  const auto found = std::find_if(definition.metrics.begin(), definition.metrics.end(),
                                  [&](const record::Metric& metric) { return metric.name == name; });
  return found == definition.metrics.end() ? nullptr : &*found;
}

std::optional<facts::Fact> identity_differs(const record::Case& before, const record::Case& after) {
  if (&before == &after) return std::nullopt;
  if (before.protocol != after.protocol) return facts::attribute_differs("protocol", before.protocol, after.protocol);
  if (before.device != after.device) return facts::attribute_differs("device", before.device, after.device);
  if (before.input_seed != after.input_seed)
    return facts::attribute_differs("input seed", std::to_string(before.input_seed), std::to_string(after.input_seed));
  if (before.parameters != after.parameters) return parameters_differ(before.parameters, after.parameters);
  if (before.settings && after.settings && *before.settings != *after.settings)
    return facts::attribute_differs("process setting", *before.settings, *after.settings);
  const record::Metric* a = primary_metric(before);
  const record::Metric* b = primary_metric(after);
  if (a == nullptr && b == nullptr) return std::nullopt;
  // Both times of a GPU are measured whichever is judged (run.device_metric).
  if (a != nullptr && b != nullptr && a->name != b->name && after.device != "cpu") {
    if (const record::Metric* const same = metric_named(before, b->name)) a = same;
  }
  if (a == nullptr || b == nullptr || a->name != b->name || a->unit != b->unit)
    return facts::attribute_differs("primary metric", words_of(a), words_of(b));
  if (auto why = meaning_differs(*a, *b)) return facts::primary_metric_differs(a->name, *why);
  return work_differs(before, after);
}

bool is_same_case(const record::Case& stored, const record::Case& now) {
  return !stored.ambiguous && !identity_differs(stored, now);
}

}  // namespace torchgate::gate
