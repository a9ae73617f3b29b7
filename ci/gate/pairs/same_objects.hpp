// SPDX-License-Identifier: Apache-2.0
// Pairs whose two sides loaded the same files: nothing that a compiler made differs, so what was measured is noise.
#pragma once

#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/case_rules.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate {

/// The guard against pairs of the same files. For CASES that rest on PAIRS of such a group:
///  - regressed, improved and suspected do not stand: they become equivalent where the whole interval lies within the margin, else
///    inconclusive. More pairs would not help, so none are asked for;
///  - a note gives the noise: the median and the largest |change|;
///  - a doubt, when a verdict was replaced: a test at 1 % hardly ever errs twice, so something else differs between the
///    sides that moves times (files that the suites read, the places of the files, the machine), and it may have moved the
///    cases that did change, too.
/// Counts, failures and wrong outputs are left as they are.
void guard_same_objects(std::vector<Judged>& cases, const record::Run& pairs, policy::CasePolicies& policies,
                        Remarks& remarks);

}  // namespace torchgate::gate
