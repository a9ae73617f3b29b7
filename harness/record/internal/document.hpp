// SPDX-License-Identifier: Apache-2.0
// What the parts of a document have in common: the lists that they refer to by position, and the forms of their values. README.md is the
// schema; the tables are in *_fields.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/json/fields.hpp"
#include "harness/record/names.hpp"
#include "harness/record/run.hpp"

namespace torchgate::record::internal {

// The forms of most values.
using json::above_0, json::all_differ, json::at_least_0, json::counted, json::counted_from_1, json::hex, json::in_bytes,
    json::in_ns, json::in_seconds, json::run_id, json::sha256, json::some_name, json::timestamp, json::word;
using json::JsonReader;
using json::JsonWriter;

// --- what parts refer to -------------------------------------------------------------------------------------------

/// How many more bytes of its own names a document may copy (limits.hpp).
class CopyBudget {
 public:
  explicit CopyBudget(std::size_t text_bytes)
      : left_(base::max_copied_bytes + base::max_copied_bytes_per_byte * text_bytes) {}
  /// False, and the reader has failed, when BYTES are more than is left.
  bool take(JsonReader& reader, std::size_t bytes);

 private:
  std::size_t left_;
};

/// While a document is read. Its lists are complete before anything that refers to them is read.
struct Reading {
  const std::vector<Case>& cases;
  const Run* run;  ///< of a process report: nullptr
  CopyBudget copied;
  std::vector<Metric> metrics = {};
  std::vector<OperatorUse> operators = {};  ///< name and inputs, no numbers
  std::vector<int> columns =
      {};  ///< of summaries, as positions in those that this version knows; -1: of a later version, ignored
  std::vector<const Case*> measured = {};  ///< of the list of results that is read; the last is the result's own
};

enum class Samples { written, left_out };

/// While a document is written: each distinct metric and operator once, since thousands of cases share the same few.
class Writing {
 public:
  /// CASES, and what is added, must outlive this.
  Writing(const std::vector<Case>& cases, Samples with_samples);
  void add_operators(const std::vector<CaseResult>& results);

  /// REQUIRES: METRIC is one of a case.
  [[nodiscard]] std::int64_t position_of(const Metric& metric) const;
  /// REQUIRES: it was added.
  [[nodiscard]] std::int64_t position_of(const OperatorUse& use) const;
  /// Absent: no case of the document has that name.
  [[nodiscard]] std::optional<std::int64_t> position_of_case(std::string_view name) const;

  Samples samples;
  std::vector<Metric> metrics;
  std::vector<OperatorUse> operators;
  std::vector<std::string_view> columns;  ///< names, in the order in which they are written

 private:
  using OperatorKey = std::pair<std::string_view, std::string_view>;  // name and inputs

  std::map<Metric, std::int64_t> metric_positions_;
  std::map<OperatorKey, std::int64_t> operator_positions_;
  std::unordered_map<std::string_view, std::int64_t> case_positions_;
};

// --- rules of measurements, in the record and in the samples file ------------------------------------------------------

/// Times and counts cannot be negative; a timed value in a unit of its own (a leak in bytes per call) can.
inline bool can_be_negative(const Metric& metric) {
  const bool is_time = metric.unit == "ns" || metric.unit == "us" || metric.unit == "ms" || metric.unit == "s";
  return metric.kind == MetricKind::timed && !is_time;
}

/// Raw samples are those that the summary is of, and the discarded ones where they were kept.
inline bool sample_count_fits(std::size_t samples, const Measurement& measurement, const CaseResult& result) {
  const auto count = static_cast<std::int64_t>(samples);
  return !measurement.summary ||
         (count >= measurement.summary->n && count - measurement.summary->n <= result.discarded_samples);
}

// --- forms of values -----------------------------------------------------------------------------------------------

std::vector<Parameter> read_parameters(JsonReader& reader);
void write_parameters(JsonWriter& json, const std::vector<Parameter>& parameters);
inline constexpr auto parameter_object = json::form(read_parameters, write_parameters);

/// Fails unless POSITION is one of SIZE in the list at PLACE ("/sides").
void check_position(JsonReader& reader, std::int64_t position, std::string_view place, std::size_t size);

std::vector<std::int64_t> read_positions(JsonReader& reader, std::string_view place, std::size_t size,
                                         CopyBudget& copied);
void write_positions(JsonWriter& json, const std::vector<std::int64_t>& positions);
/// Positions in a list of the run; three or more ascending neighbours as [first, last].
template <class T>
constexpr auto positions_in(std::string_view place, std::vector<T> Run::*list) {
  return json::form(
      [=](JsonReader& reader, Reading& context) {
        return read_positions(reader, place, (context.run->*list).size(), context.copied);
      },
      write_positions);
}

// --- forms of parts, each with its table in a file of its own ------------------------------------------------------

/// Its functions are those of a form that has the same context in all files.
template <class T>
struct Part {
  T (*read)(JsonReader& reader, Reading& context);
  void (*write)(JsonWriter& json, const T& value, const Writing& context);
};
template <class T, const auto& PartForm>
inline constexpr Part<T> part_of{
    [](JsonReader& reader, Reading& context) { return PartForm.read(reader, context); },
    [](JsonWriter& json, const T& value, const Writing& context) { PartForm.write(json, value, context); }};

extern const Part<std::vector<Metric>> metrics_part;
extern const Part<std::vector<Group>> groups_part;
extern const Part<std::vector<Case>> cases_part;
extern const Part<std::vector<LoadedObject>> objects_part;
extern const Part<std::vector<Process>> processes_part;
extern const Part<std::vector<CaseResult>> results_part;
extern const Part<std::vector<OperatorUse>> operators_part;
extern const Part<OperatorProfile> profile_part;
extern const Part<std::vector<InstructionCount>> instructions_part;
extern const Part<std::vector<CodeComparison>> code_part;

/// The form of a part that has its table in another file.
template <class T>
constexpr auto part(const Part<T>& elsewhere) {
  return json::form([form = &elsewhere](JsonReader& reader, Reading& context) { return form->read(reader, context); },
                    [form = &elsewhere](JsonWriter& json, const T& value, const Writing& context) {
                      form->write(json, value, context);
                    });
}

/// Of summaries: see Reading::columns, Writing::columns.
std::vector<int> read_summary_columns(JsonReader& reader);
std::vector<std::string_view> summary_column_names();

}  // namespace torchgate::record::internal
