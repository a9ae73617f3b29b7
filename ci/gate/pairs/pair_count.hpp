// SPDX-License-Identifier: Apache-2.0
// How many pairs it takes before `regressed` is possible at all. Fewer could only ever say "nothing found", whatever the
// change: a plan is raised to that number, and what was stopped below it is not judged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"

namespace torchgate::gate {

struct FewestPairs {
  std::size_t family = 1;  ///< m: the verdicts that share alpha
  std::int64_t pairs = 0;  ///< with fewer, none of them can be `regressed`; 0 where the policy's rule judges no pairs
};

/// ALPHA_SHARE: of alpha, that those have (PairPlan).
FewestPairs fewest_pairs(std::size_t family, const policy::Gate& policy, double alpha_share = 1.0);

/// The same for all cases of pairs that are about to be measured. A case whose metrics are not known before it has run
/// counts as one verdict, and one for each metric that its policy names.
FewestPairs fewest_pairs(const record::Run& planned, const policy::CaseGates& policy);

/// "gate.pairs = 8: too few to show any regression, 6 verdicts need at least 11; up to 11 are measured".
facts::Fact raised_pairs(std::int64_t asked, const FewestPairs& needed);

/// Notes: that more pairs were planned than the policy asks for, and how many cases had too few to be judged.
void mention_pair_count(const std::vector<Judged>& cases, const record::Run& pairs, const policy::CaseGates& policy,
                        Remarks& remarks);

}  // namespace torchgate::gate
