// SPDX-License-Identifier: Apache-2.0
// Metrics, groups and cases.
#include <algorithm>

#include "harness/record/internal/document.hpp"

namespace torchgate::record::internal {
namespace {

using json::object_of;
using json::optional;
using json::required;

// --- metrics -------------------------------------------------------------------------------------------------------

void check_metric(JsonReader& reader, const Metric& metric) {
  if (metric.primary && metric.kind == MetricKind::exact)
    reader.fail("an exact metric cannot be primary: the primary metric is the timed one that is gated");
  if (metric.gated && metric.kind == MetricKind::timed)
    reader.fail("a timed metric cannot be gated by its suite: only an exact one can");
  if (metric.judged && metric.kind == MetricKind::exact)
    reader.fail("an exact metric cannot be judged beside the primary one: only a timed one can");
}

constexpr json::Table metric_fields{
    json::checked<Metric>(check_metric),
    required("name", &Metric::name, some_name),
    required("unit", &Metric::unit, json::name),
    required("better", &Metric::direction, word<direction_names>),
    required("kind", &Metric::kind, word<metric_kind_names>),
    optional("primary", &Metric::primary, json::flag),
    optional("gated", &Metric::gated, json::flag),
    optional("judged", &Metric::judged, json::flag),
    optional("clock", &Metric::clock, word<clock_names>),
};

constexpr auto metric_list = json::list_of(base::max_metrics, object_of<metric_fields>);

// --- groups --------------------------------------------------------------------------------------------------------

void check_claim(JsonReader& reader, const Claim& claim) {
  if (claim.limit.has_value() != claim.reference_case.empty())
    reader.fail("a claim compares with either a \"reference_case\" or a \"limit\"");
}

constexpr json::Table claim_fields{
    json::checked<Claim>(check_claim),
    required("case", &Claim::case_name, some_name),
    optional("reference_case", &Claim::reference_case, some_name).where([](const Claim& claim) {
      return !claim.limit;
    }),
    required("metric", &Claim::metric, some_name),
    optional("quantile", &Claim::quantile, word<quantile_names>),
    optional("reference_metric", &Claim::reference_metric, some_name),
    optional("reference_quantile", &Claim::reference_quantile, word<quantile_names>),
    optional("limit", &Claim::limit, above_0),
    required("relation", &Claim::relation, word<relation_names>),
    required("ratio", &Claim::ratio, above_0),
    optional("per_item", &Claim::per_item, json::flag),
    required("text", &Claim::text, json::text),
    optional("not_claimed", &Claim::not_claimed, json::text),
};

constexpr json::Table group_fields{
    json::of<Group>,
    required("name", &Group::name, some_name),
    required("suite", &Group::suite, json::name),
    optional("reference", &Group::reference, json::name),
    optional("ranks", &Group::ranks, json::integer(1, base::max_ranks)).where([](const Group& group) {
      return group.ranks != 1;
    }),
    required("claims", &Group::claims, json::list_of(base::max_claims, object_of<claim_fields>)),
};

constexpr auto group_list = json::list_of(base::max_groups, object_of<group_fields>, all_differ("name", &Group::name));

// --- cases ---------------------------------------------------------------------------------------------------------

std::string device(JsonReader& reader) {
  std::string name = reader.string();
  if (name != "cpu" && name != "cuda") reader.fail("expected one of cpu, cuda, found " + base::in_quotes(name));
  return name;
}

Metric metric_at_position(JsonReader& reader, Reading& context) {
  const std::int64_t position = reader.integer(0);
  check_position(reader, position, "/metrics", context.metrics.size());
  if (reader.failed()) return {};
  const Metric& metric = context.metrics[static_cast<std::size_t>(position)];
  return context.copied.take(reader, sizeof metric + metric.name.size() + metric.unit.size()) ? metric : Metric{};
}

void write_position_of_metric(JsonWriter& json, const Metric& metric, const Writing& context) {
  json.value(context.position_of(metric));
}

void check_metrics_of_case(JsonReader& reader, const std::vector<Metric>& metrics) {
  all_differ("name", &Metric::name)(reader, metrics);
  if (std::count_if(metrics.begin(), metrics.end(), [](const Metric& metric) { return metric.primary; }) > 1)
    reader.fail("more than one primary metric");
}

constexpr auto metrics_of_case = json::list_of(
    base::max_metrics_of_case, json::form(metric_at_position, write_position_of_metric), check_metrics_of_case);

constexpr json::Table case_fields{
    json::of<Case>,
    required("name", &Case::name, some_name),
    required("suite", &Case::suite, json::name),
    required("group", &Case::group, json::name),
    required("variant", &Case::variant, json::name),
    optional("parameters", &Case::parameters, parameter_object),
    required("device", &Case::device, device),
    required("protocol", &Case::protocol, json::name),
    optional("input_seed", &Case::input_seed, json::unsigned_integer),
    optional("items_per_call", &Case::items_per_call, above_0),
    optional("bytes_per_call", &Case::bytes_per_call, above_0),
    required("metrics", &Case::metrics, metrics_of_case),
    optional("skipped", &Case::skipped, json::text),
    optional("ambiguous", &Case::ambiguous, json::text),
    optional("sides_differ", &Case::sides_differ, json::text),
    optional("settings", &Case::settings, json::text),
    optional("other_name", &Case::other_name, json::text),
};

constexpr auto case_list =
    json::list_of(base::max_cases, object_of<case_fields>, [](JsonReader& reader, std::vector<Case>& cases) {
      cases.shrink_to_fit();
      all_differ("name", &Case::name)(reader, cases);
    });

}  // namespace

constexpr Part<std::vector<Metric>> metrics_part = part_of<std::vector<Metric>, metric_list>;
constexpr Part<std::vector<Group>> groups_part = part_of<std::vector<Group>, group_list>;
constexpr Part<std::vector<Case>> cases_part = part_of<std::vector<Case>, case_list>;

}  // namespace torchgate::record::internal
