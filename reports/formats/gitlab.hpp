// SPDX-License-Identifier: Apache-2.0
// The report as GitLab's metrics report (docs.gitlab.com, "Metrics reports"): a few lines of OpenMetrics text, which a merge request shows
// beside those of its target branch.
#pragma once

#include <cstddef>
#include <string>

#include "reports/report.hpp"

namespace torchgate::reports {

/// Cases of which the widget gets a line: it shows all lines that differ, one below the other.
inline constexpr std::size_t most_gitlab_cases = 50;

/// Counts of findings, the largest slow-down, and the change of each case that needs attention. GitLab splits a line at its space: labels
/// have none.
std::string render_gitlab(const Report& report);

}  // namespace torchgate::reports
