// SPDX-License-Identifier: Apache-2.0
// The words of stats as the report's.
#pragma once

#include "reports/report.hpp"
#include "stats/verdict.hpp"

namespace torchgate::gate {

reports::Verdict verdict_of(stats::Call call);

/// Appends one sentence for each reason.
void add_reasons(reports::Finding& finding, const stats::Reasons& reasons);

}  // namespace torchgate::gate
