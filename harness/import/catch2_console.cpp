// SPDX-License-Identifier: Apache-2.0
#include "harness/import/catch2_console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/catch2_xml.hpp"
#include "harness/import/lines.hpp"
#include "harness/import/units.hpp"

namespace torchgate::import {
namespace {

// "PROGRAM is a Catch v2.13.10 host application."
constexpr std::string_view host_words = " is a Catch";
constexpr std::string_view host_end = " host application.";

// "test name" is between lines of hyphens; its sections are indented.
bool is_ruler(std::string_view line, char c) {
  constexpr std::size_t shortest = 40;  // CATCH_CONFIG_CONSOLE_WIDTH is 80, and can be set
  line = trimmed(line);
  return line.size() >= shortest && line.find_first_not_of(c) == std::string_view::npos;
}

bool is_table_heading(std::string_view line) {
  return line.starts_with("benchmark name") && line.find(" samples ") != std::string_view::npos &&
         line.find(" iterations ") != std::string_view::npos;
}

// The last word of LINE, which becomes what stands before it.
std::string_view take_last_word(std::string_view& line) {
  line = trimmed(line);
  const std::size_t blank = line.find_last_of(" \t");
  const std::string_view word = blank == std::string_view::npos ? line : line.substr(blank + 1);
  line.remove_suffix(word.size());
  return word;
}

// "315.367 ns" at the end of LINE. "m" are minutes.
std::optional<double> take_last_duration(std::string_view& line) {
  std::string_view rest = line;
  const std::string_view unit = take_last_word(rest);
  const auto number = number_in(take_last_word(rest));
  const auto ns = unit == "m" ? std::optional(ns_per_minute) : ns_per_unit(unit);
  if (!ns || !number) return std::nullopt;
  line = rest;
  return *number * *ns;
}

// "NAME   100   208   7.1968 ms": the last column is an estimate, or the mean.
struct TableRow {
  std::string_view name;
  std::int64_t iterations = 1;
  double last_ns = 0;
};

std::optional<TableRow> row_of(std::string_view line) {
  TableRow row;
  std::int64_t samples = 0;
  const auto last = take_last_duration(line);
  if (!last) return std::nullopt;
  row.last_ns = *last;
  if (!is_count(take_last_word(line), row.iterations) || !is_count(take_last_word(line), samples)) return std::nullopt;
  row.name = trimmed(line);
  return row;
}

// "t.cpp:9: FAILED:", "t.cpp(9): FAILED:". A check that may fail is "FAILED - but was ok:".
bool is_failure(std::string_view line) {
  constexpr std::string_view mark = ": FAILED:";
  line = trimmed(line);
  if (!line.ends_with(mark)) return false;
  line.remove_suffix(mark.size());
  const bool in_brackets = line.ends_with(')');
  if (in_brackets) line.remove_suffix(1);
  const std::size_t before = line.find_last_not_of("0123456789");
  return before != std::string_view::npos && before + 1 < line.size() && before > 0 &&
         line[before] == (in_brackets ? '(' : ':');
}

// "test cases: 3 | 1 passed | 1 failed | 1 failed as expected": with [!mayfail] and [!shouldfail] a failure is not one of the test.
bool is_summary_without_failures(std::string_view line) {
  constexpr std::string_view failed = " failed";
  if (line.starts_with("All tests passed")) return true;
  if (!line.starts_with("test cases:")) return false;
  for (std::size_t at = line.find(failed); at != std::string_view::npos; at = line.find(failed, at + 1))
    if (!line.substr(at).starts_with(" failed as expected")) return false;
  return true;
}

// Catch2's last lines but one.
bool is_summary(std::string_view line) {
  return line.starts_with("All tests passed") || line.starts_with("test cases:") || line.starts_with("No tests ran");
}

class ConsoleReader {
 public:
  ConsoleReader(std::string_view text, const std::string& where) : text_(text) {
    process_.file = where;
    process_.tool = "catch2";
    process_.never_dated = true;
    process_.no_spread = catch2_has_means;
  }

