// SPDX-License-Identifier: Apache-2.0
// Metrics, groups and cases as JSON.
#include <algorithm>

#include "harness/record/internal/codec_parts.hpp"
#include "harness/record/internal/enum_names.hpp"

namespace torchgate::record::internal {

MetricTable::MetricTable(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    for (const Metric& metric : c.metrics) {
      if (positions_.emplace(key_of(metric), static_cast<std::int64_t>(metrics_.size())).second)
        metrics_.push_back(metric);
    }
  }
}

MetricTable::Key MetricTable::key_of(const Metric& metric) {
  return {metric.name, metric.unit, metric.direction, metric.kind, metric.primary, metric.gated, metric.judged};
}

std::int64_t MetricTable::position(const Metric& metric) const {
  return positions_.at(key_of(metric));
}

CasePositions positions_of(const std::vector<Case>& cases) {
  CasePositions positions;
  positions.reserve(cases.size());
  std::int64_t position = 0;
  for (const Case& c : cases) positions.emplace(c.name, position++);
  return positions;
}

void write_parameters(json::JsonWriter& json, std::string_view key, const std::vector<Parameter>& parameters) {
  if (parameters.empty()) return;
  json.key(key);
  json.begin_object();
  for (const Parameter& parameter : parameters) json.member(parameter.name, parameter.value);
  json.end_object();
}

void write_metrics(json::JsonWriter& json, const MetricTable& table) {
  json.key("metrics");
  json.begin_array();
  for (const Metric& metric : table.metrics()) {
    json.begin_object();
    json.member("name", metric.name);
    json.member("unit", metric.unit);
    json.member("better", name_of(direction_names, metric.direction));
    json.member("kind", name_of(metric_kind_names, metric.kind));
    json.member_unless(false, "primary", metric.primary);
    json.member_unless(false, "gated", metric.gated);
    json.member_unless(false, "judged", metric.judged);
    json.end_object();
  }
  json.end_array();
}

void write_groups(json::JsonWriter& json, const std::vector<Group>& groups) {
  json.key("groups");
  json.begin_array();
  for (const Group& group : groups) {
    json.begin_object();
    json.member("name", group.name);
    json.member("suite", group.suite);
    json.member("reference", group.reference);
    json.member_unless(std::int64_t{1}, "ranks", group.ranks);
    json.key("claims");
    json.begin_array();
    for (const Claim& claim : group.claims) {
      json.begin_object();
      json.member("case", claim.case_name);
      if (!claim.limit) json.member("reference_case", claim.reference_case);
      json.member("metric", claim.metric);
      if (claim.quantile != Quantile::median) json.member("quantile", name_of(quantile_names, claim.quantile));
      json.member("reference_metric", claim.reference_metric);
      if (claim.reference_quantile != Quantile::median)
        json.member("reference_quantile", name_of(quantile_names, claim.reference_quantile));
      json.member("limit", claim.limit);
      json.member("relation", name_of(relation_names, claim.relation));
      json.member("ratio", claim.ratio);
      json.member_unless(false, "per_item", claim.per_item);
      json.member("text", claim.text);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void write_cases(json::JsonWriter& json, const std::vector<Case>& cases, const MetricTable& table) {
  json.key("cases");
  json.begin_array();
  for (const Case& c : cases) {
    json.begin_object();
    json.member("name", c.name);
    json.member("suite", c.suite);
    json.member("group", c.group);
    json.member("variant", c.variant);
    write_parameters(json, "parameters", c.parameters);
    json.member("device", c.device);
    json.member("protocol", c.protocol);
    json.member_unless(std::uint64_t{0}, "input_seed", c.input_seed);
    json.member("items_per_call", c.items_per_call);
    json.member("bytes_per_call", c.bytes_per_call);
    json.key("metrics");
    json.begin_array();
    for (const Metric& metric : c.metrics) json.value(table.position(metric));
    json.end_array();
    json.member("skipped", c.skipped);
    json.member("ambiguous", c.ambiguous);
    json.member("sides_differ", c.sides_differ);
    json.end_object();
  }
  json.end_array();
}

}  // namespace torchgate::record::internal
