// SPDX-License-Identifier: Apache-2.0
// The member "upgrade" of a JSON report.
#pragma once

#include "harness/json/json_writer.hpp"
#include "reports/upgrade.hpp"

namespace torchgate::reports {

void put_upgrade(json::JsonWriter& json, const Upgrade& upgrade);

/// Of a suite, of all cases, of a column of a matrix: without its name.
void put_group_counts(json::JsonWriter& json, const CaseGroup& group);

/// Without whether the comparison was refused for it: nothing is refused for a part of a build.
void put_difference_members(json::JsonWriter& json, const Difference& difference);

}  // namespace torchgate::reports
