// SPDX-License-Identifier: Apache-2.0
// What processes measured, checked against the definitions of the cases.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>
#include <variant>

#include "harness/base/counted.hpp"
#include "harness/record/internal/document.hpp"

namespace torchgate::record::internal {
namespace {

using json::object_of;
using json::optional;
using json::required;

// The context in which a measurement is read.
struct MeasuredMetric {
  const Metric& metric;
  const std::vector<int>& columns;
};

// --- summaries -----------------------------------------------------------------------------------------------------

// A summary on disk is an array; its columns are named once per document, in this order when we write it.
struct SummaryColumn {
  std::string_view name;
  std::variant<std::int64_t SampleSummary::*, double SampleSummary::*, std::optional<double> SampleSummary::*> member;
};

constexpr std::array<SummaryColumn, 11> summary_columns{{
    {"n", &SampleSummary::n},
    {"mean", &SampleSummary::mean},
    {"sd", &SampleSummary::sd},
    {"min", &SampleSummary::min},
    {"p25", &SampleSummary::p25},
    {"median", &SampleSummary::median},
    {"p75", &SampleSummary::p75},
    {"p95", &SampleSummary::p95},
    {"p99", &SampleSummary::p99},
    {"max", &SampleSummary::max},
    {"lag1", &SampleSummary::lag1},
}};

// Interpolated quantiles and the mean may miss the neighbour they equal by a rounding error, not by more.
constexpr double rounding = 1e-9;

bool ascending(std::initializer_list<std::optional<double>> values) {
  std::optional<double> before;
  for (const std::optional<double>& value : values) {
    if (!value) continue;
    if (before && *before > *value + rounding * std::abs(*value)) return false;
    before = value;
  }
  return true;
}

void check_not_negative(JsonReader& reader, double value, const Metric& metric) {
  if (value < 0 && !can_be_negative(metric))
    reader.fail("expected no negative value of " + base::in_quotes(metric.name) + " in " +
                base::in_quotes(metric.unit));
}

void check_summary(JsonReader& reader, const SampleSummary& s, const Metric& metric) {
  if (reader.failed()) return;
  if (s.n == 1 && s.sd) reader.fail("inconsistent: one sample has no standard deviation (sd)");
  if (s.sd && *s.sd < 0) reader.fail("inconsistent: the standard deviation (sd) is negative");
  if (s.lag1 && std::abs(*s.lag1) > 1 + rounding) reader.fail("inconsistent: a correlation (lag1) is within -1 and 1");
  if (!ascending({s.min, s.p25, s.median, s.p75, s.p95, s.p99, s.max}) || !ascending({s.min, s.mean, s.max})) {
    reader.fail("inconsistent: expected min <= p25 <= median <= p75 <= p95 <= p99 <= max, and the mean among them");
  }
  check_not_negative(reader, s.min, metric);
}

void read_summary_value(JsonReader& reader, const SummaryColumn& column, SampleSummary& summary) {
  const bool absent = reader.null();
  std::visit(
      [&](auto member) {
        auto& value = summary.*member;
        if constexpr (requires { value.reset(); }) {
          if (!absent) value = reader.number();
        } else {
          if (absent) return reader.fail("expected a number for " + std::string(column.name) + ", found null");
          if constexpr (std::is_same_v<decltype(value), std::int64_t&>) {
            value = counted_from_1(reader);
          } else {
            value = reader.number();
          }
        }
      },
      column.member);
}

SampleSummary read_summary(JsonReader& reader, const MeasuredMetric& of) {
  SampleSummary summary;
  const auto count = static_cast<std::int64_t>(of.columns.size());
  std::int64_t read = 0;
  reader.array([&](std::int64_t index) {
    if (index >= count) return reader.fail("more values than /summary_columns lists");
    const int column = of.columns[static_cast<std::size_t>(index)];
    if (column < 0) {
      reader.skip();
    } else {
      read_summary_value(reader, summary_columns[static_cast<std::size_t>(column)], summary);
    }
    ++read;
  });
  if (read < count) {
    reader.fail("expected " + std::to_string(count) + " values as listed in /summary_columns, found " +
                std::to_string(read));
  }
  check_summary(reader, summary, of.metric);
  return summary;
}

void write_summary(JsonWriter& json, const SampleSummary& summary) {
  json.begin_array();
  for (const SummaryColumn& column : summary_columns)
    std::visit([&](auto member) { json.value(summary.*member); }, column.member);
  json.end_array();
}

// --- measurements --------------------------------------------------------------------------------------------------

double read_value(JsonReader& reader, const MeasuredMetric& of) {
  const double value = reader.number();
  check_not_negative(reader, value, of.metric);
  return value;
}

void check_turns(JsonReader& reader, const TurnTimes& turns) {
  if (turns.means.empty() || turns.means.size() != turns.counts.size())
    reader.fail("expected a mean and a count of each turn, found " +
                base::counted(turns.means.size(), "mean", "means") + " and " +
                base::counted(turns.counts.size(), "count", "counts"));
}

constexpr json::Table turn_fields{
    json::checked<TurnTimes>(check_turns),
    required("floor", &TurnTimes::floor, read_value),
    required("means", &TurnTimes::means, json::list_of(base::max_turns, read_value)),
    required("counts", &TurnTimes::counts, json::list_of(base::max_turns, json::integer(1, base::max_turns))),
};

bool with_samples(const Measurement& measurement, const Writing& context) {
  return context.samples == Samples::written && !measurement.samples.empty();
}

constexpr json::Table measurement_fields{
    json::of<Measurement>,
    optional("summary", &Measurement::summary, json::form(read_summary, write_summary)),
    optional("value", &Measurement::value, read_value),
    optional("samples", &Measurement::samples, json::list_of(json::max_json_elements, read_value)).where(with_samples),
    optional("turns", &Measurement::turns, object_of<turn_fields>),
};

void check_measurement(JsonReader& reader, const Measurement& measurement, const Metric& metric) {
  if (metric.kind == MetricKind::timed && measurement.value) {
    reader.fail("expected a summary: " + base::in_quotes(metric.name) +
                " is timed, and a single value does not show its noise");
  }
  if (metric.kind == MetricKind::exact &&
      (!measurement.value || measurement.summary || !measurement.samples.empty() || measurement.turns)) {
    reader.fail("expected one value and nothing else: " + base::in_quotes(metric.name) + " is exact");
  }
}

// Nearly all there is are two short forms: a summary is an array, an exact value a number.
Measurement read_measurement(JsonReader& reader, const MeasuredMetric& of) {
  Measurement measurement;
  measurement.metric = of.metric.name;
  switch (reader.peek()) {
    case JsonReader::Kind::array:
      measurement.summary = read_summary(reader, of);
      break;
    case JsonReader::Kind::object:
      json::read_members<measurement_fields>(reader, measurement, of);
      break;
    default:
      measurement.value = read_value(reader, of);
  }
  check_measurement(reader, measurement, of.metric);
  return measurement;
}

void write_measurement(JsonWriter& json, const Measurement& measurement, const Writing& context) {
  const bool has_more = with_samples(measurement, context);
  if (!has_more && measurement.summary && !measurement.value && !measurement.turns)
    return write_summary(json, *measurement.summary);
  if (!has_more && measurement.value && !measurement.summary) return json.value(*measurement.value);
  object_of<measurement_fields>.write(json, measurement, context);
}

std::vector<Measurement> read_measurements(JsonReader& reader, Reading& context) {
  std::vector<Measurement> measurements;
  const Case& c = *context.measured.back();
  auto next = c.metrics.begin();  // they stand in the order of the case's, nearly always
  reader.object({}, [&](std::string_view name) {
    const auto is_it = [&](const Metric& m) { return m.name == name; };
    const auto metric =
        next != c.metrics.end() && is_it(*next) ? next : std::find_if(c.metrics.begin(), c.metrics.end(), is_it);
    if (metric == c.metrics.end())
      return reader.fail("the case " + base::in_quotes(c.name) + " has no metric " + base::in_quotes(name));
    next = metric + 1;
    measurements.push_back(read_measurement(reader, {*metric, context.columns}));
  });
  return measurements;
}

void write_measurements(JsonWriter& json, const std::vector<Measurement>& measurements, const Writing& context) {
  json.begin_object();
  for (const Measurement& measurement : measurements) {
    json.key_of(measurement.metric);
    write_measurement(json, measurement, context);
  }
  json.end_object();
}

// --- results -------------------------------------------------------------------------------------------------------

const Case* case_at_position(JsonReader& reader, const std::vector<Case>& cases) {
  if (reader.peek() == JsonReader::Kind::string) {
    reader.fail("expected a position in /cases, and no case of this document is called " +
                base::in_quotes(reader.string()));
  }
  const std::int64_t position = reader.integer(0);
  check_position(reader, position, "/cases", cases.size());
  return reader.failed() ? nullptr : &cases[static_cast<std::size_t>(position)];
}

std::string read_measured_case(JsonReader& reader, Reading& context) {
  const Case* const measured = case_at_position(reader, context.cases);
  if (measured == nullptr || !context.copied.take(reader, measured->name.size())) return {};
  context.measured.push_back(measured);
  return measured->name;
}

// An output may have been checked against a case that was filtered out: that one is named.
std::string read_reference(JsonReader& reader, Reading& context) {
  if (reader.peek() == JsonReader::Kind::string) return reader.name();
  const Case* const reference = case_at_position(reader, context.cases);
  return reference != nullptr && context.copied.take(reader, reference->name.size()) ? reference->name : "";
}

void write_case(JsonWriter& json, const std::string& name, const Writing& context) {
  const auto position = context.position_of_case(name);
  position ? json.value(*position) : json.value(name);
}

// Null stands for "not finite": the output held NaN or infinity, so that no number bounds how far off it is.
double read_deviation(JsonReader& reader) {
  return reader.null() ? std::numeric_limits<double>::infinity() : at_least_0(reader);
}

constexpr json::Table check_fields{
    json::of<OutputCheck>,
    required("against", &OutputCheck::against, json::form(read_reference, write_case)),
    required("max_abs", &OutputCheck::max_abs, read_deviation),
    required("relative_l2", &OutputCheck::relative_l2, read_deviation),
    optional("cosine", &OutputCheck::cosine, [](JsonReader& reader) { return reader.number(); })
        .where([](const OutputCheck& check) { return check.cosine && std::isfinite(*check.cosine); }),
    required("tolerance", &OutputCheck::tolerance, read_deviation),
    required("within", &OutputCheck::within, json::flag),
};

constexpr json::Table proof_fields{
    json::of<PathProof>,
    required("expectation", &PathProof::expectation, json::text),
    required("observed", &PathProof::observed, counted),
    required("holds", &PathProof::holds, json::flag),
};

void check_result(JsonReader& reader, const CaseResult& result) {
  if (result.status != CaseStatus::ok && !result.measurements.empty()) {
    reader.fail_at("measurements", "expected none: a case that is " +
                                       std::string(base::name_of(case_status_names, result.status)) +
                                       " has no measurements");
  }
  for (const Measurement& m : result.measurements) {
    const std::size_t count = m.samples.size();
    if (count > 0 && !sample_count_fits(count, m, result)) {
      reader.fail_at("measurements", "inconsistent: " + base::counted(count, "sample", "samples") + " of " +
                                         base::in_quotes(m.metric) +
                                         ", but its summary has n = " + std::to_string(m.summary->n));
    }
  }
}

constexpr json::Table result_fields{
    json::checked<CaseResult>(check_result),
    required("case", &CaseResult::name, json::form(read_measured_case, write_case)),
    optional("status", &CaseResult::status, word<case_status_names>),
    optional("message", &CaseResult::message, json::text),
    required("calls_per_sample", &CaseResult::calls_per_sample, counted_from_1),
    optional("warmup_calls", &CaseResult::warmup_calls, counted),
    optional("steady", &CaseResult::steady, json::flag),
    optional("discarded_samples", &CaseResult::discarded_samples, counted),
    optional("discard_reason", &CaseResult::discard_reason, json::text),
    optional("check", &CaseResult::check, object_of<check_fields>),
    optional("proofs", &CaseResult::proofs, json::list_of(base::max_claims, object_of<proof_fields>)),
    required("measurements", &CaseResult::measurements, json::form(read_measurements, write_measurements)).at_stage(1),
    optional("profile", &CaseResult::profile, part(profile_part)),
    optional("only_summary", &CaseResult::only_summary, json::flag),
    optional("measured_at", &CaseResult::measured_at, timestamp),
};

// Fails at the second of two results of one case. The reader stands at the list.
void check_results(JsonReader& reader, std::vector<CaseResult>& results, Reading& context) {
  results.shrink_to_fit();  // tens of thousands: what growing left over would be a third of a run's memory
  const std::vector<const Case*> measured = std::exchange(context.measured, {});
  std::vector<const Case*> sorted = measured;  // they nearly always are: in the order of the cases
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return;
  std::unordered_set<const Case*> before;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (!before.insert(measured[i]).second)
      reader.fail_at(std::to_string(i), "duplicate case " + base::in_quotes(measured[i]->name));
  }
}

constexpr auto result_list = json::list_of(json::max_json_elements, object_of<result_fields>, check_results);

}  // namespace

