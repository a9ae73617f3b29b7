// SPDX-License-Identifier: Apache-2.0
#include "tests/reports/printed_rows.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/reports/read_back.hpp"

namespace torchgate::reports {
namespace {

/// Of the number at the beginning of the text: half of its last digit.
double half_of_last_digit(const std::string& number) {
  const std::size_t end = number.find_first_not_of("+-0123456789.,");
  const std::string digits = number.substr(0, end);
  const std::size_t point = digits.find('.');
  double unit = point == std::string::npos ? 1 : std::pow(10.0, -static_cast<double>(digits.size() - point - 1));
  if (end != std::string::npos && number[end] == 'e') unit *= std::pow(10.0, std::atoi(number.c_str() + end + 1));
  return 0.5 * unit;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// "12.3 ms [11.9 ms, 12.8 ms]" is read up to the interval.
std::string without_interval(const std::string& text) {
  return trimmed(text.substr(0, text.find('[')));
}

std::size_t find_arrow(const std::string& text, std::size_t& length) {
  for (const char* const arrow : {"→", "->"}) {
    length = std::string(arrow).size();
    if (const std::size_t at = text.find(arrow); at != std::string::npos) return at;
  }
  return std::string::npos;
}

void add_row(std::vector<PrintedRow>& rows, const std::string& before, const std::string& after,
             const std::string& change, const std::string& line) {
  const auto was = read_printed(without_interval(before));
  const auto is = read_printed(without_interval(after));
  const auto by = change.find('%') == std::string::npos ? std::nullopt : read_printed_percent(change);
  if (was && is && by) rows.push_back({*was, *is, *by, line});
}

/// Columns of a number line: separated by two spaces or more.
std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  for (std::size_t at = line.find_first_not_of(' '); at != std::string::npos;) {
    const std::size_t end = std::min(line.find("  ", at), line.size());
    columns.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(' ', end);
  }
  return columns;
}

std::string cell(const std::vector<std::string>& names, const std::vector<std::string>& cells,
                 const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? "" : cells[static_cast<std::size_t>(found - names.begin())];
}

std::string cell(const MarkdownRow& row, const std::string& name) {
  const auto found = row.cells.find(name);
  return found == row.cells.end() ? "" : found->second;
}

/// "- P95 12.3 ms [...] -> 14.1 ms [...] (+14.6 %)."
void add_further_number(std::vector<PrintedRow>& rows, const std::string& line) {
  std::size_t arrow_length = 0;
  const std::size_t arrow = find_arrow(line, arrow_length);
  const std::size_t change = line.rfind('(');
  if (arrow == std::string::npos || change == std::string::npos || change < arrow) return;
  for (const char* const label : {"- P95 ", "- P99 ", "- throughput ", "- peak memory "}) {
    const std::size_t at = line.find(label);
    if (at == std::string::npos) continue;
    const std::size_t from = at + std::string(label).size();
    add_row(rows, line.substr(from, arrow - from), line.substr(arrow + arrow_length, change - arrow - arrow_length),
            line.substr(change + 1), line);
  }
}

}  // namespace

std::optional<Printed> read_printed(const std::string& untrimmed) {
  std::string text = trimmed(untrimmed);
  // "649.9/s", "12.31k/s", "12.31k items/s": a rate carries its prefix without a space.
  double rate = 1;
  if (text.ends_with("/s") && text.size() > 2) {
    const std::map<char, double> steps = {{'k', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}};
    text.resize(text.size() - 2);
    if (text.ends_with(" items")) text.resize(text.size() - std::string(" items").size());
    if (const auto step = steps.find(text.back()); step != steps.end()) rate = step->second, text.pop_back();
  }
  const auto value = read_quantity(text);
  const auto number = read_number(text);
  if (!value || !number) return std::nullopt;
  const double scale = *number == 0 ? 1 : *value / *number;
  return Printed{*value * rate, half_of_last_digit(text) * scale * rate};
}

std::optional<Printed> read_printed_percent(const std::string& text) {
  const auto number = read_number(text);
  if (!number) return std::nullopt;
  return Printed{*number / 100, half_of_last_digit(trimmed(text)) / 100};
}

bool agrees(const PrintedRow& row) {
  const double expected = row.before.value * (1 + row.change.value);
  const double rounding = row.after.half_unit + row.before.half_unit * (1 + std::abs(row.change.value)) +
                          std::abs(row.before.value) * row.change.half_unit;
  return std::abs(row.after.value - expected) <= 1.001 * rounding;
}

std::vector<PrintedRow> rows_of_terminal(const std::string& text) {
  std::vector<PrintedRow> rows;
  std::vector<std::string> names;
  for (const std::string& line : lines_of(text)) {
    if (line.find("- ") < 8) {
      add_further_number(rows, line);
      continue;
    }
    const std::vector<std::string> columns = columns_of(line);
    if (columns.empty()) {
      names.clear();
    } else if (columns.front() == "before" && columns.size() > 1 && columns[1] == "after") {
      names = columns;
    } else if (columns.size() == names.size()) {
      add_row(rows, cell(names, columns, "before"), cell(names, columns, "after"), cell(names, columns, "change"),
              line);
    }
  }
  return rows;
}

std::vector<PrintedRow> rows_of_markdown(const std::string& markdown) {
  std::vector<PrintedRow> rows;
  for (const MarkdownRow& row : read_tables(markdown)) {
    const std::string both = cell(row, "before → after");
    const std::string change = cell(row, "change");
    std::size_t arrow_length = 0;
    const std::size_t arrow = find_arrow(both, arrow_length);
    if (arrow != std::string::npos) {
      add_row(rows, both.substr(0, arrow), both.substr(arrow + arrow_length), change, both + " | " + change);
    } else if (row.cells.contains("before")) {
      const std::string text = cell(row, "before") + " | " + cell(row, "after") + " | " + change;
      add_row(rows, cell(row, "before"), cell(row, "after"), change, text);
    }
  }
  return rows;
}

std::vector<PrintedRow> rows_of_html(const std::string& page) {
  std::vector<PrintedRow> rows;
  const auto text_of_cell = [&](std::size_t from, const std::string& begin) {
    const std::size_t at = page.find(begin, from);
    if (at == std::string::npos) return std::string();
    const std::size_t start = at + begin.size();
    return page.substr(start, page.find("</td>", start) - start);
  };
  const std::string head = "<tr class=\"head\">";
  for (std::size_t at = page.find(head); at != std::string::npos; at = page.find(head, at + 1)) {
    const auto named = [&](const std::string& name) {
      return text_of_cell(at, "<td class=\"number\" data-label=\"" + name + "\">");
    };
    add_row(rows, named("before"), named("after"), named("change"), page.substr(at, page.find("</tr>", at) - at));
  }
  for (const char* const label : {"P95", "P99", "throughput", "peak memory"}) {
    const std::string row = "<th scope=\"row\">" + std::string(label) + "</th>";
    for (std::size_t at = page.find(row); at != std::string::npos; at = page.find(row, at + 1)) {
      std::vector<std::string> cells;
      for (std::size_t from = at; cells.size() < 3; from = page.find("</td>", from) + 1)
        cells.push_back(text_of_cell(from, "<td class=\"number\">"));
      add_row(rows, cells[0], cells[1], cells[2], row);
    }
  }
  const std::string data = "id=\"rows\">";
  const std::size_t begin = page.find(data) + data.size();
  const auto json = nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  for (const auto& row : json.at("rows"))
    add_row(rows, row.at(4).get<std::string>(), row.at(5).get<std::string>(), row.at(6).get<std::string>(), row.dump());
  return rows;
}

std::vector<PrintedRow> rows_with_arrow(const std::string& text) {
  std::vector<PrintedRow> rows;
  for (const std::string& line : lines_of(text)) {
    std::size_t arrow_length = 0;
    const std::size_t arrow = find_arrow(line, arrow_length);
    const std::size_t percent = line.find('%');
    if (arrow == std::string::npos || percent == std::string::npos) continue;
    const std::string left = trimmed(line.substr(0, arrow));
    const std::string right = trimmed(line.substr(arrow + arrow_length));
    const std::size_t before = left.rfind("  ");
    const std::string change = trimmed(line.substr(0, percent));
    add_row(rows, before == std::string::npos ? left : left.substr(before), right.substr(0, right.find("  ")),
            change.substr(change.rfind(' ') + 1) + " %", line);
  }
  return rows;
}

}  // namespace torchgate::reports
