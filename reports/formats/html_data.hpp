// SPDX-License-Identifier: Apache-2.0
// What the script of a page works with, as JSON: the rows that are not on it, and the histories that can be zoomed.
#pragma once

#include <string>
#include <vector>

#include "reports/formats/html_finding.hpp"
#include "reports/history.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// {columns, rows: [[verdict, primary, change, case, before, after, ...]], verdicts: [{name, words, tone}]}: a row names its verdict by its
/// place in the list. DRAWN are on the page already; LISTED are the rows.
std::string html_rows_json(const std::vector<HtmlFinding>& drawn, const std::vector<const Finding*>& listed,
                           const Report& report);

/// [{unit, runs: [[ms since 1970, value]], changes: [[ms since 1970, text]]}], in the order given.
std::string html_histories_json(const std::vector<const History*>& histories);

}  // namespace torchgate::reports
