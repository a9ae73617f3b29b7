// SPDX-License-Identifier: Apache-2.0
// How many pairs it takes before `regressed` is possible at all. Fewer could only ever say "nothing found", whatever the
// change: a plan is raised to that number, and what was stopped below it is not judged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"
#include "stats/rule.hpp"

namespace torchgate::gate {

struct FewestPairs {
  std::size_t family = 1;  ///< m: the verdicts that share alpha
  std::int64_t pairs = 0;  ///< with fewer, none of them can be `regressed`; 0 where the policy's rule judges no pairs
};

FewestPairs fewest_pairs(std::size_t family, const policy::Policy& policy);

/// The same for all cases of pairs that are about to be measured. A case whose metrics are not known before it has run
/// counts as one verdict, and one for each metric that its policy names.
FewestPairs fewest_pairs(const record::Run& planned, const policy::Policy& policy);

/// "gate.pairs = 8: too few to show any regression, 6 verdicts need at least 11; up to 11 are measured".
std::string raised_pairs_sentence(std::int64_t asked, const FewestPairs& needed);

/// How the reason of a case begins that had too few pairs: why_undecided leaves it out.
inline constexpr std::string_view not_judged = "not judged: ";

/// Of an answer that no look could have made `regressed`: why it is no answer.
std::string blind_pairs_sentence(const stats::RuleAnswer& answer);

/// Notes for the report: that more pairs were planned than the policy asks for, and how many cases had too few to be judged.
void mention_pair_count(reports::Report& report, const record::Run& pairs, const policy::Policy& policy);

}  // namespace torchgate::gate
