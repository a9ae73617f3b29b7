// SPDX-License-Identifier: Apache-2.0
// Reads numbers and tables back from rendered reports, as a suspicious reader would.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace torchgate::reports {

/// "12.31 ms" -> 12.31e6 (ns); "49.70 MiB" -> bytes; "1,000" -> 1000. Nothing when it says "unknown".
std::optional<double> read_quantity(std::string text);
/// "+12.7 %" -> 0.127.
std::optional<double> read_percent(std::string text);
/// "4.9e-04" -> 0.00049, with any hyphen.
std::optional<double> read_number(std::string text);

std::vector<std::string> lines_of(const std::string& text);

/// How many cells a row of a GitHub table has: `strict` counts a pipe as escaped when an odd number of backslashes precedes
/// it (cmark-gfm), otherwise when any does (markdown-it): renderers differ, and a row has to hold in both.
std::size_t cells_in_row(const std::string& row, bool strict);

struct MarkdownRow {
  std::map<std::string, std::string> cells;  ///< by the name of the column up to " [", no-break characters made plain
};
/// The rows of all tables, in order.
std::vector<MarkdownRow> read_tables(const std::string& markdown);

}  // namespace torchgate::reports
