// SPDX-License-Identifier: Apache-2.0
// What a program or its user wrote down on one side of a comparison of imported files, and not on the other.
#pragma once

#include <vector>

#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// "context: opt" from "not set" to "-O0", where the other side's files have a context; "label: BM_x", where the other side measured that case.
/// Empty for runs of different tools, and of another version of torchgate, which may have read less.
std::vector<reports::Difference> one_sided_facts(const record::Run& before, const record::Run& after);

}  // namespace torchgate::gate
