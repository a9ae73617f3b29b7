// SPDX-License-Identifier: Apache-2.0
// github-action-benchmark's customSmallerIsBetter and customBiggerIsBetter: the file that its inputs `tool` and `output-file-path` name.
// The tool reads all values of a file in one direction, so there is a file for each.
#pragma once

#include <string>

#include "harness/record/metric.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// A list of {name, unit, value, range, extra}: cases of the new side whose primary metric is better in DIRECTION, and other metrics that
/// were judged of a case, as "CASE: METRIC". The others are left out, since the tool would read their improvements as regressions.
std::string render_github_action_benchmark(const Report& report, record::Direction direction);

/// How many values that file leaves out, and how to write them; empty: none.
std::string left_out_for_github_action(const Report& report, record::Direction direction);

}  // namespace torchgate::reports
