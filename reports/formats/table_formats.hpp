// SPDX-License-Identifier: Apache-2.0
// A table (table.hpp) as lines of a fixed-width font, as a section of a Markdown document, and as HTML.
#pragma once

#include <cstddef>
#include <string>

#include "reports/fit.hpp"
#include "reports/format.hpp"
#include "reports/table.hpp"

namespace torchgate::reports {

/// Rows of a long table that a terminal shows unless all are asked for.
inline constexpr std::size_t table_rows_shown = 20;

/// At most ROWS rows, and how many more there are. The first column gives way to the others; no line is wider than WIDTH, of at least 60.
std::string table_text(const Table& table, Notation notation, std::size_t width, std::size_t rows);

/// Folded, with its title as the summary; OPEN: unfolded.
Section table_section(const Table& table, int rank, double share, bool open);

/// At most 1,000 rows.
std::string table_html(const Table& table);

}  // namespace torchgate::reports
