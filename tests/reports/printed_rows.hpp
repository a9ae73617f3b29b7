// SPDX-License-Identifier: Apache-2.0
// The rows of a rendered report that show a value before, a value after and the change between them, with what rounding each of
// the three has by its printed digits.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace torchgate::reports {

/// A number as printed: "12.3 ms" is 12.3e6 ns, and the value may have been 0.05e6 more or less.
struct Printed {
  double value = 0;
  double half_unit = 0;
};
/// Nothing when the text does not begin with a number.
std::optional<Printed> read_printed(const std::string& text);
/// The same of a percentage: "+12.4 %" is 0.124.
std::optional<Printed> read_printed_percent(const std::string& text);

struct PrintedRow {
  Printed before;
  Printed after;
  Printed change;
  std::string text;  ///< the line that it was read from
};
/// before x (1 + change) = after, up to the rounding of the three.
bool agrees(const PrintedRow& row);

/// Number lines of tables, and lines of further numbers (P95, throughput), where all three are known.
std::vector<PrintedRow> rows_of_terminal(const std::string& text);
std::vector<PrintedRow> rows_of_markdown(const std::string& markdown);
/// The rows on an HTML page, those in its data, and further numbers.
std::vector<PrintedRow> rows_of_html(const std::string& page);
/// Any line with "12.3 ms -> 14.1 ms" and one percentage after it or before it: histories, explanations.
std::vector<PrintedRow> rows_with_arrow(const std::string& text);

}  // namespace torchgate::reports
