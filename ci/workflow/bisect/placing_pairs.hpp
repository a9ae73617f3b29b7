// SPDX-License-Identifier: Apache-2.0
// Pairs of a known build and the build of a commit, which end as soon as it is clear to which side of the change the commit belongs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/workflow/bisect/bisect_state.hpp"
#include "harness/launch/request.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// The log differences (after - before, larger is worse) of the pairs of both sides, of this number of a pair. Empty: the case has no such
/// pairs.
std::vector<double> differences_of(const gate::SideEvidence& before, const gate::SideEvidence& after,
                                   std::string_view case_name, PairNumber number);

/// Which build the pairs compare the commit with.
enum class KnownBuild : std::uint8_t { good, bad };

/// Differences to the good build, by case.
using PairsOfCases = std::map<std::string, std::vector<double>>;

/// Adds those of RUN, whose before side is the build KNOWN, to PAIRS: where that is the bad one, shifted by the change.
void add_pairs(const record::Run& run, KnownBuild known, const std::vector<ChangedCase>& cases, PairsOfCases& pairs);

/// The cases, as PAIRS place them; MOST: pairs, after which a case stays undecided.
std::vector<PlacedCase> placed(const std::vector<ChangedCase>& cases, const PairsOfCases& pairs, std::int64_t most);

/// Chooses the groups of which a case is not placed yet. EARLIER: pairs that were measured before, with the other build.
std::shared_ptr<launch::Rounds> placing_rounds(std::vector<ChangedCase> cases, KnownBuild known, PairsOfCases earlier,
                                               std::int64_t most);

}  // namespace torchgate::workflow
