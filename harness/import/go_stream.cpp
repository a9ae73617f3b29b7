// SPDX-License-Identifier: Apache-2.0
#include "harness/import/go_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/lines.hpp"
#include "harness/import/own_facts.hpp"

namespace torchgate::import {
namespace {

constexpr std::string_view benchmark_word = "Benchmark";
constexpr std::string_view failed_package = "FAIL\t";
constexpr std::size_t most_headings = 100;

// Of these, several in one file are usual: each package is a process, and several machines are refused elsewhere.
constexpr std::array<std::string_view, 4> usual_headings{"pkg", "goos", "goarch", "cpu"};

bool is_usual(std::string_view key) {
  return std::find(usual_headings.begin(), usual_headings.end(), key) != usual_headings.end();
}

// "key: value", the key without spaces and capitals. Empty: it is not one.
std::string_view heading_key(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos || line.front() < 'a' || line.front() > 'z') return {};
  if (colon + 1 < line.size() && line[colon + 1] != ' ' && line[colon + 1] != '\t') return {};
  const std::string_view key = line.substr(0, colon);
  constexpr std::size_t longest = 64;
  const auto odd = [](char c) {
    return c == ' ' || c == '\t' || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) < ' ';
  };
  return key.size() > longest || std::any_of(key.begin(), key.end(), odd) ? std::string_view() : key;
}

// Empty: LINE says nothing of why `go test` failed.
std::string problem_in(std::string_view line) {
  constexpr std::string_view race = "race detected";
  constexpr std::string_view failed_test = "--- FAIL: ";
  constexpr std::array<std::string_view, 5> beginnings{"panic: ", "fatal error: ", "*** Test killed",
                                                       "signal: ", "exit status "};
  const auto begins = [&](std::string_view beginning) { return line.starts_with(beginning); };
  if (const std::size_t at = line.find(race); at != std::string_view::npos)
    return std::string(line.substr(at, base::max_name_bytes));
  if (std::any_of(beginnings.begin(), beginnings.end(), begins))
    return std::string(line.substr(0, base::max_name_bytes));
  if (!line.starts_with(failed_test)) return "";
  line.remove_prefix(failed_test.size());
  return fmt::format("{} failed", base::shown(take_word(line)));
}

}  // namespace

std::string GoStream::take(std::string_view line) {
  if (!failed_.empty()) {
    const std::string name = std::exchange(failed_, "");
    const bool indented = line.starts_with(' ') || line.starts_with('\t');
    skipped_ ? process_.skip(name, trimmed(indented ? line : "")) : process_.fail(name, trimmed(indented ? line : ""));
    if (indented) return "";
  }
  if (const auto result = go_result_of(line)) return take_result(*result);
  if (!started_.empty() && !line.empty() &&
      std::string_view(" \t0123456789").find(line.front()) != std::string_view::npos) {
    // What the benchmark printed stands between its name and its numbers. From eight digits on their first has no blank before it.
    const std::string whole = std::string(benchmark_word) + started_ + ' ' + std::string(line);
    if (const auto result = go_result_of(whole)) return take_result(*result);
  }
  note_problem(line);
  if (take_failure(line) || take_start(line) || take_heading(line) || take_end(line)) return "";
  file_->units.declare(line);
  return "";
}

std::string GoStream::take_result(const GoResult& result) {
  begin();
  if (result.name == started_) started_.clear();
  return process_.add(result);
}

void GoStream::begin() {
  if (over_) end_process();
  note_headings();
}

void GoStream::note_headings() {
  if (has_any()) return;
  headings_of_process_ = heading_;
  time_of_process_ = time_;
}

void GoStream::fail(std::string_view name) {
  note_headings();
  process_.fail(name, "");
}

// "--- FAIL: BenchmarkX", "--- SKIP: BenchmarkX": the next line has the message. "panic: ..." ends what has started.
bool GoStream::take_failure(std::string_view line) {
  const auto after = [&](std::string_view mark) {
    const std::size_t at = line.find(mark);
    return at == std::string_view::npos ? std::string_view() : line.substr(at + mark.size());
  };
  for (const std::string_view mark : {"--- FAIL: Benchmark", "--- SKIP: Benchmark"}) {
    std::string_view rest = after(mark);
    const std::string_view name = take_word(rest);
    if (name.empty() || name.size() > base::max_name_bytes) continue;
    begin();
    failed_ = name;
    skipped_ = mark.find("SKIP") != std::string_view::npos;
    started_.clear();
    return true;
  }
  for (const std::string_view mark : {"panic: ", "fatal error: "}) {
    const std::string_view why = after(mark);
    if (why.empty() || (!line.starts_with(mark) && !line.starts_with(benchmark_word))) continue;
    take_start(line);
    if (!started_.empty())
      process_.fail(std::exchange(started_, ""), fmt::format("{}{}", mark, why.substr(0, base::max_name_bytes)));
    return true;
  }
  return false;
}

