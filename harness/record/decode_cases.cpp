// SPDX-License-Identifier: Apache-2.0
// Metrics, groups and cases from JSON.
#include <algorithm>
#include <unordered_set>

#include "harness/record/internal/codec_parts.hpp"
#include "harness/record/internal/enum_names.hpp"

namespace torchgate::record::internal {
namespace {

std::string read_name(json::JsonReader& reader) {
  std::string name = reader.name();
  if (name.empty()) reader.fail("expected a name, found an empty string");
  return name;
}

double read_positive(json::JsonReader& reader) {
  const double value = reader.number();
  if (!reader.failed() && value <= 0) reader.fail("expected a number above 0");
  return value;
}

// Fails at the second of two elements with the same name. The reader stands at the list.
template <class T>
void check_names_differ(json::JsonReader& reader, const std::vector<T>& list) {
  std::unordered_set<std::string_view> names;
  for (std::size_t i = 0; i < list.size() && !reader.failed(); ++i) {
    if (!names.insert(list[i].name).second) {
      reader.fail_at(std::to_string(i), "duplicate name " + base::in_quotes(list[i].name));
    }
  }
}

Metric read_metric(json::JsonReader& reader) {
  Metric metric;
  reader.object({"name", "unit", "better", "kind"}, [&](std::string_view key) {
    if (key == "name")
      metric.name = read_name(reader);
    else if (key == "unit")
      metric.unit = reader.name();
    else if (key == "better")
      metric.direction = read_enum(reader, direction_names);
    else if (key == "kind")
      metric.kind = read_enum(reader, metric_kind_names);
    else if (key == "primary")
      metric.primary = reader.boolean();
    else if (key == "gated")
      metric.gated = reader.boolean();
    else if (key == "judged")
      metric.judged = reader.boolean();
    else
      reader.skip();
  });
  if (metric.primary && metric.kind == MetricKind::exact) {
    reader.fail("an exact metric cannot be primary: the primary metric is the timed one that is gated");
  }
  if (metric.gated && metric.kind == MetricKind::timed) {
    reader.fail("a timed metric cannot be gated by its suite: only an exact one can");
  }
  if (metric.judged && metric.kind == MetricKind::exact) {
    reader.fail("an exact metric cannot be judged beside the primary one: only a timed one can");
  }
  return metric;
}

Claim read_claim(json::JsonReader& reader) {
  Claim claim;
  reader.object({"case", "metric", "relation", "ratio", "text"}, [&](std::string_view key) {
    if (key == "case")
      claim.case_name = read_name(reader);
    else if (key == "reference_case")
      claim.reference_case = read_name(reader);
    else if (key == "metric")
      claim.metric = read_name(reader);
    else if (key == "quantile")
      claim.quantile = read_enum(reader, quantile_names);
    else if (key == "reference_metric")
      claim.reference_metric = read_name(reader);
    else if (key == "reference_quantile")
      claim.reference_quantile = read_enum(reader, quantile_names);
    else if (key == "limit")
      claim.limit = read_positive(reader);
    else if (key == "relation")
      claim.relation = read_enum(reader, relation_names);
    else if (key == "ratio")
      claim.ratio = read_positive(reader);
    else if (key == "per_item")
      claim.per_item = reader.boolean();
    else if (key == "text")
      claim.text = reader.string();
    else
      reader.skip();
  });
  if (!reader.failed() && claim.limit.has_value() != claim.reference_case.empty())
    reader.fail("a claim compares with either a \"reference_case\" or a \"limit\"");
  return claim;
}

Group read_group(json::JsonReader& reader) {
  Group group;
  reader.object({"name", "suite", "claims"}, [&](std::string_view key) {
    if (key == "name")
      group.name = read_name(reader);
    else if (key == "suite")
      group.suite = reader.name();
    else if (key == "reference")
      group.reference = reader.name();
    else if (key == "ranks")
      group.ranks = reader.integer(1, base::max_ranks);
    else if (key == "claims")
      reader.array(base::max_claims, [&](std::int64_t) { group.claims.push_back(read_claim(reader)); });
    else
      reader.skip();
  });
  return group;
}

std::string read_device(json::JsonReader& reader) {
  std::string device = reader.string();
  if (device != "cpu" && device != "cuda") reader.fail("expected one of cpu, cuda, found " + base::in_quotes(device));
  return device;
}

std::vector<Metric> read_metrics_of_case(json::JsonReader& reader, const std::vector<Metric>& metrics,
                                         CopyBudget& copied) {
  std::vector<Metric> chosen;
  reader.array(base::max_metrics_of_case, [&](std::int64_t) {
    const std::int64_t position = reader.integer(0);
    if (position >= static_cast<std::int64_t>(metrics.size())) {
      reader.fail("expected a position in /metrics, which has " + std::to_string(metrics.size()) + ", found " +
                  std::to_string(position));
    }
    if (reader.failed()) return;
    const Metric& metric = metrics[static_cast<std::size_t>(position)];
    if (copied.take(reader, sizeof metric + metric.name.size() + metric.unit.size())) chosen.push_back(metric);
  });
  check_names_differ(reader, chosen);
  if (std::count_if(chosen.begin(), chosen.end(), [](const Metric& metric) { return metric.primary; }) > 1) {
    reader.fail("more than one primary metric");
  }
  return chosen;
}

Case read_case(json::JsonReader& reader, const std::vector<Metric>& metrics, CopyBudget& copied) {
  Case c;
  reader.object({"name", "suite", "group", "variant", "device", "protocol", "metrics"}, [&](std::string_view key) {
    if (key == "name")
      c.name = read_name(reader);
    else if (key == "suite")
      c.suite = reader.name();
    else if (key == "group")
      c.group = reader.name();
    else if (key == "variant")
      c.variant = reader.name();
    else if (key == "parameters")
      c.parameters = read_parameters(reader);
    else if (key == "device")
      c.device = read_device(reader);
    else if (key == "protocol")
      c.protocol = reader.name();
    else if (key == "input_seed")
      c.input_seed = reader.unsigned_integer();
    else if (key == "items_per_call")
      c.items_per_call = read_positive(reader);
    else if (key == "bytes_per_call")
      c.bytes_per_call = read_positive(reader);
    else if (key == "metrics")
      c.metrics = read_metrics_of_case(reader, metrics, copied);
    else if (key == "skipped")
      c.skipped = reader.string();
    else if (key == "ambiguous")
      c.ambiguous = reader.string();
    else if (key == "sides_differ")
      c.sides_differ = reader.string();
    else
      reader.skip();
  });
  return c;
}

}  // namespace

std::vector<Metric> read_metrics(json::JsonReader& reader) {
  std::vector<Metric> metrics;
  reader.array(base::max_metrics, [&](std::int64_t) { metrics.push_back(read_metric(reader)); });
  return metrics;
}

std::vector<Group> read_groups(json::JsonReader& reader) {
  std::vector<Group> groups;
  reader.array(base::max_groups, [&](std::int64_t) { groups.push_back(read_group(reader)); });
  check_names_differ(reader, groups);
  return groups;
}

std::vector<Case> read_cases(json::JsonReader& reader, const std::vector<Metric>& metrics, CopyBudget& copied) {
  std::vector<Case> cases;
  reader.array(base::max_cases, [&](std::int64_t) { cases.push_back(read_case(reader, metrics, copied)); });
  cases.shrink_to_fit();
  check_names_differ(reader, cases);
  return cases;
}

}  // namespace torchgate::record::internal
