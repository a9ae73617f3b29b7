// SPDX-License-Identifier: Apache-2.0
// The environment variables of the suites, compared one by one.
#pragma once

#include <string>
#include <vector>

#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// Variables of the fact library_environment that differ, as parts of it ("library_environment: OMP_WAIT_POLICY"), by name. Left out: those of
/// other facts of the machines, the language of messages, and those that name places or devices, which differ between equal machines.
/// Empty where a side does not know its variables. A merged run has the values of all its shards: "(not set) or active".
std::vector<reports::Difference> environment_differences(const record::Machine& before, const record::Machine& after);

/// Names of the variables that differ in library_environment or environment_switches: what the libraries of a program may read. Left out are
/// the same ones, and those that only one side knows.
std::vector<std::string> changed_variables(const record::Machine& before, const record::Machine& after);

}  // namespace torchgate::gate
