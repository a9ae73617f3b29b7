// SPDX-License-Identifier: Apache-2.0
// github-action-benchmark's customSmallerIsBetter: the file that its inputs `tool` and `output-file-path` name.
#pragma once

#include <string>

#include "reports/report.hpp"

namespace torchgate::reports {

/// A list of {name, unit, value, range, extra}: cases of the new side whose primary metric is better when smaller. The others are left out,
/// since the tool would read their improvements as regressions.
std::string render_github_action_benchmark(const Report& report);

}  // namespace torchgate::reports
