// SPDX-License-Identifier: Apache-2.0
#include "baselines/postgresql/run_values.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/json/json_writer.hpp"
#include "harness/record/names.hpp"

namespace torchgate::baselines::postgresql {
namespace {

using Values = std::map<std::string_view, std::vector<double>>;  // by metric

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : std::midpoint(values[half - 1], values[half]);
}

std::map<std::string_view, Values> values_by_case(const record::Run& run) {
  std::map<std::string_view, Values> cases;
  for (const auto& process : run.processes) {
    if (process.status != record::ProcessStatus::ok) continue;
    for (const auto& result : process.cases) {
      for (const auto& measurement : result.measurements) {
        const auto value = measurement.summary ? std::optional(measurement.summary->median) : measurement.value;
        if (value && std::isfinite(*value)) cases[result.name][measurement.metric].push_back(*value);
      }
    }
  }
  return cases;
}

// PostgreSQL's text has no such character.
std::string without_nul(std::string_view text) {
  std::string copy(text);
  std::replace(copy.begin(), copy.end(), '\0', '?');
  return copy;
}

}  // namespace

std::string values_json(const record::Run& run) {
  json::JsonWriter json;
  json.begin_array();
  const auto cases = run.sides.size() == 1 ? values_by_case(run) : std::map<std::string_view, Values>();
  for (const auto& definition : run.cases) {
    const auto measured = cases.find(definition.name);
    if (measured == cases.end()) continue;
    for (const auto& metric : definition.metrics) {
      const auto values = measured->second.find(metric.name);
      if (values == measured->second.end()) continue;
      json.begin_object();
      json.member("case_name", without_nul(definition.name));
      json.member("metric", without_nul(metric.name));
      json.member("unit", without_nul(metric.unit));
      json.member("better", base::name_of(record::direction_names, metric.direction));
      json.member("kind", base::name_of(record::metric_kind_names, metric.kind));
      json.member("is_primary", metric.primary);
      json.member("value", median(values->second));
      json.member("processes", static_cast<std::int64_t>(values->second.size()));
      json.end_object();
    }
  }
  json.end_array();
  return json.take();
}

base::Result<void> insert_values(Session& session, const record::Run& run) {
  const std::string values = values_json(run);
  // In the order of their keys, so that two writers of the same new series do not wait for each other.
  const auto series = session.query(
      "INSERT INTO torchgate_series (key, case_name, metric, unit, better, kind, is_primary)"
      " SELECT key, case_name, metric, unit, better, kind, is_primary FROM ("
      "  SELECT DISTINCT ON (key) * FROM (SELECT *, encode(sha256(convert_to(concat_ws(chr(1), case_name, metric, unit,"
      "   better, kind, is_primary), 'UTF8')), 'hex') AS key"
      "   FROM json_to_recordset($1::json) AS given (case_name text, metric text, unit text, better text, kind text,"
      "    is_primary boolean)) AS keyed ORDER BY key) AS ordered"
      " WHERE NOT EXISTS (SELECT FROM torchgate_series known WHERE known.key = ordered.key)"
      " ORDER BY key ON CONFLICT (key) DO NOTHING",
      {text(values)});
  if (!series) return series.error();
  const auto added = session.query(
      "INSERT INTO torchgate_value (series, run, value, processes)"
      " SELECT s.number, r.number, given.value, given.processes"
      " FROM json_to_recordset($1::json) AS given (case_name text, metric text, unit text, better text, kind text,"
      "  is_primary boolean, value double precision, processes integer)"
      " JOIN torchgate_series s ON s.key = encode(sha256(convert_to(concat_ws(chr(1), given.case_name, given.metric,"
      "  given.unit, given.better, given.kind, given.is_primary), 'UTF8')), 'hex')"
      " JOIN torchgate_run r ON r.id = $2"
      " ON CONFLICT DO NOTHING",
      {text(values), text(run.id)});
  if (!added) return added.error();
  return {};
}

}  // namespace torchgate::baselines::postgresql
