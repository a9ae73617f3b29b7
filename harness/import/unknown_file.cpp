// SPDX-License-Identifier: Apache-2.0
#include "harness/import/unknown_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "harness/base/for_a_shell.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/base/text_source.hpp"
#include "harness/base/utf8_text.hpp"
#include "harness/import/foreign_file.hpp"
#include "harness/import/formats.hpp"
#include "harness/import/lines.hpp"
#include "harness/import/recognised.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::import {
namespace {

namespace fs = std::filesystem;

// Of a line in a message.
constexpr std::size_t longest_shown = 100;

std::string shown_line(std::string_view line) {
  line = trimmed(line);
  return base::in_quotes(line.substr(0, longest_shown)) + (line.size() > longest_shown ? "..." : "");
}

std::string known_formats() {
  std::string names;
  for (const Format& format : formats()) names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
  return names;
}

struct Packed {
  std::string_view begins;
  std::string_view what;
};
constexpr std::array packed{Packed{"\x1f\x8b", "compressed with gzip"},
                            Packed{"\x28\xb5\x2f\xfd", "compressed with zstd"}, Packed{"PK\x03\x04", "a zip archive"},
                            Packed{"\xfd"
                                   "7zXZ",
                                   "compressed with xz"}};

// What other tools print for people, known by a part of one of its lines.
struct Printed {
  std::string_view part;
  std::string_view what;
  std::string_view instead;
};
constexpr std::array printed{
    Printed{"Time (mean \u00b1 \u03c3):", "what hyperfine prints", "let it write JSON with --export-json FILE"},
    Printed{"Mean +- std dev:", "what pyperf prints", "let it write JSON with -o FILE"},
    Printed{"Name (time in ", "the table of pytest-benchmark", "let it write JSON with --benchmark-json=FILE"},
    Printed{"# Benchmark Results", "what NVBench prints", "let it write JSON with --json FILE or --jsonbin FILE"},
    Printed{" vs base ", "the table of benchstat", "name the files that it was made from: output of `go test -bench`"},
    Printed{" time:   [", "what Criterion prints", "name its folder target/criterion"},
};

// "Benchmark           Time             CPU   Iterations"
bool is_console_heading(std::string_view line) {
  return take_word(line) == "Benchmark" && take_word(line) == "Time" && take_word(line) == "CPU" &&
         take_word(line).starts_with("Iterations");
}

std::string console_table(std::string_view head) {
  constexpr std::string_view running = "Running ";
  const std::string plain = without_colours(head);
  std::string_view rest = plain;
  std::string program = "PROGRAM";
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (line.starts_with(running)) program = base::for_a_shell(std::string(trimmed(line.substr(running.size()))));
    if (is_console_heading(line))
      return fmt::format(
          "the console table of Google Benchmark, which has no single repetitions; let it write JSON with "
          "`{} --benchmark_repetitions=10 --benchmark_out=FILE --benchmark_out_format=json`",
          base::shown(program));
    for (const Printed& each : printed) {
      if (line.find(each.part) != std::string_view::npos)
        return fmt::format("{}, not a file of it; {}", each.what, each.instead);
    }
  }
  return "";
}

bool begins_json(std::string_view line) {
  line = trimmed(line);
  return line.starts_with('{') || line.starts_with('[') || line.starts_with("window.BENCHMARK_DATA");
}

// Lines before the results of some format.
std::string text_before_results(std::string_view head) {
  constexpr int most_tried = 100;
  std::string_view rest = head;
  std::string_view first;
  std::int64_t first_number = 0;
  int tried = 0;
  for (std::int64_t number = 1; !rest.empty() && tried < most_tried; ++number) {
    const std::string_view from_here = rest;
    const std::string_view line = take_line(rest);
    const bool json = begins_json(line);
    if (first_number == 0 && !json && !trimmed(line).empty()) first = line, first_number = number;
    if (first_number == 0 || !json) continue;
    ++tried;
    const Format* const format = format_of(from_here);
    if (format == nullptr) continue;
    const std::string advice = format->options.empty()
                                   ? "remove the lines before them"
                                   : fmt::format(
                                         "the program prints to the same place, so let the results be written "
                                         "with {}, or remove the lines before them",
                                         format->options);
    return fmt::format("line {} is not JSON: {}; the results of {} begin at line {}; {}", first_number,
                       shown_line(first), format->name, number, advice);
  }
  return "";
}

