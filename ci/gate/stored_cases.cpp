// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/stored_cases.hpp"

#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "ci/gate/answer.hpp"
#include "ci/gate/collect.hpp"
#include "ci/gate/evidence/stored_pool.hpp"
#include "ci/gate/evidence/unchanged_groups.hpp"
#include "ci/gate/guards.hpp"
#include "ci/gate/instructions/judge_instructions.hpp"
#include "ci/gate/large_growth.hpp"
#include "ci/gate/pairs/confirmation.hpp"
#include "ci/gate/pairs/open_cases.hpp"
#include "ci/gate/screening.hpp"
#include "ci/gate/stored_means.hpp"
#include "reports/facts/about_inputs.hpp"

namespace torchgate::gate {

namespace {

// Decided without a test: no code of theirs differs.
void settle_same_groups(Screened& screened, const SameGroups& same, Remarks& remarks) {
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
  if (settled > 0) remarks.notes.push_back(facts::cases_identical(settled));
}

void add_instructions(std::vector<Judged>& cases, const Comparison& comparison, const StoredSides& sides,
                      const SameGroups& same, policy::CasePolicies& policies, const policy::Gate& policy,
                      Remarks& remarks) {
  CountedSides counted;
  counted.before = {comparison.baseline.front(), 0};
  counted.after = {comparison.current, 0};
  counted.before_evidence = &sides.stored.front();
  counted.after_evidence = &sides.current;
  const StoredPool pool(sides.stored, sides.current.run());
  counted.pool = &pool;
  counted.calibrated = comparison.instructions_spread_of;
  counted.leaves_out = [&](const std::string& group) { return same.contains(group); };
  // No code of theirs differs, so no count of theirs is missing.
  std::erase_if(remarks.uncounted, [&](const std::string& name) {
    const CaseEvidence* const evidence = sides.current.find(name);
    return evidence != nullptr && same.contains(evidence->definition->group);
  });
  judge_instructions(counted, policies, policy, cases, remarks);
}

// Those of the pairs first: both sides were counted here, one beside the other.
std::vector<OpenCounts> open_counts_of(const Comparison& comparison) {
  std::vector<OpenCounts> sources;
  if (comparison.pairs != nullptr) sources.push_back(counts_of_pairs(*comparison.pairs));
  sources.push_back({{comparison.baseline.front(), 0},
                     {comparison.current, 0},
                     "the stored runs",
                     comparison.instructions_spread_of});
  return sources;
}

}  // namespace

void judge_stored_cases(const Comparison& comparison, const StoredSides& sides, const std::optional<facts::Fact>& unfit,
                        policy::CasePolicies& policies, const policy::Judging& policy, Assessment& assessment) {
  Remarks& remarks = assessment.remarks;
  const SameGroups same =
      comparison.judge_unchanged ? SameGroups() : same_groups(*comparison.baseline.front(), *comparison.current);
  {
    Screened screened = collect(sides, policies, policy, remarks);
    assessment.report.cases_not_planned = screened.not_planned + screened.only_before;
    if (assessment.incomplete.empty()) assessment.incomplete = screened.no_part;
    screen(screened, comparison, policies, policy, remarks);
    settle_same_groups(screened, same, remarks);
    if (judges_time(policy)) {
      std::optional<PairInputs> inputs;
      if (comparison.pairs != nullptr)
        inputs.emplace(*comparison.baseline.front(), *comparison.current, *comparison.pairs, comparison.changed_data,
                       comparison.missing_commit);
      if (auto why = inputs ? inputs->doubt() : std::nullopt) remarks.doubts.emplace_back(*std::move(why));
      const Confirming confirming{comparison.pairs, comparison.no_pairs_because, inputs ? &*inputs : nullptr,
                                  comparison.rebuilt};
      const std::size_t suspects = confirm(screened, confirming, policies, policy);
      assessment.report.suspects = static_cast<std::int64_t>(suspects);
      doubt_large_suggestions(screened, suspects, policies, remarks);
      doubt_slower_means(screened, policies, policy, remarks);
      guard_few_processes(screened.compared, *comparison.baseline.front(), *comparison.current, policies);
      if (comparison.pairs == nullptr && !comparison.confirmable) guard_odd_process(screened.compared, policies);
    }
    assessment.cases = std::move(screened.compared);
    assessment.cases.reserve(assessment.cases.size() + screened.settled.size());
    assessment.cases.insert(assessment.cases.begin(), std::make_move_iterator(screened.settled.begin()),
                            std::make_move_iterator(screened.settled.end()));
  }
  add_instructions(assessment.cases, comparison, sides, same, policies, policy, remarks);
  mention_open_cases(assessment.cases, comparison.pairs,
                     comparison.confirmable ? facts::Fact() : comparison.no_pairs_because, remarks);
  if (comparison.pairs != nullptr) guard_pairs(assessment.cases, {comparison.pairs}, policies, policy, remarks);
  last_stages(assessment, {&sides.stored.front(), &sides.current, unfit, unfit, open_counts_of(comparison)}, policies,
              policy);
}

}  // namespace torchgate::gate
