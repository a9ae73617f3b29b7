// SPDX-License-Identifier: Apache-2.0
#include "harness/import/google_benchmark_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/google_benchmark_entries.hpp"
#include "harness/import/lines.hpp"
#include "harness/import/units.hpp"

namespace torchgate::import {
namespace {

constexpr std::string_view first_columns = "name,iterations,real_time,cpu_time,time_unit";
constexpr std::string_view program_line = "Running ";

// Of a line in a message.
constexpr std::size_t longest_shown = 100;

// Counters are further columns; more of them than that is not a file of this tool.
constexpr std::size_t most_columns = 1000;

// Fields in quotes have quotes doubled. Absent: the last quote is missing, or there are too many fields.
std::optional<std::vector<std::string>> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
        fields.back() += c;
        ++i;
      } else {
        quoted = !quoted;
      }
    } else if (c == ',' && !quoted) {
      if (fields.size() == most_columns) return std::nullopt;
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return quoted ? std::nullopt : std::optional(std::move(fields));
}

// The next row of TEXT, which becomes the rest. A field in quotes may have line breaks: messages of CUDA have. Only the line where the last quote
// is missing, so that the error names it and not the end of the file. LINES: how many it takes.
std::string_view take_csv_row(std::string_view& text, std::int64_t& lines) {
  const std::string_view whole = text;
  const std::string_view first = take_line(text);
  const std::string_view behind_first = text;
  const auto quotes = [](std::string_view part) { return std::count(part.begin(), part.end(), '"'); };
  auto open = quotes(first) % 2;
  std::string_view last = first;
  for (lines = 1; open != 0 && !text.empty(); ++lines) {
    last = take_line(text);
    open = (open + quotes(last)) % 2;
  }
  if (open == 0) return whole.substr(0, static_cast<std::size_t>(last.data() + last.size() - whole.data()));
  text = behind_first;
  lines = 1;
  return first;
}

