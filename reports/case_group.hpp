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

/// |ln(1 + CHANGE)|: a time that doubled and a rate that halved are as large, and a fall to nothing is larger than any other. Absent: not known.
std::optional<double> size_of_change(const std::optional<double>& change);

/// The same for an order: what grew from nothing (BEFORE is 0) is larger than any other, and what is not known smaller.
double size_in_order(const std::optional<double>& change, const std::optional<double>& before,
                     const std::optional<double>& after);

}  // namespace torchgate::reports
