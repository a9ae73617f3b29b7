// SPDX-License-Identifier: Apache-2.0
// Cases counted by what their time or rate came to: those of a suite, or all of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/report.hpp"

namespace torchgate::reports {

/// Of FINDINGS, one for each case: those of its primary metric.
CaseGroup group_of(std::string name, const std::vector<const Finding*>& findings);

/// A finding as a ratio of times: after / before, of a rate before / after. Absent without a change, or where there is no such ratio.
std::optional<double> time_ratio(const Finding& finding);

}  // namespace torchgate::reports
