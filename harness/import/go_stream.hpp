// SPDX-License-Identifier: Apache-2.0
// Lines of Go's benchmark format, in their order, as the processes that printed them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/import/go_process.hpp"
#include "harness/import/go_units.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// What all processes of a file share.
struct GoFile {
  std::string where;
  GoUnits units;
  std::vector<ImportedProcess> processes;
  std::vector<std::string> warnings;
  std::int64_t line = 0;          ///< that is read now
  std::string first_problem;      ///< why `go test` ended before any result, if a line says so
  std::int64_t problem_line = 0;  ///< its number
  std::int64_t ended = 0;         ///< `go test` began with a heading and ended with PASS, FAIL or ok
  std::int64_t not_ended = 0;     ///< it began so, and the next one or the end of the file follows
};

/// The output of one `go test` after the other. It is over when a result follows a PASS, a FAIL or a heading.
class GoStream {
 public:
  explicit GoStream(GoFile& file) : file_(&file) {}

  /// An empty text, or what is wrong with the line.
  std::string take(std::string_view line);
  /// Before the first line: the package of the events whose lines follow.
  void set_package(const std::string& package) { heading_.try_emplace("pkg", package); }
  /// An event says that benchmark NAME (without "Benchmark") failed; its lines may say why.
  void fail(std::string_view name);
  /// Of the process that is now read, UTC as records have it.
  void set_time(const std::string& time) { time_ = time; }
  /// An event says that its package passed.
  void pass() { note_end(); }
  /// At the end of the file. True: what `go test` prints last is not there.
  bool end();

 private:
  /// What is read now is of the process so far or, where that is over, of another one, whose headings are those so far.
  void begin();
  void note_headings();
  void end_process();
  void note_end();
  std::string take_result(const GoResult& result);
  bool take_failure(std::string_view line);
  bool take_start(std::string_view line);
  bool take_heading(std::string_view line);
  bool take_end(std::string_view line);
  void note_problem(std::string_view line);
  void take_failed_package(std::string_view line);
  [[nodiscard]] std::string package() const;
  [[nodiscard]] bool has_any() const { return !process_.empty() || !started_.empty(); }

  GoFile* file_;
  GoProcess process_;
  std::map<std::string, std::string, std::less<>> heading_;  // "pkg", "cpu", ...: of the lines that follow
  std::map<std::string, std::string, std::less<>> headings_of_process_;
  std::set<std::string> varied_;  // keys whose value changed: said once
  bool over_ = false;
  bool awaits_end_ = false;  // a usual heading, and no PASS, FAIL or ok since
  bool passed_ = false;      // a line PASS
  bool closed_ = false;      // `go test` has said how it ended, or began anew
  bool failed_all_ = false;  // it failed
  std::string problem_;      // and perhaps why
  std::string started_;      // a benchmark whose name stands alone, without "Benchmark"
  std::string failed_;       // the next line says why
  bool skipped_ = false;     // ... it was skipped, not failed
  std::string time_;
  std::string time_of_process_;
};

}  // namespace torchgate::import
