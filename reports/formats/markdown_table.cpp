// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/markdown_table.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace torchgate::reports {
namespace {

std::string line_of(const std::vector<std::string>& cells, const std::vector<bool>& printed) {
  std::string line = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (printed[i]) line.append(" ").append(cells[i]).append(" |");
  }
  return line.append("\n");
}

}  // namespace

MarkdownTable::MarkdownTable(std::vector<Column> columns, std::string blank)
    : columns_(std::move(columns)), blank_(std::move(blank)) {}

void MarkdownTable::add_row(std::vector<std::string> cells) {
  assert(cells.size() == columns_.size());
  // Without the blanks: their column may not be printed.
  for (const std::string& cell : cells) row_bytes_ += cell == blank_ ? 0 : cell.size();
  rows_.push_back(std::move(cells));
}

std::vector<bool> MarkdownTable::printed() const {
  std::vector<bool> printed;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    printed.push_back(std::any_of(rows_.begin(), rows_.end(), [&](const std::vector<std::string>& row) {
      return !row[i].empty() && row[i] != blank_;
    }));
  }
  return printed;
}

std::string MarkdownTable::head() const {
  std::vector<std::string> names;
  std::vector<std::string> rules;
  for (const Column& column : columns_) {
    names.push_back(column.name);
    rules.emplace_back(column.align == Align::left ? ":--" : "--:");
  }
  const std::vector<bool> shown = printed();
  return line_of(names, shown) + line_of(rules, shown);
}

std::vector<std::string> MarkdownTable::rows() const {
  const std::vector<bool> shown = printed();
  std::vector<std::string> lines;
  for (const std::vector<std::string>& row : rows_) lines.push_back(line_of(row, shown));
  return lines;
}

std::string MarkdownTable::text() const {
  std::string text = head();
  for (const std::string& row : rows()) text += row;
  return text;
}

}  // namespace torchgate::reports
