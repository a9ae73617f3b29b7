// SPDX-License-Identifier: Apache-2.0
#include "harness/import/go_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/foreign_file.hpp"
#include "harness/import/go_stream.hpp"
#include "harness/import/input_text.hpp"
#include "harness/import/json_keys.hpp"
#include "harness/import/lines.hpp"
#include "harness/import/python_facts.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::import {
namespace {

constexpr std::size_t piece_bytes = std::size_t{64} << 10U;
// The rest of a longer line is not read: a log, not a result.
constexpr std::size_t longest_line = std::size_t{64} << 10U;

// Lines of a source, which is read piece by piece.
class LineSource {
 public:
  explicit LineSource(base::TextSource source) : source_(std::move(source)), piece_(piece_bytes, '\0') {}

  // Of the line read last.
  [[nodiscard]] bool has_line_break() const { return has_line_break_; }

  // False: the end, or an error.
  bool next(std::string& line) {
    line.clear();
    bool any = false;
    for (;;) {
      if (at_ == filled_ && !refill()) {
        has_line_break_ = has_line_break_ && !any;
        return any;
      }
      any = true;
      const auto* const begin = piece_.data() + at_;
      const auto* const end = std::find(begin, static_cast<const char*>(piece_.data()) + filled_, '\n');
      const auto count = static_cast<std::size_t>(end - begin);
      line.append(begin, std::min(count, longest_line - std::min(longest_line, line.size())));
      at_ += count;
      if (at_ == filled_) continue;
      ++at_;
      if (line.ends_with('\r')) line.pop_back();
      return true;
    }
  }

  [[nodiscard]] const base::Result<std::size_t>& state() const { return state_; }

 private:
  bool refill() {
    if (!state_ || ended_) return false;
    state_ = source_(std::span(piece_));
    at_ = 0;
    filled_ = state_ ? *state_ : 0;
    ended_ = filled_ == 0;
    return filled_ > 0;
  }

  base::TextSource source_;
  std::string piece_;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  bool ended_ = false;
  bool has_line_break_ = true;
  base::Result<std::size_t> state_ = std::size_t{0};
};

// `go test -json`: packages are tested at the same time, and an event may have a part of a line.
class EventStreams {
 public:
  explicit EventStreams(GoFile& file) : file_(&file) {}

  std::string take(std::string_view event) {
    std::string package;
    std::string output;
    std::string time;
    std::string action;
    std::string test;
    json::JsonReader reader(event, "event");
    reader.object({}, [&](std::string_view key) {
      if (key == "Package")
        package = reader.name();
      else if (key == "Output")
        output = reader.string();
      else if (key == "Time")
        time = reader.name();
      else if (key == "Action")
        action = reader.string();
      else if (key == "Test")
        test = reader.string();
      else
        reader.skip();
    });
    reader.end();
    if (reader.failed()) return reader.error().message;
    Stream* const of = stream(package);
    if (of == nullptr) return fmt::format("more than {} packages", base::max_groups);
    // With a fraction, as Python writes it; local time, "+02:00".
    if (const auto utc = utc_of_python_date(time)) of->lines.set_time(*utc);
    of->partial += output;
    std::string_view rest = of->partial;
    std::string wrong;
    while (wrong.empty() && rest.find('\n') != std::string_view::npos)
      wrong = of->lines.take(without_colours(take_line(rest)));
    of->partial = rest.substr(0, longest_line);
    if (wrong.empty() && action == "fail") wrong = take_failure(*of, package, test);
    if (action == "pass" && test.empty()) of->lines.pass();
    return wrong;
  }

  // True: a package has no end.
  bool end() {
    bool cut_off = false;
    for (auto& [package, stream] : streams_) {
      stream.lines.take(without_colours(stream.partial));
      cut_off = stream.lines.end() || cut_off;
    }
    return cut_off;
  }

 private:
  struct Stream {
    GoStream lines;
    std::string partial;
  };

