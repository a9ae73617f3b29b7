// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/stored_cases.hpp"

#include <iterator>
#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/collect.hpp"
#include "ci/gate/pairs/confirmation.hpp"
#include "ci/gate/pairs/open_cases.hpp"
#include "ci/gate/pairs/pair_count.hpp"
#include "ci/gate/pairs/same_objects.hpp"
#include "ci/gate/screen.hpp"
#include "ci/gate/settle_policy.hpp"

namespace torchgate::gate {

StoredCases judge_stored_cases(const StoredComparison& comparison, const StoredSides& sides,
                               std::vector<reports::ClaimFinding> claims, const std::optional<Distrust>& distrust,
                               policy::CasePolicies& policies, const policy::Policy& policy, Remarks& remarks) {
  StoredCases judged;
  judged.claims = std::move(claims);
  {
    Screened screened = collect(sides, policies, policy, remarks);
    judged.not_planned = screened.not_planned;
    screen(screened, comparison, policies, policy, remarks);
    if (judges_time(policy)) {
      const Confirming confirming{comparison.pairs, comparison.unconfirmed_because, comparison.rebuilt};
      judged.suspects = static_cast<std::int64_t>(confirm(screened, confirming, policies, policy));
    }
    judged.cases = std::move(screened.settled);
    std::move(screened.compared.begin(), screened.compared.end(), std::back_inserter(judged.cases));
  }
  mention_open_cases(judged.cases, comparison.pairs, comparison.confirmable ? "" : comparison.unconfirmed_because,
                     remarks);
  if (comparison.pairs != nullptr) {
    mention_pair_count(judged.cases, *comparison.pairs, policy, remarks);
    guard_same_objects(judged.cases, *comparison.pairs, policy, remarks);
  }
  if (distrust) {
    distrust_times(judged.cases, distrust->because, distrust->matters);
    distrust_claims(judged.claims, distrust->because, distrust->matters);
  }
  settle_policy(judged.cases, judged.claims, sides.stored.front(), sides.current, policies, policy, remarks);
  return judged;
}

}  // namespace torchgate::gate