// "BenchmarkX-8   \t": it runs now, and its numbers follow.
bool GoStream::take_start(std::string_view line) {
  if (!line.starts_with(benchmark_word) || line.find('\t') == std::string_view::npos) return false;
  std::string_view rest = line;
  const std::string_view name = take_word(rest).substr(benchmark_word.size());
  if (name.empty() || name.size() > base::max_name_bytes || (name.front() >= 'a' && name.front() <= 'z')) return false;
  begin();
  if (!started_.empty()) process_.fail(started_, "it started, but its result is not in the file");
  started_ = name;
  return true;
}

bool GoStream::take_heading(std::string_view line) {
  const std::string_view key = heading_key(line);
  if (key.empty()) return false;
  const std::string_view value = trimmed(line.substr(key.size() + 1)).substr(0, base::max_name_bytes);
  const auto known = heading_.find(key);
  if (is_usual(key)) {
    if (awaits_end_ && !over_ && has_any()) ++file_->not_ended;
    awaits_end_ = true;
    over_ = over_ || has_any();
    closed_ = closed_ || (key == "pkg" && has_any());
  } else if (known != heading_.end() && known->second != value && varied_.insert(known->first).second) {
    add_warning(
        file_->warnings,
        fmt::format("{}: {} is {} and then {}: both are samples of the same side; split the file if they are of "
                    "different builds",
                    file_->where, base::shown(key), base::in_quotes(known->second), base::in_quotes(value)));
  }
  if (known != heading_.end())
    known->second = value;
  else if (heading_.size() < most_headings)
    heading_.emplace(key, value);
  return true;
}

bool GoStream::take_end(std::string_view line) {
  const bool failed = line.starts_with(failed_package);
  const bool ok = line.starts_with("ok  \t");
  if (!failed && !ok && line != "PASS" && line != "FAIL" && !line.starts_with("exit status ")) return false;
  if (failed) take_failed_package(line.substr(failed_package.size()));
  if (line == "FAIL" && !passed_ && !closed_ && has_any()) failed_all_ = true;
  passed_ = passed_ || line == "PASS";
  closed_ = closed_ || ok || failed;
  over_ = true;
  note_end();
  return true;
}

void GoStream::note_end() {
  if (std::exchange(awaits_end_, false)) ++file_->ended;
}

// "ex.org/p\t1.2s", "ex.org/p [build failed]". The process before it is of another package, or ended well, where this one did not run.
void GoStream::take_failed_package(std::string_view line) {
  const bool ran =
      line.find("[build failed]") == std::string_view::npos && line.find("[setup failed]") == std::string_view::npos;
  const std::string_view name = take_word(line);
  std::string warning = fmt::format("{}: `go test` of {} failed", file_->where, base::shown(name));
  auto& warnings = file_->warnings;
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) add_warning(warnings, std::move(warning));
  const std::string own = package();
  if (ran && !closed_ && has_any() && (own.empty() || own == name)) failed_all_ = true;
}

// Why `go test` failed, where no benchmark did.
void GoStream::note_problem(std::string_view line) {
  const bool before_results = process_.empty() && file_->processes.empty() && file_->first_problem.empty();
  if (!before_results && (process_.empty() || closed_ || !problem_.empty())) return;
  std::string problem = problem_in(line);
  if (problem.empty()) return;
  if (!process_.empty()) {
    problem_ = std::move(problem);
  } else {
    file_->first_problem = std::move(problem);
    file_->problem_line = file_->line;
  }
}

std::string GoStream::package() const {
  const auto found = headings_of_process_.find("pkg");
  return found == headings_of_process_.end() ? "" : found->second;
}

bool GoStream::end() {
  end_process();
  if (awaits_end_) ++file_->not_ended;
  return awaits_end_;
}

void GoStream::end_process() {
  if (!failed_.empty()) {
    const std::string name = std::exchange(failed_, "");
    skipped_ ? process_.skip(name, "") : process_.fail(name, "");
  }
  if (!started_.empty()) process_.fail(std::exchange(started_, ""), "it started, but its result is not in the file");
  if (failed_all_ && !process_.has_failed()) {
    const std::string own = package();
    process_.fail_all(fmt::format("`go test`{}{} failed{}{}", own.empty() ? "" : " of ", own,
                                  problem_.empty() ? "" : ": ", problem_));
  }
  over_ = passed_ = closed_ = failed_all_ = false;
  problem_.clear();
  if (process_.empty()) return;
  ImportedProcess& process = file_->processes.emplace_back();
  process.file = file_->where;
  process.tool = "go";
  process.how_to_declare = "a line \"Unit NAME better=higher\" in the file";
  process.never_dated = true;
  process.started = time_of_process_;
  for (const auto& [key, value] : headings_of_process_) {
    if (key == "pkg") process.group = value;
    if (key != "pkg" && is_usual(key))
      process.facts.push_back({key, value, "", record::FactClass::host});
    else if (!is_usual(key) && !is_measured_number(key, value))
      add_own_fact(process, key, value);
  }
  process_.move_to(process, process.group, file_->units);
}

}  // namespace torchgate::import
