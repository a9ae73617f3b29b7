// SPDX-License-Identifier: Apache-2.0
#include "tests/reports/read_back.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace torchgate::reports {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

std::string plain(std::string text) {
  replace_all(text, "\u00A0", " ");
  replace_all(text, "\u2011", "-");
  replace_all(text, "\\", "");
  replace_all(text, "&lt;", "<");
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> split_row(const std::string& row) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t at = 1; at < row.size(); ++at) {
    if (row[at] == '|' && row[at - 1] != '\\') {
      cells.push_back(plain(cell));
      cell.clear();
    } else {
      cell += row[at];
    }
  }
  return cells;
}

}  // namespace

std::optional<double> read_number(std::string text) {
  text = plain(text);
  replace_all(text, ",", "");
  replace_all(text, "<", "");  // "<1e-12" is as good as its bound
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() ? std::nullopt : std::optional(value);
}

std::optional<double> read_quantity(std::string text) {
  text = plain(text);
  const auto value = read_number(text);
  if (!value) return std::nullopt;
  constexpr double k = 1024;
  const std::map<std::string, double> units = {{"ns", 1}, {"µs", 1e3}, {"us", 1e3},    {"ms", 1e6},       {"s", 1e9},
                                               {"B", 1},  {"KiB", k},  {"MiB", k * k}, {"GiB", k * k * k}};
  const std::size_t space = text.rfind(' ');
  const auto unit = space == std::string::npos ? units.end() : units.find(text.substr(space + 1));
  return unit == units.end() ? *value : *value * unit->second;
}

std::optional<double> read_percent(std::string text) {
  const auto value = read_number(std::move(text));
  return value ? std::optional(*value / 100) : std::nullopt;
}

std::size_t cells_in_row(const std::string& row, bool strict) {
  std::size_t pipes = 0;
  std::size_t backslashes = 0;
  for (const char c : row) {
    const bool escaped = strict ? backslashes % 2 == 1 : backslashes > 0;
    if (c == '|' && !escaped) ++pipes;
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return pipes == 0 ? 0 : pipes - 1;
}

std::vector<MarkdownRow> read_tables(const std::string& markdown) {
  std::vector<MarkdownRow> rows;
  std::vector<std::string> columns;
  std::istringstream stream(markdown);
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line.front() != '|') {
      columns.clear();
      continue;
    }
    const std::vector<std::string> cells = split_row(line);
    if (columns.empty()) {
      for (const std::string& cell : cells) columns.push_back(cell.substr(0, cell.find(" [")));
      continue;
    }
    if (line.find(":--") != std::string::npos || line.find("--:") != std::string::npos) continue;
    MarkdownRow row;
    for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i) row.cells[columns[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace torchgate::reports
