// SPDX-License-Identifier: Apache-2.0
// A GitHub table in pieces, so that a document can print its head and as many of its rows as fit.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace torchgate::reports {

class MarkdownTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::string name;
    Align align = Align::left;
  };

  /// `blank`: the cell that says "nothing known". A column in which no row says more than that is not printed.
  MarkdownTable(std::vector<Column> columns, std::string blank);

  /// REQUIRES: one cell for each column, each without a line break and without an unescaped pipe.
  void add_row(std::vector<std::string> cells);

  /// At least so much its rows take as they will be printed.
  [[nodiscard]] std::size_t row_bytes() const { return row_bytes_; }

  /// The line of names and the line under it.
  [[nodiscard]] std::string head() const;
  /// One line for each row.
  [[nodiscard]] std::vector<std::string> rows() const;
  /// All of it.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::vector<bool> printed() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::string blank_;
  std::size_t row_bytes_ = 0;
};

}  // namespace torchgate::reports
