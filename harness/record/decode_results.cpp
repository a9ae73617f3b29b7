// SPDX-License-Identifier: Apache-2.0
// What processes measured, from JSON, checked against the definitions of the cases.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "harness/base/counted.hpp"
#include "harness/record/internal/codec_parts.hpp"
#include "harness/record/internal/enum_names.hpp"
#include "harness/record/internal/measurement_rules.hpp"
#include "harness/record/internal/summary_columns.hpp"

namespace torchgate::record::internal {
namespace {

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

void check_summary(json::JsonReader& reader, const SampleSummary& s, const Metric& metric) {
  if (reader.failed()) return;
  if (s.n == 1 && s.sd) reader.fail("inconsistent: one sample has no standard deviation (sd)");
  if (s.sd && *s.sd < 0) reader.fail("inconsistent: the standard deviation (sd) is negative");
  if (s.lag1 && std::abs(*s.lag1) > 1 + rounding) reader.fail("inconsistent: a correlation (lag1) is within -1 and 1");
  if (!ascending({s.min, s.p25, s.median, s.p75, s.p95, s.p99, s.max}) || !ascending({s.min, s.mean, s.max})) {
    reader.fail("inconsistent: expected min <= p25 <= median <= p75 <= p95 <= p99 <= max, and the mean among them");
  }
  if (s.min < 0 && !can_be_negative(metric)) {
    reader.fail("expected no negative value of " + base::in_quotes(metric.name) + " in " +
                base::in_quotes(metric.unit));
  }
}

void read_summary_value(json::JsonReader& reader, const SummaryColumn& column, SampleSummary& summary) {
  const bool absent = reader.null();
  std::visit(
      [&](auto field) {
        auto& value = summary.*field;
        if constexpr (requires { value.reset(); }) {
          if (!absent) value = reader.number();
        } else {
          if (absent) return reader.fail("expected a number for " + std::string(column.name) + ", found null");
          if constexpr (std::is_same_v<decltype(value), std::int64_t&>) {
            value = reader.integer(1, base::max_count);
          } else {
            value = reader.number();
          }
        }
      },
      column.field);
}

SampleSummary read_summary(json::JsonReader& reader, const SummaryColumns& columns, const Metric& metric) {
  SampleSummary summary;
  const auto count = static_cast<std::int64_t>(columns.size());
  std::int64_t read = 0;
  reader.array([&](std::int64_t index) {
    if (index >= count) return reader.fail("more values than /summary_columns lists");
    const int column = columns[static_cast<std::size_t>(index)];
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
  check_summary(reader, summary, metric);
  return summary;
}

double read_value(json::JsonReader& reader, const Metric& metric) {
  const double value = reader.number();
  if (value < 0 && !can_be_negative(metric)) {
    reader.fail("expected no negative value of " + base::in_quotes(metric.name) + " in " +
                base::in_quotes(metric.unit));
  }
  return value;
}

TurnTimes read_turns(json::JsonReader& reader, const Metric& metric) {
  TurnTimes turns;
  reader.object({"floor", "means", "counts"}, [&](std::string_view key) {
    if (key == "floor")
      turns.floor = read_value(reader, metric);
    else if (key == "means")
      reader.array(base::max_turns, [&](std::int64_t) { turns.means.push_back(read_value(reader, metric)); });
    else if (key == "counts")
      reader.array(base::max_turns, [&](std::int64_t) { turns.counts.push_back(reader.integer(1, base::max_turns)); });
    else
      reader.skip();
  });
  if (turns.means.empty() || turns.means.size() != turns.counts.size())
    reader.fail("expected a mean and a count of each turn, found " +
                base::counted(turns.means.size(), "mean", "means") + " and " +
                base::counted(turns.counts.size(), "count", "counts"));
  return turns;
}

Measurement read_measurement(json::JsonReader& reader, const Metric& metric, const SummaryColumns& columns) {
  Measurement measurement;
  measurement.metric = metric.name;
  switch (reader.peek()) {
    case json::JsonReader::Kind::array:
      measurement.summary = read_summary(reader, columns, metric);
      break;
    case json::JsonReader::Kind::object:
      reader.object({}, [&](std::string_view key) {
        if (key == "summary")
          measurement.summary = read_summary(reader, columns, metric);
        else if (key == "value")
          measurement.value = read_value(reader, metric);
        else if (key == "samples")
          reader.array([&](std::int64_t) { measurement.samples.push_back(read_value(reader, metric)); });
        else if (key == "turns")
          measurement.turns = read_turns(reader, metric);
        else
          reader.skip();
      });
      break;
    default:
      measurement.value = read_value(reader, metric);
  }
  if (metric.kind == MetricKind::timed && measurement.value) {
    reader.fail("expected a summary: " + base::in_quotes(metric.name) +
                " is timed, and a single value does not show its noise");
  }
  if (metric.kind == MetricKind::exact &&
      (!measurement.value || measurement.summary || !measurement.samples.empty() || measurement.turns)) {
    reader.fail("expected one value and nothing else: " + base::in_quotes(metric.name) + " is exact");
  }
  return measurement;
}

std::vector<Measurement> read_measurements(json::JsonReader& reader, const Case& c, const SummaryColumns& columns) {
  std::vector<Measurement> measurements;
  auto next = c.metrics.begin();  // they stand in the order of the case's, nearly always
  reader.object({}, [&](std::string_view name) {
    const auto is_it = [&](const Metric& m) { return m.name == name; };
    const auto metric =
        next != c.metrics.end() && is_it(*next) ? next : std::find_if(c.metrics.begin(), c.metrics.end(), is_it);
    if (metric == c.metrics.end()) {
      return reader.fail("the case " + base::in_quotes(c.name) + " has no metric " + base::in_quotes(name));
    }
    next = metric + 1;
    measurements.push_back(read_measurement(reader, *metric, columns));
  });
  return measurements;
}

const Case* read_case_position(json::JsonReader& reader, const std::vector<Case>& cases) {
  if (reader.peek() == json::JsonReader::Kind::string) {
    reader.fail("expected a position in /cases, and no case of this document is called " +
                base::in_quotes(reader.string()));
  }
  const std::int64_t position = reader.integer(0);
  if (position >= static_cast<std::int64_t>(cases.size())) {
    reader.fail("expected a position in /cases, which has " + std::to_string(cases.size()) + ", found " +
                std::to_string(position));
  }
  return reader.failed() ? nullptr : &cases[static_cast<std::size_t>(position)];
}

// Null stands for "not finite": the output held NaN or infinity, so that no number bounds how far off it is.
double read_deviation(json::JsonReader& reader) {
  if (reader.null()) return std::numeric_limits<double>::infinity();
  const double value = reader.number();
  if (value < 0) reader.fail("expected a number of at least 0");
  return value;
}

OutputCheck read_check(json::JsonReader& reader, const std::vector<Case>& cases, CopyBudget& copied) {
  OutputCheck check;
  reader.object({"against", "max_abs", "relative_l2", "tolerance", "within"}, [&](std::string_view key) {
    if (key == "against") {
      if (reader.peek() == json::JsonReader::Kind::string) {
        check.against = reader.name();
      } else if (const Case* reference = read_case_position(reader, cases)) {
        if (copied.take(reader, reference->name.size())) check.against = reference->name;
      }
    } else if (key == "max_abs")
      check.max_abs = read_deviation(reader);
    else if (key == "relative_l2")
      check.relative_l2 = read_deviation(reader);
    else if (key == "cosine")
      check.cosine = reader.number();
    else if (key == "tolerance")
      check.tolerance = read_deviation(reader);
    else if (key == "within")
      check.within = reader.boolean();
    else
      reader.skip();
  });
  return check;
}

PathProof read_proof(json::JsonReader& reader) {
  PathProof proof;
  reader.object({"expectation", "observed", "holds"}, [&](std::string_view key) {
    if (key == "expectation")
      proof.expectation = reader.string();
    else if (key == "observed")
      proof.observed = reader.integer(0, base::max_count);
    else if (key == "holds")
      proof.holds = reader.boolean();
    else
      reader.skip();
  });
  return proof;
}

void check_sample_counts(json::JsonReader& reader, const CaseResult& result) {
  for (const Measurement& m : result.measurements) {
    const std::size_t count = m.samples.size();
    if (count > 0 && !sample_count_fits(count, m, result)) {
      reader.fail_at("measurements", "inconsistent: " + base::counted(count, "sample", "samples") + " of " +
                                         base::in_quotes(m.metric) +
                                         ", but its summary has n = " + std::to_string(m.summary->n));
    }
  }
}

CaseResult read_result(json::JsonReader& reader, const ResultContext& context, const Case*& measured) {
  CaseResult result;
  measured = nullptr;
  std::size_t measurements_at = 0;
  bool passed_over = false;
  reader.object({"case", "calls_per_sample", "measurements"}, [&](std::string_view key) {
    if (key == "case")
      measured = read_case_position(reader, context.cases);
    else if (key == "status")
      result.status = read_enum(reader, case_status_names);
    else if (key == "message")
      result.message = reader.string();
    else if (key == "calls_per_sample")
      result.calls_per_sample = reader.integer(1, base::max_count);
    else if (key == "warmup_calls")
      result.warmup_calls = reader.integer(0, base::max_count);
    else if (key == "steady")
      result.steady = reader.boolean();
    else if (key == "discarded_samples")
      result.discarded_samples = reader.integer(0, base::max_count);
    else if (key == "discard_reason")
      result.discard_reason = reader.string();
    else if (key == "check")
      result.check = read_check(reader, context.cases, context.copied);
    else if (key == "proofs")
      reader.array(base::max_claims, [&](std::int64_t) { result.proofs.push_back(read_proof(reader)); });
    else if (key == "profile")
      result.profile = read_profile(reader, context.operators, context.copied);
    else if (key == "measurements" && measured != nullptr) {
      result.measurements = read_measurements(reader, *measured, context.columns);
    } else {
      passed_over = passed_over || key == "measurements";
      if (key == "measurements") measurements_at = reader.position();
      reader.skip();
    }
  });
  if (reader.failed() || measured == nullptr) return result;  // without "case" it has failed
  if (!context.copied.take(reader, measured->name.size())) return result;
  result.name = measured->name;
  if (passed_over) {
    reader.again(measurements_at, "measurements",
                 [&] { result.measurements = read_measurements(reader, *measured, context.columns); });
  }
  if (result.status != CaseStatus::ok && !result.measurements.empty()) {
    reader.fail_at("measurements", "expected none: a case that is " +
                                       std::string(name_of(case_status_names, result.status)) + " has no measurements");
  }
  check_sample_counts(reader, result);
  return result;
}

// Fails at the second of two results of one case. The reader stands at the list.
void check_each_once(json::JsonReader& reader, const std::vector<const Case*>& measured) {
  std::vector<const Case*> sorted = measured;  // they nearly always are: in the order of the cases
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return;
  std::unordered_set<const Case*> before;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (before.insert(measured[i]).second) continue;
    return reader.fail_at(std::to_string(i), "duplicate case " + base::in_quotes(measured[i]->name));
  }
}

}  // namespace

SummaryColumns read_summary_columns(json::JsonReader& reader) {
  SummaryColumns columns;
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
    const bool optional = std::holds_alternative<std::optional<double> SampleSummary::*>(summary_columns[i].field);
    if (!named[i] && !optional) reader.fail("missing column " + base::in_quotes(summary_columns[i].name));
  }
  return columns;
}

std::vector<CaseResult> read_results(json::JsonReader& reader, const ResultContext& context) {
  std::vector<CaseResult> results;
  std::vector<const Case*> measured;
  reader.array([&](std::int64_t) { results.push_back(read_result(reader, context, measured.emplace_back())); });
  results.shrink_to_fit();  // tens of thousands: what growing left over would be a third of a run's memory
  if (!reader.failed()) check_each_once(reader, measured);
  return results;
}

}  // namespace torchgate::record::internal