std::vector<int> read_summary_columns(JsonReader& reader) {
  std::vector<int> columns;
  std::array<bool, summary_columns.size()> named{};
  reader.array(base::max_summary_columns, [&](std::int64_t) {
    const std::string name = reader.name();
    const auto known = std::find_if(summary_columns.begin(), summary_columns.end(),
                                    [&](const SummaryColumn& column) { return column.name == name; });
    const auto position = static_cast<std::size_t>(known - summary_columns.begin());
    if (known == summary_columns.end()) {
      columns.push_back(-1);
    } else if (named[position]) {
      reader.fail("duplicate column " + base::in_quotes(name));
    } else {
      named[position] = true;
      columns.push_back(static_cast<int>(position));
    }
  });
  for (std::size_t i = 0; i < summary_columns.size(); ++i) {
    const bool optional = std::holds_alternative<std::optional<double> SampleSummary::*>(summary_columns[i].member);
    if (!named[i] && !optional) reader.fail("missing column " + base::in_quotes(summary_columns[i].name));
  }
  return columns;
}

std::vector<std::string_view> summary_column_names() {
  std::vector<std::string_view> names;
  names.reserve(summary_columns.size());
  for (const SummaryColumn& column : summary_columns) names.push_back(column.name);
  return names;
}

constexpr Part<std::vector<CaseResult>> results_part = part_of<std::vector<CaseResult>, result_list>;

}  // namespace torchgate::record::internal
