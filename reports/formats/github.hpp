// SPDX-License-Identifier: Apache-2.0
// The report as GitHub annotations: workflow commands that a job prints (docs.github.com, "Workflow commands for GitHub Actions").
#pragma once

#include <cstddef>
#include <string>

#include "reports/report.hpp"

namespace torchgate::reports {

/// GitHub keeps ten annotations of a kind and step, and says nothing of the others: nine findings, and how many more there are.
inline constexpr std::size_t most_annotations = 9;

/// The verdict's worst findings and broken claims, one `::error` or `::warning` each, and a `::notice` where there are more or where
/// there is no verdict. Nothing for a pass without remarks. Names and messages cannot begin a command or end their own.
std::string render_github(const Report& report);

}  // namespace torchgate::reports
