// SPDX-License-Identifier: Apache-2.0
// A finding as rows of an HTML table: its numbers, and below them drawings, reasons, operators and further numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/format.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// "fail", "warn", "pass", "none": the class that gives the words their colour. The words are beside it.
std::string_view html_tone(const Finding& finding);
/// "✖ regressed (fails)".
std::string html_verdict(const Finding& finding, const Report& report, const Format& format);

/// The columns of a finding after its verdict: case, before, after, change, interval, p, Cohen's d, n. Untrusted.
std::vector<std::string> html_cells(const Finding& finding, const Report& report, const Format& format);

struct HtmlFinding {
  const Finding* finding;
  bool drawn = false;                ///< with drawings
  bool explained = false;            ///< the drawing says what it shows: the first one does
  bool open = false;                 ///< its details are visible without a click
  const History* history = nullptr;  ///< of its case and metric
  std::size_t history_index = 0;     ///< in the data of the page
  std::string anchor = {};           ///< its id on the page
};

/// A <tbody>.
std::string html_rows(const HtmlFinding& row, const Report& report, const Format& format);

/// The names of the columns, with the verdict.
const std::vector<std::string>& html_columns();

}  // namespace torchgate::reports
