// SPDX-License-Identifier: Apache-2.0
#include "reports/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "reports/case_group.hpp"
#include "reports/overview.hpp"

namespace torchgate::reports {
namespace {

bool is_primary(const Finding& finding) {
  return finding.metric.name.empty() || (finding.metric.primary && finding.metric.kind == record::MetricKind::timed);
}

// Version of LibTorch before and after; absent where they do not differ or are not recorded.
std::pair<std::optional<std::string>, std::optional<std::string>> versions_of(const Report& report) {
  if (report.upgrade) return {report.upgrade->before, report.upgrade->after};
  for (const Difference& difference : report.differences)
    if (difference.name == "libtorch_version") return {difference.before, difference.after};
  return {};
}

MatrixColumn matrix_column_of(const MatrixSource& source) {
  MatrixColumn column;
  column.name = source.name;
  column.libtorch = versions_of(source.report).second;
  column.outcome = source.report.outcome;
  column.weak = source.report.outcome == Outcome::pass && !is_clear_pass(source.report);
  column.headline = source.report.headline.words();
  column.doubts.assign(source.report.doubts.begin(), source.report.doubts.end());
  column.run_ids = source.report.after.run_ids;
  std::map<std::string_view, const Finding*> primary;
  for (const Finding& finding : source.report.findings)
    if (is_primary(finding)) primary.emplace(finding.case_name, &finding);
  std::vector<const Finding*> findings;
  findings.reserve(primary.size());
  for (const auto& [name, finding] : primary) findings.push_back(finding);
  column.cases = group_of("", findings);
  return column;
}

// The case, and the metric where it is not the primary one.
using RowKey = std::pair<std::string_view, std::string_view>;

RowKey key_of(const Finding& finding) {
  return {finding.case_name, is_primary(finding) ? std::string_view() : std::string_view(finding.metric.name)};
}

// Of metrics that are not primary, those that fail or warn somewhere have a row.
std::set<RowKey> rows_of(const std::vector<MatrixSource>& sources) {
  std::set<RowKey> keys;
  for (const MatrixSource& source : sources) {
    for (const Finding& finding : source.report.findings) {
      if (is_primary(finding) || finding.action == GateAction::fail || finding.action == GateAction::warn)
        keys.insert(key_of(finding));
    }
  }
  return keys;
}

void add_cells(const Report& report, std::size_t column, std::size_t columns, const std::set<RowKey>& wanted,
               std::map<RowKey, MatrixRow>& rows) {
  for (const Finding& finding : report.findings) {
    if (!wanted.contains(key_of(finding))) continue;
    MatrixRow& row = rows[key_of(finding)];
    row.cells.resize(columns);
    if (row.cells[column]) continue;  // a report lists the worst first
    row.case_name = finding.case_name;
    row.is_primary = is_primary(finding);
    if (row.metric.name.empty()) row.metric = finding.metric;
    if (!row.reference && finding.before) row.reference = finding.before->value;
    const auto value = finding.after ? std::optional(finding.after->value) : std::nullopt;
    row.cells[column] = MatrixCell{finding.verdict, finding.action, value, finding.change, finding.interval};
  }
}

/// Of rows that are shown because nothing else says why there is no verdict.
constexpr std::size_t most_undecided = 20;

bool is_changed(const MatrixCell& cell) {
  switch (cell.verdict) {
    case Verdict::equivalent:
    case Verdict::unchanged:
    case Verdict::layout:
    case Verdict::inconclusive:
    case Verdict::new_case:
    case Verdict::skipped:
      return false;
    default:
      return true;
  }
}

// As in a report: what fails, then the worse verdict, then the larger change.
auto urgency(const MatrixRow& row) {
  std::tuple<int, int, double> worst{static_cast<int>(GateAction::pass) + 1, 0, 0};
  for (const auto& cell : row.cells) {
    if (!cell) continue;
    const double size = size_in_order(cell->change, row.reference, cell->value);
    worst = std::min(worst, std::tuple(static_cast<int>(cell->action), static_cast<int>(cell->verdict), -size));
  }
  return worst;
}

Outcome worse(Outcome one, Outcome other) {
  const auto rank = [](Outcome outcome) {
    return outcome == Outcome::fail ? 2 : outcome == Outcome::no_verdict ? 1 : 0;
  };
  return rank(one) >= rank(other) ? one : other;
}

// The verdict in a word that fits into a cell.
std::string mark_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::regressed:
      return "slower";
    case Verdict::improved:
      return "faster";
    case Verdict::equivalent:
    case Verdict::unchanged:
    case Verdict::layout:
      return "=";
    case Verdict::suspected:
      return "slower?";
    case Verdict::inconclusive:
      return "?";
    default:
      return verdict_words(verdict);
  }
}

