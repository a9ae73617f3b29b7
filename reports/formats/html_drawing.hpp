// SPDX-License-Identifier: Apache-2.0
// Drawings of an HTML page as SVG: made with the page, readable without a script and by a screen reader (title and description).
#pragma once

#include <string>

#include "reports/history.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// Both sides of a timed finding on one axis: the processes as dots over the density of the samples, and below the interval of the change
/// with the gate and the margin. Empty where nothing of it is known.
std::string comparison_svg(const Finding& finding, const Report& report);

/// The stored runs of a case with its levels and changes. Empty with fewer than two runs.
std::string history_svg(const History& history);

}  // namespace torchgate::reports