  // Of a benchmark, or of the whole package.
  static std::string take_failure(Stream& stream, const std::string& package, std::string_view test) {
    constexpr std::string_view benchmark_word = "Benchmark";
    if (test.empty()) return stream.lines.take("FAIL\t" + package);
    if (test.starts_with(benchmark_word) && test.size() > benchmark_word.size())
      stream.lines.fail(test.substr(benchmark_word.size()));
    return "";
  }

  Stream* stream(const std::string& package) {
    const auto known = streams_.find(package);
    if (known != streams_.end()) return &known->second;
    if (streams_.size() == static_cast<std::size_t>(base::max_groups)) return nullptr;
    Stream& added = streams_.emplace(package, Stream{GoStream(*file_), {}}).first->second;
    if (!package.empty()) added.lines.set_package(package);
    return &added;
  }

  GoFile* file_;
  std::map<std::string, Stream> streams_;
};

// Files without PASS and ok (`grep -v`), as benchstat reads them, have no end at all: where several `go test` follow each other, they are not cut off.
// `grep Benchmark` leaves no headings either.
bool may_be_cut_off(const GoFile& file) {
  return file.not_ended > 0 && (file.ended > 0 || file.not_ended == 1);
}

void warn_of_no_end(GoFile& file) {
  add_warning(file.warnings, fmt::format("{}: `go test` has no PASS, FAIL or ok at its end: the file may have been cut "
                                         "off, and benchmarks may be missing",
                                         file.where));
}

bool is_event(std::string_view line) {
  return line.starts_with('{') && mentions(line, "Action") && (mentions(line, "Package") || mentions(line, "Output"));
}

base::Result<std::vector<ImportedProcess>> finished(GoFile& file) {
  if (file.processes.empty() && !file.first_problem.empty())
    return bad_file(fmt::format("{}:{}", file.where, file.problem_line),
                    fmt::format("`go test` failed before it had a result: {}; repair it and measure again",
                                base::shown(file.first_problem)));
  if (file.processes.empty()) return bad_file(file.where, "no benchmark results; check what `go test -bench` selected");
  auto& warnings = file.processes.front().warnings;
  warnings.insert(warnings.end(), file.warnings.begin(), file.warnings.end());
  return std::move(file.processes);
}

}  // namespace

bool is_go_text(std::string_view head) {
  const std::string plain = without_colours(head);
  head = plain;
  bool configured = false;
  while (!head.empty()) {
    const bool whole = head.find('\n') != std::string_view::npos;
    const std::string_view line = take_line(head);
    if (is_event(line) || go_result_of(line)) return true;
    configured = configured || (whole && line.starts_with("goos: "));
  }
  return configured && foreign_file(plain).empty();  // benchstat has these lines, too
}

base::Result<std::vector<ImportedProcess>> read_go_text(base::TextSource text, const std::string& where) {
  GoFile file;
  file.where = where;
  GoStream lines(file);
  EventStreams events(file);
  LineSource source(std::move(text));
  std::string line;
  std::string cut_result;  // of which benchmark the last line is, where it does not end
  for (std::int64_t number = 1; source.next(line); ++number) {
    file.line = number;
    if (line.find('\x1b') != std::string::npos) line = without_colours(line);
    const std::string wrong = is_event(line) ? events.take(line) : lines.take(well_formed(line));
    if (!wrong.empty()) return bad_file(fmt::format("{}:{}", where, number), wrong);
    if (file.processes.size() > static_cast<std::size_t>(base::max_processes))
      return bad_file(where, fmt::format("more than {} processes", base::max_processes));
    if (!source.has_line_break())
      if (const auto result = go_result_of(line)) cut_result = well_formed(result->name);
  }
  if (!source.state()) return source.state().error();
  lines.end();
  const bool events_cut_off = events.end();
  if (events_cut_off || may_be_cut_off(file))
    warn_of_no_end(file);
  else if (!cut_result.empty())
    add_warning(file.warnings, no_last_line_break(where, cut_result));
  return finished(file);
}

base::Result<std::vector<ImportedProcess>> read_go_file(const std::filesystem::path& path) {
  auto source = source_in(path);
  if (!source) return source.error();
  return read_go_text(std::move(source).value(), path.string());
}

}  // namespace torchgate::import
