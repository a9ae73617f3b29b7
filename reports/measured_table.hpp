// SPDX-License-Identifier: Apache-2.0
// What a run measured, where there is nothing to compare it with.
#pragma once

#include <vector>

#include "reports/format.hpp"
#include "reports/report.hpp"
#include "reports/table.hpp"

namespace torchgate::reports {

/// FINDINGS of one run: each one's value, its noise as far as it is known of any, and the number of its processes.
Table measured_table(const std::vector<const Finding*>& findings, const Report& report, const Format& format);

}  // namespace torchgate::reports
