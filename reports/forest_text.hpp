// SPDX-License-Identifier: Apache-2.0
// A forest made of characters, for a terminal and for the code block of a comment:
//
//                                     -10 %   0 %   +10 %
//   ■ fusion/conv_bn/folded/batch:8           ┊  │ ──■──     +12.7 %
//   ○ attention/sdpa/flash/seq:512         ←──┊──┼──○────→   +4.30 %
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/forest.hpp"

namespace torchgate::reports {

struct ForestTextOptions {
  std::size_t width = 80;  ///< columns; at least 40
  bool unicode = true;
};

/// A row has its mark at its beginning, which a terminal may colour; the other lines have none.
struct ForestLine {
  std::string mark;
  std::string rest;
  std::optional<ForestShape> shape;

  [[nodiscard]] std::string text() const { return mark + rest; }
};

/// The axis, a line for each row, and a line that says what marks and lines mean and how many cases have no row. No line is wider than
/// the width. Nothing where no change is known. Names are made inert (one_line()).
std::vector<ForestLine> forest_lines(const Forest& forest, const Report& report, const ForestTextOptions& options);

}  // namespace torchgate::reports