  base::Result<std::vector<ImportedProcess>> read() {
    for (std::int64_t number = 1; !text_.empty(); ++number) {
      if (const std::string wrong = take(take_line(text_)); !wrong.empty())
        return bad_file(fmt::format("{}:{}", process_.file, number), wrong);
    }
    end_failure();
    if (const std::string wrong = end_benchmark(); !wrong.empty()) return bad_file(process_.file, wrong);
    if (cases_.empty()) return bad_file(process_.file, "no benchmarks; check which tests ran");
    cases_.move_to(process_);
    fail_cases();
    if (whole_ && !summarised_)
      process_.warnings.push_back(
          fmt::format("{}: no summary of the test cases at its end: the file may have been cut off, and benchmarks may "
                      "be missing",
                      process_.file));
    std::vector<ImportedProcess> processes;
    processes.push_back(std::move(process_));
    return processes;
  }

 private:
  enum class Place { elsewhere, header, table };

  std::string take(std::string_view line) {
    if (const std::size_t end = line.find(host_words); end != std::string_view::npos && line.ends_with(host_end)) {
      process_.program = trimmed(line.substr(0, end)).substr(0, base::max_name_bytes);
      whole_ = true;
    }
    summarised_ = summarised_ || is_summary(line);
    if (is_summary_without_failures(line)) failed_tests_.clear();
    if (is_failure(line)) {
      why_.emplace();
      return "";
    }
    if (why_ && !is_ruler(line, '-') && !is_ruler(line, '.') && !is_ruler(line, '=')) {
      if (trimmed(line).empty())
        end_failure();
      else if (why_->size() < most_reasons)
        why_->emplace_back(trimmed(line));
      return "";
    }
    end_failure();
    if (is_table_heading(line)) {
      analysed_ = line.find(" mean") == std::string_view::npos;
      place_ = Place::elsewhere;  // until the ruler below it
      heading_ = true;
      return end_benchmark();
    }
    if (is_ruler(line, '-')) return take_ruler();
    if (is_ruler(line, '=') || is_ruler(line, '~') || is_ruler(line, '.')) {
      place_ = Place::elsewhere;
      return end_benchmark();
    }
    if (place_ == Place::header) {
      if (path_.empty()) test_ = trimmed(line);  // its sections follow
      if (path_.size() < base::max_name_bytes) path_ += std::string(trimmed(line)) + '/';
      return "";
    }
    return place_ == Place::table ? take_row(line) : "";
  }

  // Below a table's heading its rows begin; elsewhere one opens the header of a test and the next closes it.
  std::string take_ruler() {
    const std::string wrong = end_benchmark();
    if (std::exchange(heading_, false)) {
      place_ = Place::table;
    } else if (place_ == Place::header) {
      place_ = Place::elsewhere;
    } else {
      place_ = Place::header;
      path_.clear();
    }
    return wrong;
  }

  std::string take_row(std::string_view line) {
    constexpr std::string_view failed = "enchmark failed (";
    const std::string_view content = trimmed(line);
    if (content.empty()) {
      name_.clear();
      return end_benchmark();
    }
    if (const std::size_t at = content.find(failed); at != std::string_view::npos && at > 0) {
      const std::string_view before = trimmed(content.substr(0, at - 1));
      const std::string_view reason = content.substr(at + failed.size());
      if (!benchmark_) begin_benchmark(before);
      benchmark_->failure = reason.substr(0, reason.rfind(')'));
      if (benchmark_->failure.empty()) benchmark_->failure = "no reason given";
      thrown_ = trimmed(benchmark_->failure);
      return end_benchmark();
    }
    const auto row = row_of(content);
    if (!row && has_decimal_commas(content))
      return fmt::format("{}: numbers with a decimal comma; run the program with LC_ALL=C", base::in_quotes(content));
    if (benchmark_) return take_estimates(content);
    if (row) {
      begin_benchmark(row->name);
      benchmark_->calls_per_sample = std::max<std::int64_t>(row->iterations, 1);
      if (analysed_) return "";
      take_mean(row->last_ns);
      return end_benchmark();
    }
    if (name_.size() < base::max_name_bytes) name_ += std::string(content) + ' ';  // a long name spans several lines
    return "";
  }