// Without an element nothing shows which tool wrote it.
std::string empty_list(std::string_view head) {
  constexpr const char* advice = "check which benchmarks the program selected, and whether it ended early";
  json::JsonReader reader(head, "");
  const auto is_empty = [&] {
    bool any = false;
    reader.array([&](std::int64_t) {
      any = true;
      reader.skip();
    });
    return !any && !reader.failed();
  };
  std::string name;
  if (reader.peek() == json::JsonReader::Kind::array) return is_empty() ? fmt::format("an empty list; {}", advice) : "";
  reader.object({}, [&](std::string_view key) {
    const bool is_list = (key == "results" || key == "benchmarks") && reader.peek() == json::JsonReader::Kind::array;
    if (!is_list)
      reader.skip();
    else if (is_empty())
      name = key;
  });
  return name.empty() ? "" : fmt::format("the list \"{}\" is empty; {}", name, advice);
}

// `go test` that ended before it had a result: its first line that says so.
std::string failed_go_test(std::string_view head) {
  constexpr std::array<std::string_view, 2> beginnings{"panic: ", "FAIL\t"};
  std::string_view rest = head;
  std::int64_t first_number = 0;
  std::string_view first;
  bool failed = false;
  for (std::int64_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = take_line(rest);
    const bool begins = std::any_of(beginnings.begin(), beginnings.end(),
                                    [&](std::string_view beginning) { return line.starts_with(beginning); });
    if (begins && first_number == 0) first = line, first_number = number;
    failed = failed || line.starts_with("FAIL\t");
  }
  return failed ? fmt::format("line {}: `go test` failed before it had a result: {}; repair it and measure again",
                              first_number, shown_line(first))
                : "";
}

// JSON of a format with sequences of a terminal between: `jq -C`, or a program that resets the colour before it writes.
std::string coloured_json(std::string_view plain) {
  const Format* const format = format_of(plain);
  if (format == nullptr) return "";
  return fmt::format(
      "{} with colours of a terminal, which are not JSON; {}remove the colours with `sed "
      "'s/\\x1b\\[[0-9;]*[A-Za-z]//g' FILE`",
      format->name,
      format->options.empty() ? "" : fmt::format("let the results be written with {}, or ", format->options));
}

// "<?xml ...?>", and not one whole tag behind it.
bool is_truncated_xml(std::string_view head) {
  constexpr std::string_view begin = "<?xml";
  const std::string_view text = trimmed(head).substr(0, begin.size());
  const std::size_t end = std::min(head.find("?>"), head.size());
  return !text.empty() && begin.starts_with(text) &&
         head.find('>', std::min(end + 2, head.size())) == std::string_view::npos;
}

// Empty: it is not known what the file is.
std::string reason(std::string_view head) {
  if (head.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return "empty; did the program that should have written it end early?";
  for (const Packed& each : packed)
    if (head.starts_with(each.begins)) return fmt::format("{}; unpack it first", each.what);
  if (std::string before = text_before_results(head); !before.empty()) return before;
  if (std::string table = console_table(head); !table.empty()) return table;
  if (std::string foreign = foreign_file(head); !foreign.empty()) return foreign;
  if (std::string failed = failed_go_test(head); !failed.empty()) return failed;
  if (begins_json(head))
    if (std::string empty = empty_list(head); !empty.empty()) return empty;
  if (head.find('\0') != std::string_view::npos) return fmt::format("not a text; supported: {}", known_formats());
  return "";
}

struct Line {
  std::int64_t number = 1;
  std::string text;
  bool is_last = false;  // nothing but blank space behind it
};

// The line with byte POSITION. Linear.
std::optional<Line> line_at(const base::TextSource& source, std::size_t position) {
  constexpr std::size_t piece_bytes = std::size_t{64} << 10U;
  constexpr std::size_t longest = 4096;
  Line line;
  std::string piece(piece_bytes, '\0');
  for (std::size_t at = 0;;) {
    const auto count = source(std::span(piece));
    if (!count) return std::nullopt;
    if (*count == 0) return at > position ? std::optional(std::move(line)) : std::nullopt;
    for (const char c : std::string_view(piece).substr(0, *count)) {
      if (c == '\n') {
        if (at >= position) return line;
        ++line.number;
        line.text.clear();
      } else if (line.text.size() < longest) {
        line.text += c;
      }
      ++at;
    }
  }
}

struct AsJson {
  std::optional<std::size_t>
      wrong_byte;          // where the text stops being JSON; absent: it is JSON, or it only ends too early
  bool truncated = false;  // it only ends too early
};

AsJson as_json(const fs::path& path) {
  auto source = base::text_of_file(path);
  if (!source) return {};
  json::JsonReader reader(base::utf8_of(*std::move(source)), "");
  reader.accept_non_finite();
  const auto skip_elements = [&] {
    if (reader.peek() == json::JsonReader::Kind::array)
      reader.array([&](std::int64_t) { reader.skip(); });
    else
      reader.skip();
  };
  if (reader.peek() == json::JsonReader::Kind::object)
    reader.object({}, [&](std::string_view) { skip_elements(); });
  else
    skip_elements();
  reader.end();
  return {reader.wrong_byte(), reader.is_truncated()};
}

// A line as a printer of JSON may write one: it is damaged, not from somewhere else.
bool looks_like_json(std::string_view line) {
  line = trimmed(line);
  if (line.empty()) return true;
  if (line.front() == '[') {
    const std::string_view rest = trimmed(line.substr(1));
    return rest.empty() || std::string_view("{[\"]-0123456789").find(rest.front()) != std::string_view::npos;
  }
  return std::string_view("\"{}],:").find(line.front()) != std::string_view::npos;
}

}  // namespace

