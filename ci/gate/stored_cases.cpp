// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/stored_cases.hpp"

#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/budgets.hpp"
#include "ci/gate/collect.hpp"
#include "ci/gate/evidence/stored_pool.hpp"
#include "ci/gate/evidence/unchanged_groups.hpp"
#include "ci/gate/instructions/judge_instructions.hpp"
#include "ci/gate/instructions/open_counts.hpp"
#include "ci/gate/pairs/confirmation.hpp"
#include "ci/gate/pairs/layout.hpp"
#include "ci/gate/pairs/open_cases.hpp"
#include "ci/gate/pairs/pair_count.hpp"
#include "ci/gate/pairs/same_objects.hpp"
#include "ci/gate/pairs/without_turns.hpp"
#include "ci/gate/screening.hpp"
#include "ci/gate/settle_policy.hpp"
#include "harness/base/counted.hpp"

namespace torchgate::gate {

namespace {

// Decided without a test: no code of theirs differs.
void settle_same_groups(Screened& screened, const StoredComparison& comparison, Remarks& remarks) {
  const auto same = same_groups(*comparison.baseline.front(), *comparison.current);
  std::int64_t settled = 0;
  for (Judged& judged : screened.compared) {
    const auto group = same.find(judged.definition->group);
    if (group == same.end() || !judged.older_run.empty()) continue;
    replace_decision(judged, reports::Verdict::unchanged, ReasonKind::state, group->second);
    judged.decision = {};  // nothing was weighed
    judged.decision.verdict = reports::Verdict::unchanged;
    judged.probe = false;
    settled += judged.metric.primary ? 1 : 0;
  }
  if (settled == 0) return;
  remarks.notes.push_back(
      fmt::format("{} unchanged: what they ran and read is byte-identical on both sides; their times "
                  "were not judged (--measure-unchanged judges them)",
                  base::counted(settled, "case is", "cases are")));
}

void add_instructions(std::vector<Judged>& cases, const StoredComparison& comparison, const StoredSides& sides,
                      policy::CasePolicies& policies, const policy::Policy& policy, Remarks& remarks) {
  CountedSides counted;
  counted.before = {comparison.baseline.front(), 0};
  counted.after = {comparison.current, 0};
  counted.before_evidence = &sides.stored.front();
  counted.after_evidence = &sides.current;
  const StoredPool pool(sides.stored);
  counted.pool = &pool;
  counted.calibrated = comparison.instructions_spread_of;
  std::map<std::string, std::string, std::less<>> same;
  if (!comparison.judge_unchanged) same = same_groups(*comparison.baseline.front(), *comparison.current);
  counted.leaves_out = [&](const std::string& group) { return same.contains(group); };
  // No code of theirs differs, so no count of theirs is missing.
  std::erase_if(remarks.uncounted, [&](const std::string& name) {
    const CaseEvidence* const evidence = sides.current.find(name);
    return evidence != nullptr && same.contains(evidence->definition->group);
  });
  judge_instructions(counted, policies, policy, cases, remarks);
}

// Those of the pairs first: both sides were counted here, one beside the other.
std::vector<OpenCounts> open_counts_of(const StoredComparison& comparison) {
  std::vector<OpenCounts> sources;
  if (comparison.pairs != nullptr) sources.push_back(counts_of_pairs(*comparison.pairs));
  sources.push_back({{comparison.baseline.front(), 0},
                     {comparison.current, 0},
                     "the stored runs",
                     comparison.instructions_spread_of});
  return sources;
}

}  // namespace

StoredCases judge_stored_cases(const StoredComparison& comparison, const StoredSides& sides,
                               std::vector<reports::ClaimFinding> claims, const std::optional<Distrust>& distrust,
                               policy::CasePolicies& policies, const policy::Policy& policy, Remarks& remarks) {
  StoredCases judged;
  judged.claims = std::move(claims);
  {
    Screened screened = collect(sides, policies, policy, remarks);
    judged.not_planned = screened.not_planned + screened.only_before;
    screen(screened, comparison, policies, policy, remarks);
    if (!comparison.judge_unchanged) settle_same_groups(screened, comparison, remarks);
    if (judges_time(policy)) {
      std::optional<PairInputs> inputs;
      if (comparison.pairs != nullptr)
        inputs.emplace(*comparison.baseline.front(), *comparison.current, *comparison.pairs, comparison.changed_data);
      const Confirming confirming{comparison.pairs, comparison.unconfirmed_because, inputs ? &*inputs : nullptr,
                                  comparison.rebuilt};
      judged.suspects = static_cast<std::int64_t>(confirm(screened, confirming, policies, policy));
    }
    judged.cases = std::move(screened.settled);
    std::move(screened.compared.begin(), screened.compared.end(), std::back_inserter(judged.cases));
  }
  add_instructions(judged.cases, comparison, sides, policies, policy, remarks);
  mention_open_cases(judged.cases, comparison.pairs, comparison.confirmable ? "" : comparison.unconfirmed_because,
                     remarks);
  if (comparison.pairs != nullptr) {
    mention_pair_count(judged.cases, *comparison.pairs, policy, remarks);
    mention_without_turns(judged.cases, remarks);
    guard_same_objects(judged.cases, *comparison.pairs, policy, remarks);
    guard_layout(judged.cases, *comparison.pairs, policy);
  }
  if (distrust) {
    distrust_times(judged.cases, distrust->because, distrust->matters);
    distrust_claims(judged.claims, distrust->because, distrust->matters);
  }
  judge_open_counts(judged.cases, open_counts_of(comparison), policies, policy, remarks);
  judge_budgets(judged.cases, sides.current, policies, policy, !distrust || !distrust->unfit, remarks);
  settle_policy(judged.cases, judged.claims, sides.stored.front(), sides.current, policies, policy, remarks);
  return judged;
}

}  // namespace torchgate::gate
