// SPDX-License-Identifier: Apache-2.0
// What a run and a process report have in common on disk: cases, groups, objects, results. README.md is the schema.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/json/json_reader.hpp"
#include "harness/json/json_writer.hpp"
#include "harness/record/run.hpp"

namespace torchgate::record::internal {

// --- writing -------------------------------------------------------------------------------------------------------

/// Each distinct metric once: cases name theirs by position, since thousands of cases share the same few.
class MetricTable {
 public:
  explicit MetricTable(const std::vector<Case>& cases);
  [[nodiscard]] const std::vector<Metric>& metrics() const { return metrics_; }
  /// REQUIRES: METRIC is one of a case the table was made of.
  [[nodiscard]] std::int64_t position(const Metric& metric) const;

 private:
  using Key = std::tuple<std::string_view, std::string_view, Direction, MetricKind, bool, bool,
                         bool>;  // of the cases it was made of
  static Key key_of(const Metric& metric);

  std::vector<Metric> metrics_;
  std::map<Key, std::int64_t> positions_;
};

/// Position of each case by its name: results name their case by position.
using CasePositions = std::unordered_map<std::string_view, std::int64_t>;
CasePositions positions_of(const std::vector<Case>& cases);

/// Each distinct operator once: every process has the same few hundred.
class OperatorTable {
 public:
  void add(const std::vector<CaseResult>& results);
  [[nodiscard]] bool empty() const { return order_.empty(); }
  /// REQUIRES: it was added.
  [[nodiscard]] std::int64_t position(const OperatorUse& use) const;
  void write(json::JsonWriter& json) const;

 private:
  using Key = std::pair<std::string_view, std::string_view>;  // name, inputs; of the results it was made of
  std::map<Key, std::int64_t> positions_;
  std::vector<Key> order_;
};

void write_parameters(json::JsonWriter& json, std::string_view key, const std::vector<Parameter>& parameters);
void write_metrics(json::JsonWriter& json, const MetricTable& table);
void write_groups(json::JsonWriter& json, const std::vector<Group>& groups);
void write_cases(json::JsonWriter& json, const std::vector<Case>& cases, const MetricTable& table);
void write_objects(json::JsonWriter& json, const std::vector<LoadedObject>& objects);
void write_files(json::JsonWriter& json, const std::vector<ReadFile>& files);
void write_instructions(json::JsonWriter& json, const std::vector<InstructionCount>& counts);
void write_code(json::JsonWriter& json, const std::vector<CodeComparison>& comparisons);
/// Positions in a list; three or more ascending neighbours as [first, last].
void write_positions(json::JsonWriter& json, std::string_view key, const std::vector<std::int64_t>& positions);
void write_summary_columns(json::JsonWriter& json);

enum class Samples { written, left_out };
void write_results(json::JsonWriter& json, std::string_view key, const std::vector<CaseResult>& results,
                   const CasePositions& positions, const OperatorTable& operators, Samples samples);
void write_profile(json::JsonWriter& json, const OperatorProfile& profile, const OperatorTable& operators);
void write_processes(json::JsonWriter& json, const std::vector<Process>& processes, const CasePositions& positions,
                     const OperatorTable& operators);

// --- reading -------------------------------------------------------------------------------------------------------

/// How many more bytes of its own names a document may copy (limits.hpp).
class CopyBudget {
 public:
  explicit CopyBudget(std::size_t text_bytes)
      : left_(base::max_copied_bytes + base::max_copied_bytes_per_byte * text_bytes) {}
  /// False, and the reader has failed, when BYTES are more than is left.
  bool take(json::JsonReader& reader, std::size_t bytes) {
    if (bytes > left_) return reader.fail("too many references to long names or lists for a text of this size"), false;
    left_ -= bytes;
    return true;
  }

 private:
  std::size_t left_;
};

/// The columns of the summaries of this document, as positions in the list of columns that this version knows; -1: a
/// column of a later version, which is ignored.
using SummaryColumns = std::vector<int>;

/// Of names.
std::vector<std::string> read_strings(json::JsonReader& reader, std::int64_t most);
/// "2026-01-31T23:59:59.999Z".
std::string read_timestamp(json::JsonReader& reader);
std::string read_sha256(json::JsonReader& reader);
/// One word that is safe as the name of a file or folder: letters, digits, '.', '_', '-', not starting with '.'.
std::string read_folder_name(json::JsonReader& reader);
/// 1 to 64 lower-case hex digits.
std::string read_hex(json::JsonReader& reader);

std::vector<Parameter> read_parameters(json::JsonReader& reader);
std::vector<Metric> read_metrics(json::JsonReader& reader);
std::vector<Group> read_groups(json::JsonReader& reader);
std::vector<Case> read_cases(json::JsonReader& reader, const std::vector<Metric>& metrics, CopyBudget& copied);
std::vector<LoadedObject> read_objects(json::JsonReader& reader);
std::vector<ReadFile> read_files(json::JsonReader& reader);
/// Of a run with SIDES sides.
std::vector<InstructionCount> read_instructions(json::JsonReader& reader, std::int64_t sides);
std::vector<CodeComparison> read_code(json::JsonReader& reader);
/// Positions below SIZE in the list at PLACE ("/objects"), as write_positions() writes them.
std::vector<std::int64_t> read_positions(json::JsonReader& reader, std::string_view place, std::int64_t size,
                                         CopyBudget& copied);
SummaryColumns read_summary_columns(json::JsonReader& reader);

/// The operators that profiles refer to: name and inputs, no numbers.
using OperatorNames = std::vector<OperatorUse>;
OperatorNames read_operators(json::JsonReader& reader);
OperatorProfile read_profile(json::JsonReader& reader, const OperatorNames& operators, CopyBudget& copied);

/// What results refer to.
struct ResultContext {
  const std::vector<Case>& cases;
  const SummaryColumns& columns;
  const OperatorNames& operators;
  CopyBudget& copied;
};
std::vector<CaseResult> read_results(json::JsonReader& reader, const ResultContext& context);

/// What processes refer to.
struct ProcessContext {
  ResultContext results;
  std::int64_t sides = 0;
  std::int64_t objects = 0;
  std::int64_t files = 0;
};
std::vector<Process> read_processes(json::JsonReader& reader, const ProcessContext& context);

}  // namespace torchgate::record::internal
