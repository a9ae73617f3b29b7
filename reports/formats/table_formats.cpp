// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/table_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/columns.hpp"
#include "reports/formats/html_text.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/formats/markdown_parts.hpp"
#include "reports/formats/markdown_table.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::reports {
namespace {

constexpr std::size_t narrowest_table = 60;
constexpr std::size_t narrowest_first_column = 16;
constexpr std::size_t most_html_rows = 1000;
constexpr std::string_view table_indent = "  ";
constexpr std::string_view column_gap = "  ";

class TableText {
 public:
  TableText(const Table& table, Notation notation, std::size_t width, std::size_t rows)
      : unicode_(notation == Notation::unicode), width_(std::max(width, narrowest_table)) {
    lines_.push_back(cleaned(table.columns));
    for (std::size_t i = 0; i < std::min(rows, table.rows.size()); ++i) lines_.push_back(cleaned(table.rows[i]));
    widths_.assign(table.columns.size(), 0);
    for (const auto& cells : lines_) {
      for (std::size_t i = 0; i < cells.size(); ++i) widths_[i] = std::max(widths_[i], display_width(cells[i]));
    }
    make_fit();
  }

  std::string render(const Table& table) {
    std::string text;
    for (const auto& cells : lines_) text += line(cells);
    if (table.rows.size() + 1 > lines_.size())
      text += fmt::format("{}{} more: see --verbose or --format json\n", table_indent,
                          grouped(static_cast<std::int64_t>(table.rows.size() + 1 - lines_.size())));
    for (const std::string& note : table.notes) {
      bool first = true;
      for (const std::string& part : wrap(clean(note), width_ - table_indent.size() - column_gap.size())) {
        text += std::string(table_indent) + (first ? "- " : "  ") + part + '\n';
        first = false;
      }
    }
    return text;
  }

 private:
  [[nodiscard]] std::string clean(std::string_view untrusted) const {
    return unicode_ ? one_line(untrusted) : one_ascii_line(untrusted);
  }

  [[nodiscard]] std::vector<std::string> cleaned(const std::vector<std::string>& cells) const {
    std::vector<std::string> clean_cells;
    clean_cells.reserve(cells.size());
    for (const std::string& cell : cells) clean_cells.push_back(clean(cell));
    return clean_cells;
  }

  // Names lose their middle first; where that is not enough, the widest of the other columns do.
  void make_fit() {
    const auto total = [&] {
      std::size_t all = table_indent.size();
      for (const std::size_t each : widths_) all += each + column_gap.size();
      return all - column_gap.size();
    };
    if (widths_.empty() || total() <= width_) return;
    const std::size_t beyond = total() - width_;
    widths_[0] = std::max(std::min(widths_[0], narrowest_first_column), widths_[0] - std::min(widths_[0], beyond));
    while (widths_.size() > 1 && total() > width_) {
      const auto widest = std::max_element(widths_.begin() + 1, widths_.end());
      if (*widest <= 1) return;
      --*widest;
    }
  }

  [[nodiscard]] std::string line(const std::vector<std::string>& cells) const {
    std::string text(table_indent);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string cell = elide_middle(cells[i], widths_[i], unicode_ ? "…" : "...");
      text += i == 0 ? pad_right(cell, widths_[i]) : std::string(column_gap) + pad_left(cell, widths_[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return elide_middle(text, width_, unicode_ ? "…" : "...") + '\n';
  }

  bool unicode_;
  std::size_t width_;
  std::vector<std::vector<std::string>> lines_;  // the names of the columns, then the rows
  std::vector<std::size_t> widths_;
};

}  // namespace

std::string table_text(const Table& table, Notation notation, std::size_t width, std::size_t rows) {
  return TableText(table, notation, width, rows).render(table);
}

Section table_section(const Table& table, int rank, double share, bool open) {
  std::vector<MarkdownTable::Column> columns;
  for (const std::string& name : table.columns)
    columns.push_back(
        {markdown_cell(name), columns.empty() ? MarkdownTable::Align::left : MarkdownTable::Align::right});
  MarkdownTable rows(std::move(columns), "");
  for (const auto& cells : table.rows) {
    std::vector<std::string> row{markdown_name(cells.front(), true)};
    for (std::size_t i = 1; i < cells.size(); ++i) row.push_back(markdown_quantity(cells[i]));
    rows.add_row(std::move(row));
  }
  std::string after = table.notes.empty() ? "" : "\n";
  for (const std::string& note : table.notes) after += fmt::format("- {}\n", markdown_text(note));
  return {rank,
          share,
          markdown_folded(html_text(table.title), open) + rows.head(),
          rows.rows(),
          after + markdown_end_of_folded,
          markdown_omitted("rows")};
}

std::string table_html(const Table& table) {
  std::string html =
      fmt::format("<h3>{}</h3>{}<table><thead><tr>", html_sentence(table.title), html_scrolled(table.title));
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    html += fmt::format("<th scope=\"col\"{}>{}</th>", i > 0 ? " class=\"number\"" : "", html_name(table.columns[i]));
  html += "</tr></thead><tbody>";
  for (std::size_t i = 0; i < std::min(most_html_rows, table.rows.size()); ++i) {
    const auto& cells = table.rows[i];
    html += fmt::format("<tr><th scope=\"row\"><code>{}</code></th>", html_name(cells.front()));
    for (std::size_t j = 1; j < cells.size(); ++j)
      html += fmt::format("<td class=\"number\">{}</td>", html_name(cells[j]));
    html += "</tr>";
  }
  html += "</tbody></table></div>\n";
  std::vector<std::string> notes = table.notes;
  if (table.rows.size() > most_html_rows)
    notes.push_back(fmt::format("{} more rows are in the JSON report",
                                grouped(static_cast<std::int64_t>(table.rows.size() - most_html_rows))));
  return html + html_list(notes);
}

}  // namespace torchgate::reports
