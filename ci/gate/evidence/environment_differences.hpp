// SPDX-License-Identifier: Apache-2.0
// The environment variables of the suites, compared one by one.
#pragma once

#include <vector>

#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// Variables of the fact library_environment that differ, as parts of it ("library_environment: OMP_WAIT_POLICY"), by name. Left out: those of
/// other facts of the machines, the language of messages, and those that name places or devices, which differ between equal machines.
/// Empty where a side does not know its variables.
std::vector<reports::Difference> environment_differences(const record::Machine& before, const record::Machine& after);

}  // namespace torchgate::gate