// Of a case that is undecided or equal by its verdict nothing else shows that it fails.
std::string fails_unseen(const MatrixCell& cell) {
  return cell.action == GateAction::fail && !is_changed(cell) ? " (fails)" : "";
}

std::string cell_words(const std::optional<MatrixCell>& cell, const Format& format) {
  if (!cell) return format.unknown();
  const std::string mark = mark_of(cell->verdict) + fails_unseen(*cell);
  return cell->change ? fmt::format("{} {}", format.percent(cell->change), mark) : mark;
}

// Some column has it neither as a new case nor as a skipped one.
bool was_compared(const MatrixRow& row) {
  return std::any_of(row.cells.begin(), row.cells.end(), [](const auto& cell) {
    return cell && cell->verdict != Verdict::new_case && cell->verdict != Verdict::skipped;
  });
}

// A row of the settings that make undecided or equal cases fail or warn.
bool fails_or_warns(const MatrixRow& row) {
  return std::any_of(row.cells.begin(), row.cells.end(), [](const auto& cell) {
    return cell && (cell->action == GateAction::fail || cell->action == GateAction::warn);
  });
}

bool has_failing_case(const Matrix& matrix, const MatrixColumn& column) {
  const auto at = static_cast<std::size_t>(&column - matrix.columns.data());
  return std::any_of(matrix.rows.begin(), matrix.rows.end(),
                     [at](const MatrixRow& row) { return row.cells[at] && row.cells[at]->action == GateAction::fail; });
}

bool has_failing_suspect(const Matrix& matrix) {
  return std::any_of(matrix.rows.begin(), matrix.rows.end(), [](const MatrixRow& row) {
    return row.is_primary && std::any_of(row.cells.begin(), row.cells.end(), [](const auto& cell) {
             return cell && cell->verdict == Verdict::suspected && cell->action == GateAction::fail;
           });
  });
}

std::string column_words(const MatrixColumn& column) {
  return column.libtorch ? fmt::format("{} ({})", column.name, *column.libtorch) : column.name;
}

// Why columns have no verdict, or fail where no case does: of a broken claim, or of how a run was measured.
std::vector<std::string> reasons_without_a_row(const Matrix& matrix) {
  return lines_of_columns(matrix, [&](const MatrixColumn& column) {
    const bool no_row_says =
        column.outcome == Outcome::no_verdict || (column.outcome == Outcome::fail && !has_failing_case(matrix, column));
    return no_row_says && !column.headline.empty() ? std::vector{column.headline} : std::vector<std::string>();
  });
}

std::string reference_words(const Matrix& matrix) {
  return matrix.reference_libtorch ? fmt::format("{} ({})", matrix.reference, *matrix.reference_libtorch)
                                   : matrix.reference;
}

}  // namespace

Matrix matrix_of(std::string reference, const std::vector<MatrixSource>& sources) {
  Matrix matrix;
  matrix.reference = std::move(reference);
  matrix.outcome = Outcome::pass;
  const std::set<RowKey> wanted = rows_of(sources);
  std::map<RowKey, MatrixRow> rows;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Report& report = sources[i].report;
    matrix.columns.push_back(matrix_column_of(sources[i]));
    matrix.outcome = worse(matrix.outcome, report.outcome);
    matrix.paired = matrix.paired || report.paired;
    if (!matrix.reference_libtorch) matrix.reference_libtorch = versions_of(report).first;
    add_cells(report, i, sources.size(), wanted, rows);
  }
  for (auto& [key, row] : rows) matrix.rows.push_back(std::move(row));
  std::stable_sort(matrix.rows.begin(), matrix.rows.end(),
                   [](const MatrixRow& a, const MatrixRow& b) { return urgency(a) < urgency(b); });
  return matrix;
}

std::vector<std::string> lines_of_columns(
    const Matrix& matrix, const std::function<std::vector<std::string>(const MatrixColumn&)>& texts_of) {
  std::vector<std::pair<std::string, std::string>> of_text;  // text, names
  for (const MatrixColumn& column : matrix.columns) {
    for (std::string& text : texts_of(column)) {
      const auto known = std::ranges::find(of_text, text, &std::pair<std::string, std::string>::first);
      if (known == of_text.end())
        of_text.emplace_back(std::move(text), column.name);
      else
        known->second += ", " + column.name;
    }
  }
  std::vector<std::string> lines;
  lines.reserve(of_text.size());
  for (const auto& [text, names] : of_text) lines.push_back(fmt::format("{}: {}", names, text));
  return lines;
}

bool is_changed(const MatrixRow& row) {
  return std::any_of(row.cells.begin(), row.cells.end(), [](const auto& cell) { return cell && is_changed(*cell); });
}

