// SPDX-License-Identifier: Apache-2.0
// Interleaved pairs of one case: what they decide, for `ab` and for the confirmation of suspects.
#pragma once

#include <cstddef>
#include <string>

#include "ci/gate/judged.hpp"
#include "ci/gate/pairs/pair_inputs.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "ci/gate/screening.hpp"
#include "ci/policy/case_rules.hpp"
#include "ci/policy/policy.hpp"

namespace torchgate::gate {

/// Pairs of suspects, and what is said about them.
struct Confirming {
  const record::Run* pairs = nullptr;  ///< absent: none were measured
  facts::Fact unconfirmed_because;     ///< why not; empty: they were not requested
  const PairInputs* inputs = nullptr;  ///< of PAIRS; absent with them
  std::string rebuilt;                 ///< what the before side was, where it is not the baseline's own binaries
};

/// The stage of the pairs: what they decide of SCREENED, case by case. Suspects that they leave open, that have none, or that read
/// files which the pairs did not compare (unless the pairs regressed), stay
/// suspected, with the reason and whether their whole interval lies beyond the gate: missing evidence does not clear them.
/// Adds the tails of the cases that have pairs to what is settled.
/// Returns how many were suspected: they share alpha.
std::size_t confirm(Screened& screened, const Confirming& confirming, policy::CasePolicies& policies,
                    const policy::CaseGates& policy);

/// A doubt about the cases that the screen saw far beyond the gate and that their pairs cleared: what neither the processes recorded nor git
/// knows may have changed for both sides. SUSPECTS share alpha.
void doubt_large_suggestions(const Screened& screened, std::size_t suspects, policy::CasePolicies& policies,
                             Remarks& remarks);

/// What to do about an unconfirmed suspect is decided among all suspects: they share alpha.
struct Suspects {
  std::size_t count = 0;
  policy::CasePolicies& policies;
};

/// A suspect that stays one, BECAUSE: whether its whole interval lies beyond the gate is what `gate.unconfirmed` asks.
void leave_unconfirmed(Judged& judged, const stats::RuleAnswer& screened, const facts::Fact& because,
                       const Suspects& suspects);

/// Makes the pairs' answer, which is of VALUES, the decision. `own` is the case's policy.
void decide_by_pairs(Judged& judged, const stats::RuleAnswer& answer, const PairValues& values,
                     const policy::Gate& own);

/// Where it is slower: what can be seen to have changed.
void add_why(Judged& judged, const CaseEvidence& before, const CaseEvidence& after);

}  // namespace torchgate::gate
