// SPDX-License-Identifier: Apache-2.0
// More than two versions in one table: a row for each case, a column for each version, each compared with the same reference.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/format.hpp"
#include "reports/report.hpp"
#include "reports/table.hpp"

namespace torchgate::reports {

/// The report of one version, and how the user named it.
struct MatrixSource {
  std::string name;
  Report report;
};

struct MatrixColumn {
  std::string name;
  std::optional<std::string> libtorch;  ///< its version, where it differs from the reference's
  Outcome outcome = Outcome::no_verdict;
  bool weak = false;  ///< a pass with less than half of the cases decided
  std::string headline;
  std::vector<std::string> doubts;
  std::vector<std::string> run_ids;
  CaseGroup cases;  ///< without a name
};

/// What a version did to a case: the finding of its primary metric, or of one that fails or warns.
struct MatrixCell {
  Verdict verdict = Verdict::inconclusive;
  GateAction action = GateAction::note;
  std::optional<double> value;   ///< in the metric's unit
  std::optional<double> change;  ///< relative to the reference
  std::optional<Interval> interval;
};

struct MatrixRow {
  std::string case_name;
  record::Metric metric;
  std::optional<double> reference;               ///< its value in the first column that has one
  std::vector<std::optional<MatrixCell>> cells;  ///< one for each column; absent: the column does not have the case
  bool is_primary = true;                        ///< its metric is the primary one of the case
};

struct Matrix {
  Outcome outcome = Outcome::no_verdict;  ///< the worst of the columns
  std::string reference;                  ///< its name
  std::optional<std::string> reference_libtorch;
  bool paired = false;  ///< each column is pairs, with the reference measured anew in each
  std::vector<MatrixColumn> columns;
  std::vector<MatrixRow> rows;  ///< worst first
};

/// REQUIRES: at least one source. REFERENCE: its name.
Matrix matrix_of(std::string reference, const std::vector<MatrixSource>& sources);

/// A pass, and that of a column is weak.
bool is_weak(const Matrix& matrix);

/// "2 versions compared with base: 3 of 120 cases changed in at least one of them; 5 undecided".
std::string matrix_headline(const Matrix& matrix);

/// "b, c: TEXT" of each text of a column, in their order; a text of several columns is one line.
std::vector<std::string> lines_of_columns(const Matrix& matrix,
                                          const std::function<std::vector<std::string>(const MatrixColumn&)>& texts_of);

/// Whether a version made a difference to the case, decided or suspected, or could not be compared.
bool is_changed(const MatrixRow& row);

/// No version made such a difference, and at least one could not be decided.
bool is_undecided(const MatrixRow& row);

/// ALL: also the cases that did not change in any column; else notes count them. What fails or warns is always shown. Without a verdict the first undecided ones are shown.
Table matrix_table(const Matrix& matrix, const Format& format, bool all);
/// A row for each column: what it is, and what it came to.
Table matrix_columns(const Matrix& matrix, const Format& format);

}  // namespace torchgate::reports
