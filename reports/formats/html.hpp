// SPDX-License-Identifier: Apache-2.0
// The report as one HTML file that needs nothing else: no network, no font, no script to read the verdict.
#pragma once

#include <cstddef>
#include <string>

#include "reports/report.hpp"

namespace torchgate::reports {

/// Rows that are on the page without a script: what needs attention, the worst first. The others are in its data, and a script shows
/// them, a hundred at a time.
inline constexpr std::size_t most_static_rows = 1000;
/// Of these, as many have their drawings: about 8 KB each, so that a page with 10,000 findings stays below 5 MB.
inline constexpr std::size_t most_drawn_rows = 200;

/// Rows in the data of the page; of more, the page says how many are in the JSON report only.
inline constexpr std::size_t most_data_rows = 20000;

/// A strict content policy in the page names its script and style by their hashes and allows nothing else. Names and messages are text.
std::string render_html(const Report& report);

}  // namespace torchgate::reports
