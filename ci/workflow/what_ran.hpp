// SPDX-License-Identifier: Apache-2.0
// Pairs against what was recorded: what ran is known, not assumed.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "baselines/loaded_check.hpp"
#include "ci/workflow/suspect_plan.hpp"
#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

using ExpectedOfSuites = std::map<std::string, std::vector<baselines::ExpectedObject>>;

/// The suites of these cases.
std::set<std::string> suites_of(const std::vector<std::string>& cases, const record::Run& run);

/// Every process of PAIRS that ended well loaded what was expected of its side. A suite that nothing is expected of passes.
base::Result<void> check_what_ran(const record::Run& pairs, const ExpectedOfSuites& before,
                                  const ExpectedOfSuites& after);

/// PAIRS, measured elsewhere, are those of PLAN: run, baseline, cases, family, pairs at most, profile and seed; every
/// process is the one that was planned (`check_measured_as_planned`); and both sides ran the objects that BASELINE and
/// CURRENT recorded, with the same libraries of the system. bad_input says what differs.
base::Result<void> check_pairs(const record::Run& pairs, const SuspectPlan& plan, const record::Run& baseline,
                               const record::Run& current, const policy::Policy& policy);

}  // namespace torchgate::workflow