base::Error unknown_file(const fs::path& path, std::string_view head) {
  const std::string plain = without_colours(head);
  const auto error = [&](std::string_view why) {
    return base::Error{base::ErrorCode::bad_input, fmt::format("{}: {}", path.string(), why)};
  };
  if (plain.size() < head.size())
    if (const std::string coloured = coloured_json(plain); !coloured.empty()) return error(coloured);
  std::string why = reason(plain);
  if (why.empty() && (begins_json(head) ? as_json(path).truncated : is_truncated_xml(head)))
    return error(
        "truncated: it ends before it shows which tool wrote it; did the program that should have written it end "
        "early?");
  if (why.empty()) why = fmt::format("unknown format; supported: {}", known_formats());
  return begins_json(head) ? with_stray_line(error(why), path, "") : error(why);
}

base::Error unknown_folder(const fs::path& folder) {
  constexpr int most_looked_at = 1000;
  std::map<std::string, int> results;  // by extension
  std::error_code error;
  int looked_at = 0;
  fs::directory_iterator it(folder, error);
  if (error) return base::system_error(folder, "read the folder", error.value());
  for (const fs::directory_iterator end; !error && it != end && looked_at < most_looked_at; it.increment(error)) {
    std::error_code ignored;
    if (!it->is_regular_file(ignored)) continue;
    ++looked_at;
    if (is_importable(it->path())) ++results[it->path().extension().string()];
  }
  const auto most = std::max_element(results.begin(), results.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == results.end())
    return {base::ErrorCode::bad_input,
            fmt::format("{}: a folder without results of Criterion and without result files; name the files",
                        folder.string())};
  fs::path inside = folder;
  if (!inside.has_filename()) inside = inside.parent_path();
  return {base::ErrorCode::bad_input,
          fmt::format("{}: a folder without results of Criterion; name its files, separated by commas: "
                      "\"$(ls {}/*{} | paste -sd,)\"",
                      folder.string(), base::for_a_shell(inside.string()),
                      base::for_a_shell(most->first.empty() ? "" : most->first))};
}

base::Error with_stray_line(base::Error error, const fs::path& path, std::string_view options) {
  if (error.code != base::ErrorCode::bad_input) return error;
  const auto wrong = as_json(path).wrong_byte;
  auto source = wrong ? base::text_of_file(path) : base::Result<base::TextSource>(error);
  if (!source) return error;
  const auto line = line_at(base::utf8_of(*std::move(source)), *wrong);
  if (!line) return error;
  if (looks_like_json(line->text)) {
    if (trimmed(line->text).starts_with('{') && error.message.find("the end of the text") != std::string::npos)
      return {error.code,
              fmt::format("{}: at line {} the results of another run begin; write each run into a file of its own",
                          path.string(), line->number)};
    error.message += fmt::format(" (line {})", line->number);
    return error;
  }
  return {
      error.code,
      fmt::format(
          "{}: line {} is not JSON: {}; the program prints to the same place, so let the results be written with {}, "
          "or remove that line",
          path.string(), line->number, shown_line(line->text),
          options.empty() ? "an option of the tool that names a file" : options)};
}

}  // namespace torchgate::import
