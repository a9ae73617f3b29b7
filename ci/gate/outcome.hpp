// SPDX-License-Identifier: Apache-2.0
// From judged cases to pass or fail, and what the report says first.
#pragma once

#include <string>
#include <vector>

#include "ci/gate/judged.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// Worst first, then the larger change, then by name.
void sort_by_urgency(std::vector<Judged>& cases);

/// Ends a report whose headers, claims and rule are filled in: findings in order, counts, outcome, headline, notes and doubts
/// behind those that it has. `incomplete`: why a pass cannot be said (incomplete_because()); empty: it can. `min_decided`: the share
/// of the compared cases that has to be decided for a pass.
void conclude(reports::Report& report, std::vector<Judged> cases, Remarks remarks, const facts::Fact& incomplete,
              double min_decided);

}  // namespace torchgate::gate
