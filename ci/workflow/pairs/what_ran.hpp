// SPDX-License-Identifier: Apache-2.0
// Checks that pairs ran the recorded binaries.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "baselines/loaded_check.hpp"
#include "ci/workflow/pairs/pair_plan_file.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

using ExpectedOfSuites = std::map<std::string, std::vector<baselines::ExpectedObject>>;

/// The suites of these cases.
std::set<std::string> suites_of(const std::vector<std::string>& cases, const record::Run& run);

/// Checks that every successful process of PAIRS loaded the expected files of its side. A suite without expected files
/// passes.
base::Result<void> check_what_ran(const record::Run& pairs, const ExpectedOfSuites& before,
                                  const ExpectedOfSuites& after);

/// Checks that the before side of PAIRS ran the libraries that BASELINE recorded, but for what was built from its commit. A library that
/// comes from the machine, such as LibTorch (the system's, too), may have changed since: it is then the same on both sides, and what it
/// changed is hidden. no_verdict names it.
base::Result<void> check_machine_libraries(const record::Run& pairs, const record::Run& baseline);

/// Checks that PAIRS, measured elsewhere, follow PLAN: run, baseline, cases, family, largest number of pairs, profile
/// and seed; that every process is a planned one (`check_measured_as_planned`); and that both sides ran the files that
/// BASELINE and CURRENT recorded, with the same system libraries; a before side that was rebuilt from BASELINE's commit has
/// other files. bad_input names the difference; no_verdict: the pairs were measured on another machine than CURRENT.
base::Result<void> check_pairs(const record::Run& pairs, const PairPlanFile& plan, const record::Run& baseline,
                               const record::Run& current, const policy::Policy& policy);

}  // namespace torchgate::workflow