class CsvReader {
 public:
  CsvReader(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

  base::Result<std::vector<ImportedProcess>> read() {
    ImportedProcess process;
    const bool has_end = text_.ends_with('\n');
    std::int64_t lines = 1;
    for (std::int64_t number = 1; !text_.empty(); number += lines) {
      // Before the heading: what the program or the library printed.
      const std::string_view line = columns_.empty() ? take_line(text_) : take_csv_row(text_, lines);
      if (columns_.empty()) {
        if (line.starts_with(first_columns)) columns_ = fields_of(line).value_or(std::vector<std::string>());
        if (const std::string twice = duplicate_column(); !twice.empty())
          return bad_file(
              fmt::format("{}:{}", where_, number),
              fmt::format("the heading has the column {} twice; rename the program's counter", base::in_quotes(twice)));
        if (line.starts_with(program_line)) process.program = trimmed(line.substr(program_line.size()));
        continue;
      }
      if (trimmed(line).empty()) continue;
      if (const std::string wrong = add(line); !wrong.empty())
        return bad_file(fmt::format("{}:{}", where_, number), wrong);
      // "512.345" that was cut to "5" is a number, too: the number of fields does not show it.
      if (text_.empty() && !has_end) add_warning(process.warnings, no_last_line_break(where_, last_name_));
    }
    process.file = where_;
    process.tool = "google-benchmark";
    process.never_dated = true;
    auto finished = entries_.finish(std::move(process));
    if (!finished) return finished.error();
    std::vector<ImportedProcess> processes;
    processes.push_back(*std::move(finished));
    return processes;
  }

 private:
  // A counter that is called as another one or as what the library writes: which of the values is its own is not known.
  [[nodiscard]] std::string duplicate_column() const {
    std::set<std::string_view> known;
    for (const std::string& column : columns_)
      if (!column.empty() && !known.insert(column).second) return column;
    return "";
  }

  [[nodiscard]] std::string add(std::string_view line) {
    if (line.starts_with(first_columns))
      return "the results of another run begin here; write each run into a file of its own with --benchmark_out=FILE";
    const auto fields = fields_of(line);
    if (!fields) return "a quote is missing at the end of a field, or there are too many fields";
    last_name_ = fields->front();
    // A program's last line may be cut; rows of a big_o fit are shorter.
    if (fields->size() > columns_.size())
      return fmt::format("{} fields, but the heading has {}", fields->size(), columns_.size());
    if (fields->size() == 1 && !line.starts_with('"'))
      return fmt::format(
          "not a row of the table: {}; the program printed it, so let the library write the table with "
          "--benchmark_out=FILE --benchmark_out_format=csv",
          base::in_quotes(line.substr(0, longest_shown)));
    // Rows of ->Complexity() have coefficients where others have times, and no iterations.
    if (is_fit(*fields)) return "";
    GoogleBenchmarkEntry entry;
    for (std::size_t i = 0; i < fields->size(); ++i) {
      if (!take(entry, columns_[i], (*fields)[i]))
        return fmt::format("{}: expected a {}, found {}", columns_[i], columns_[i] == "time_unit" ? "unit" : "number",
                           base::in_quotes((*fields)[i]));
    }
    // SkipWithMessage: the only row that has "false", and no numbers. Such a row, as that of an error, has no fields for counters.
    if (!entry.has_real_time && field_of(*fields, "error_occurred") == "false") entry.skipped = true;
    if (fields->size() < columns_.size() && !entry.error && !entry.skipped)
      return fmt::format("{} fields, but the heading has {}; the file is truncated", fields->size(), columns_.size());
    entry.run_name = entry.name;
    return entries_.add(std::move(entry));
  }

  // Empty where the row lacks it.
  [[nodiscard]] std::string_view field_of(const std::vector<std::string>& fields, std::string_view column) const {
    const auto at = static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) - columns_.begin());
    return at < fields.size() ? std::string_view(fields[at]) : std::string_view();
  }

  [[nodiscard]] bool is_fit(const std::vector<std::string>& fields) const {
    constexpr std::size_t iterations_column = 1;
    if (fields.size() <= iterations_column || !fields[iterations_column].empty()) return false;
    if (!fields.front().ends_with("_BigO") && !fields.front().ends_with("_RMS")) return false;
    return field_of(fields, "error_occurred").empty();
  }

  static bool take_number(const std::string& field, std::optional<double>& value) {
    if (field.empty()) return true;
    const auto number = number_in(field);
    if (number && std::isfinite(*number)) value = number;
    return number.has_value();
  }

  static bool take(GoogleBenchmarkEntry& entry, const std::string& column, const std::string& field) {
    if (column == "name") entry.name = field;
    if ((column == "error_message" || column == "skip_message") && !field.empty()) entry.message = field;
    if (column == "error_occurred" || column == "skipped") {
      bool& flag = column == "skipped" ? entry.skipped : entry.error;
      flag = field == "true";
      return field.empty() || field == "true" || field == "false";
    }
    if (column == "time_unit" && !field.empty()) {
      const auto ns = ns_per_unit(field);
      entry.ns_per_unit = ns.value_or(1);
      return ns.has_value();
    }
    if (column == "iterations" && !field.empty()) {
      entry.has_iterations = true;
      return is_count(field, entry.iterations);
    }
    if (column == "real_time") {
      entry.has_real_time = !field.empty();
      return take_number(field, entry.real_time);
    }
    if (column == "cpu_time") return take_number(field, entry.cpu_time);
    constexpr std::array<std::string_view, 6> texts{"name",  "iterations",    "time_unit",
                                                    "label", "error_message", "skip_message"};
    if (std::find(texts.begin(), texts.end(), column) != texts.end()) return true;
    // A counter; the field is empty where another benchmark has it.
    const auto value = number_in(field);
    if (!value || column.empty() || column.size() > base::max_name_bytes) return true;
    entry.counters.push_back({column, std::isfinite(*value) ? value : std::nullopt});
    return true;
  }

  std::string_view text_;
  std::string where_;
  std::vector<std::string> columns_;
  std::string last_name_;  // of the row read last
  GoogleBenchmarkEntries entries_;
};

}  // namespace

bool is_google_benchmark_csv(std::string_view head) {
  const std::string plain = without_colours(head);
  std::string_view rest = plain;
  while (!rest.empty()) {
    if (take_line(rest).starts_with(first_columns)) return true;
  }
  return false;
}

base::Result<std::vector<ImportedProcess>> read_google_benchmark_csv(std::string_view text, const std::string& where) {
  const std::string clean = well_formed(without_colours(text));
  return CsvReader(clean, where).read();
}

}  // namespace torchgate::import
