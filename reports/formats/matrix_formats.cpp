// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/matrix_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/json/json_writer.hpp"
#include "reports/columns.hpp"
#include "reports/fit.hpp"
#include "reports/formats/html_text.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/formats/markdown_parts.hpp"
#include "reports/formats/table_formats.hpp"
#include "reports/formats/upgrade_json.hpp"
#include "reports/html/embedded.hpp"
#include "reports/overview.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::reports {
namespace {

constexpr std::size_t narrowest_matrix = 60;

std::string outcome_word(const Matrix& matrix) {
  return outcome_word(matrix.outcome, is_weak(matrix));
}

std::vector<std::string> doubts_of(const Matrix& matrix) {
  return lines_of_columns(matrix, [](const MatrixColumn& column) { return column.doubts; });
}

void put_optional(json::JsonWriter& json, json::Key key, const std::optional<Interval>& interval) {
  json.key(key);
  if (!interval) return json.null();
  json.begin_object();
  json.member("low", interval->low);
  json.member("high", interval->high);
  json.member("level", interval->level);
  json.end_object();
}

void put_column(json::JsonWriter& json, const MatrixColumn& column) {
  json.begin_object();
  json.member("name", column.name);
  json.member("libtorch", column.libtorch);
  json.member("outcome", to_string(column.outcome));
  json.member("headline", column.headline);
  json.member("doubts", column.doubts);
  json.member("run_ids", column.run_ids);
  put_group_counts(json, column.cases);
  json.end_object();
}

void put_cell(json::JsonWriter& json, const std::optional<MatrixCell>& cell) {
  if (!cell) return json.null();
  json.begin_object();
  json.member("verdict", to_string(cell->verdict));
  json.member("action", to_string(cell->action));
  json.member("value", cell->value);
  json.member("change", cell->change);
  put_optional(json, "interval", cell->interval);
  json.end_object();
}

void put_row(json::JsonWriter& json, const MatrixRow& row) {
  json.begin_object();
  json.member("case", row.case_name);
  json.key("metric");
  json.begin_object();
  json.member("name", row.metric.name);
  json.member("unit", row.metric.unit);
  json.member("direction",
              row.metric.direction == record::Direction::lower_is_better ? "lower_is_better" : "higher_is_better");
  json.end_object();
  json.member("reference", row.reference);
  json.key("cells");
  json.begin_array();
  for (const auto& cell : row.cells) put_cell(json, cell);
  json.end_array();
  json.end_object();
}

}  // namespace

std::string matrix_text(const Matrix& matrix, const TerminalOptions& options) {
  const Notation notation = options.unicode ? Notation::unicode : Notation::ascii;
  const Format format(notation);
  const std::size_t width = std::max(options.width, narrowest_matrix);
  std::string text;
  const auto paragraph = [&](const std::string& first, const std::string& words) {
    bool beginning = true;
    const std::string clean = options.unicode ? one_line(words) : one_ascii_line(words);
    for (const std::string& part : wrap(clean, width - first.size())) {
      text += (beginning ? first : std::string(first.size(), ' ')) + part + '\n';
      beginning = false;
    }
  };
  paragraph(outcome_word(matrix) + "  ", matrix_headline(matrix));
  const std::vector<std::string> doubts = doubts_of(matrix);
  if (!doubts.empty()) text += "\nDoubts\n";
  for (const std::string& doubt : doubts) paragraph("  - ", doubt);
  for (const Table& table : {matrix_columns(matrix, format), matrix_table(matrix, format, options.verbose)}) {
    text += '\n' + table.title + '\n';
    text += table_text(table, notation, width, table.rows.size());
  }
  return text;
}

std::string matrix_markdown(const Matrix& matrix, const MarkdownOptions& options) {
  const Format format;
  Section head;
  head.rows = {fmt::format("## {}: {}\n", outcome_word(matrix), markdown_text(matrix_headline(matrix)))};
  Section doubts{1, markdown_sentences_share, "\n> ⚠️ **Doubts**\n", {}, "", markdown_omitted("doubts")};
  for (const std::string& doubt : doubts_of(matrix))
    doubts.rows.push_back(fmt::format("> - {}\n", markdown_text(doubt)));
  return fit({head, doubts, table_section(matrix_columns(matrix, format), 2, markdown_rest_share, true),
              table_section(matrix_table(matrix, format, true), 3, markdown_listed_share, true)},
             options.limit_bytes);
}

std::string matrix_html(const Matrix& matrix) {
  const Format format;
  const std::string style(embedded::report_css);
  const bool clear_pass = matrix.outcome == Outcome::pass && !is_weak(matrix);
  const char* const tone = clear_pass ? "pass" : matrix.outcome == Outcome::fail ? "fail" : "warn";
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; base-uri 'none'; "
      "form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}: "
      "torchgate</title>\n<style>{}</style></head>\n<body>\n<main>\n<header><p class=\"outcome {}\">{}</p>\n"
      "<h1>{}</h1></header>\n",
      policy_hash(style), outcome_word(matrix), style, tone, outcome_word(matrix),
      html_sentence(matrix_headline(matrix)));
  if (const auto doubts = doubts_of(matrix); !doubts.empty())
    html += fmt::format("<section class=\"doubts\"><h2>Doubts</h2>{}</section>\n", html_list(doubts));
  for (const Table& table : {matrix_columns(matrix, format), matrix_table(matrix, format, true)})
    html += "<section>" + table_html(table) + "</section>\n";
  return html + "</main></body></html>\n";
}

std::string matrix_json(const Matrix& matrix) {
  json::JsonWriter json(json::report_layout);
  json.begin_object();
  json.member("schema", "torchgate.matrix/1");
  json.member("outcome", to_string(matrix.outcome));
  json.member("headline", matrix_headline(matrix));
  json.member("reference", matrix.reference);
  json.member("reference_libtorch", matrix.reference_libtorch);
  json.member("paired", matrix.paired);
  json.key("columns");
  json.begin_array();
  for (const MatrixColumn& column : matrix.columns) put_column(json, column);
  json.end_array();
  json.key("rows");
  json.begin_array();
  for (const MatrixRow& row : matrix.rows) put_row(json, row);
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

}  // namespace torchgate::reports