  // A program that sets a locale prints "7,1968 ms". Without those numbers its benchmarks would seem to have crashed.
  static bool has_decimal_commas(std::string_view line) {
    if (line.find(',') == std::string_view::npos) return false;
    std::string with_points(line);
    std::replace(with_points.begin(), with_points.end(), ',', '.');
    std::string_view rest = with_points;
    return row_of(with_points) || (take_last_duration(rest) && take_last_duration(rest) && take_last_duration(rest));
  }

  // "mean   low mean   high mean", and below it the same of the standard deviation.
  std::string take_estimates(std::string_view line) {
    const auto high = take_last_duration(line);
    const auto low = take_last_duration(line);
    const auto mean = take_last_duration(line);
    if (!high || !low || !mean || !trimmed(line).empty()) return "";  // printed by the test in between
    if (std::exchange(has_mean_, true)) return "";
    take_mean(*mean);
    return "";
  }

  void take_mean(double ns) {
    has_mean_ = true;
    benchmark_->failure = invalid_time(ns);
    if (benchmark_->failure.empty()) benchmark_->time_ns = {ns};
    benchmark_->note = catch2_note;
  }

  void begin_benchmark(std::string_view last_part) {
    benchmark_.emplace();
    has_mean_ = false;
    benchmark_->name = path_ + std::exchange(name_, "").append(last_part);
    benchmark_->run_name = benchmark_->name;
    benchmark_->protocol = catch2_protocol;
  }

  std::string end_benchmark() {
    if (!benchmark_) return "";
    ImportedCase one = *std::exchange(benchmark_, std::nullopt);
    if (one.time_ns.empty() && one.failure.empty()) one.failure = "it started, but its mean is not in the file";
    if (!one.failure.empty()) one.time_ns.clear();
    test_of_[one.run_name] = test_;
    return cases_.add(std::move(one));
  }

  // Below "FAILED:" stand the check or what was thrown, up to an empty line.
  void end_failure() {
    if (!why_) return;
    const std::vector<std::string> lines = *std::exchange(why_, std::nullopt);
    const bool exception =
        std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.find(unexpected) == 0; });
    const std::string why = lines.empty() ? "" : exception ? lines.back() : lines.front();
    // Version 3 also reports what a benchmark threw as an exception of its test.
    if (exception && !thrown_.empty() && why == std::exchange(thrown_, "")) return;
    failed_tests_.try_emplace(test_, why);
  }

  void fail_cases() {
    for (ImportedCase& each : process_.cases) {
      const auto failed = failed_tests_.find(test_of_.at(each.run_name));
      if (failed == failed_tests_.end() || !each.failure.empty()) continue;
      each.failure = catch2_test_failed(failed->second);
      each.time_ns.clear();
    }
  }

  static constexpr std::size_t most_reasons = 10;  // lines of one failure
  static constexpr std::string_view unexpected = "due to unexpected exception";

  std::string_view text_;
  ImportedProcess process_;
  CaseList cases_;
  Place place_ = Place::elsewhere;
  bool heading_ = false;
  bool analysed_ = true;
  std::string path_;
  std::string name_;
  std::optional<ImportedCase> benchmark_;
  bool has_mean_ = false;
  std::string test_;                                 // the test case, without its sections
  std::map<std::string, std::string> test_of_;       // by the name of a benchmark
  std::map<std::string, std::string> failed_tests_;  // and why
  std::optional<std::vector<std::string>> why_;      // the lines below "FAILED:" so far
  std::string thrown_;                               // by the last benchmark that failed
  bool whole_ = false;                               // it begins as the program's output does
  bool summarised_ = false;                          // and ends so
};

}  // namespace

bool is_catch2_console(std::string_view head) {
  const std::string plain = without_colours(head);
  std::string_view rest = plain;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (is_table_heading(line)) return true;
    if (line.find(host_words) != std::string_view::npos && line.ends_with(host_end)) return true;
  }
  return false;
}

base::Result<std::vector<ImportedProcess>> read_catch2_console(std::string_view text, const std::string& where) {
  const std::string plain = well_formed(without_colours(text));
  return ConsoleReader(plain, where).read();
}

}  // namespace torchgate::import
