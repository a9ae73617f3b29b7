// SPDX-License-Identifier: Apache-2.0
// What `ab --vary NAME` says differs on purpose, and what differs between the two sides of a paired run.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::gate {

/// Facts that only a suite knows; those of the machine are in its record.
std::set<std::string> suite_fact_names();

/// NAME is the fact, or the first word of it: "libtorch" names libtorch_version and libtorch_build.
bool names_fact(const std::string& name, const std::string& fact);

/// Whether NAMES have LibTorch among them.
bool varies_libtorch(const std::vector<std::string>& names);

/// bad_input for a name that is not a fact of MACHINE or of a suite, with the nearest ones.
base::Result<void> check_vary(const std::vector<std::string>& names, const record::Machine& machine);

/// Facts of a paired run that its sides do not share: the collector keeps them as "NAME (before)" and "NAME (after)".
std::vector<reports::Difference> side_differences(const record::Run& run);

/// Removes the differences that are named from the report's, and notes what was varied. Those of LibTorch, if it is named, become the `build` of
/// the report's upgrade.
void accept_varied(reports::Report& report, const std::vector<std::string>& names);

}  // namespace torchgate::gate