bool is_weak(const Matrix& matrix) {
  return matrix.outcome == Outcome::pass && std::any_of(matrix.columns.begin(), matrix.columns.end(),
                                                        [](const MatrixColumn& column) { return column.weak; });
}

bool is_undecided(const MatrixRow& row) {
  return !is_changed(row) && std::any_of(row.cells.begin(), row.cells.end(), [](const auto& cell) {
    return cell && cell->verdict == Verdict::inconclusive;
  });
}

std::string matrix_headline(const Matrix& matrix) {
  std::set<std::string_view> all;
  std::set<std::string_view> changed;
  std::set<std::string_view> undecided;
  for (const MatrixRow& row : matrix.rows) {
    all.insert(row.case_name);
    if (is_changed(row)) changed.insert(row.case_name);
    if (is_undecided(row)) undecided.insert(row.case_name);
  }
  std::erase_if(undecided, [&](std::string_view name) { return changed.contains(name); });
  return fmt::format(
      "{} compared with {}: {} of {} changed, may have changed or could not be compared in at least one of them{}",
      counted(static_cast<std::int64_t>(matrix.columns.size()), "version", "versions"), reference_words(matrix),
      grouped(std::ssize(changed)), counted(std::ssize(all), "case", "cases"),
      undecided.empty() ? "" : fmt::format("; {} undecided", grouped(std::ssize(undecided))));
}

Table matrix_table(const Matrix& matrix, const Format& format, bool all) {
  Table table{"Cases", {"case"}, {}, {}};
  if (!matrix.paired) table.columns.push_back(reference_words(matrix));
  for (const MatrixColumn& column : matrix.columns) table.columns.push_back(column_words(column));
  std::set<std::string_view> shown;
  std::int64_t left_out = 0;
  std::int64_t undecided = 0;
  std::int64_t not_compared = 0;
  for (const MatrixRow& row : matrix.rows) {
    const bool open = is_undecided(row);
    const bool says_why = open && matrix.outcome == Outcome::no_verdict && table.rows.size() < most_undecided;
    if (!all && !is_changed(row) && !fails_or_warns(row) && !says_why) {
      if (!shown.contains(row.case_name)) ++(open ? undecided : was_compared(row) ? left_out : not_compared);
      continue;
    }
    shown.insert(row.case_name);
    std::vector<std::string> cells{row.is_primary ? row.case_name : row.case_name + ' ' + row.metric.name};
    if (!matrix.paired) cells.push_back(format.quantity(row.reference, row.metric.unit));
    for (const auto& cell : row.cells) cells.push_back(cell_words(cell, format));
    table.rows.push_back(std::move(cells));
  }
  table.notes.emplace_back(
      "slower, faster: decided; slower?: suspected, not confirmed by pairs; =: within the margin, the same content, or "
      "moved without a change of code; ?: "
      "undecided");
  table.notes.emplace_back(matrix.paired
                               ? "each column is pairs of its own; its changes are those from its own before side"
                               : "each column is compared with the first run; columns are not compared with "
                                 "each other");
  if (undecided > 0)
    table.notes.push_back(
        fmt::format("{} undecided in at least one column, and changed in none: see --verbose or --format json",
                    counted(undecided, "case", "cases")));
  if (not_compared > 0)
    table.notes.push_back(fmt::format("{} compared in no column, being new or skipped: see --verbose or --format json",
                                      counted(not_compared, "case", "cases")));
  if (left_out > 0)
    table.notes.push_back(fmt::format("{} did not change in any column: see --verbose or --format json",
                                      counted(left_out, "case", "cases")));
  return table;
}

Table matrix_columns(const Matrix& matrix, const Format& format) {
  Table table{"Versions",
              {"version", "outcome", "slower", "faster", "equal", "undecided", "not compared", "time", "doubts"},
              {},
              {"time: geometric mean of after / before over the cases that were compared, undecided ones too"}};
  for (std::string& why : reasons_without_a_row(matrix)) table.notes.push_back(std::move(why));
  if (has_failing_suspect(matrix)) table.notes.emplace_back("slower: decided, or suspected and failing");
  for (const MatrixColumn& column : matrix.columns) {
    const CaseGroup& cases = column.cases;
    const std::string outcome = to_string(column.outcome) + std::string(column.weak ? " (weak)" : "");
    table.rows.push_back({column_words(column), outcome, grouped(cases.slower), grouped(cases.faster),
                          grouped(cases.equal), grouped(cases.undecided), grouped(cases.not_compared),
                          format.percent(cases.mean_change), grouped(static_cast<std::int64_t>(column.doubts.size()))});
  }
  return table;
}

}  // namespace torchgate::reports
