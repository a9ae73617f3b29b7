// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/spent_budget.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ci/gate/pairs/group_decided.hpp"
#include "ci/gate/pairs/open_cases.hpp"
#include "ci/gate/pairs/pair_forecasts.hpp"
#include "ci/gate/pairs/pair_inputs.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "ci/policy/case_rules.hpp"
#include "reports/facts/about_pairs.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

// A budget of time is that of pairs alone: a part of what the user gave may have been kept for counting (policy::seconds_for_pairs).
facts::Fact budget_of(const record::Plan& plan) {
  if (!plan.budget_s) return facts::budget_of_pairs(*plan.budget_pairs);
  return plan.budget_pairs ? facts::budget_of_both(*plan.budget_s, *plan.budget_pairs)
                           : facts::budget_of_time(*plan.budget_s);
}

// Of each group: launches of its busier side, for a lost process was begun, too.
std::map<std::string_view, std::int64_t> pairs_begun(const record::Run& pairs) {
  std::map<std::string_view, std::array<std::int64_t, 2>> launches;
  for (const record::Process& process : pairs.processes) {
    if (process.pair) ++launches[process.group].at(static_cast<std::size_t>(process.side));
  }
  std::map<std::string_view, std::int64_t> begun;
  for (const auto& [group, of_side] : launches) begun[group] = std::max(of_side[0], of_side[1]);
  return begun;
}

// Cases that the launcher gave up before the budget was spent (PairRounds), by the forecast that it made.
class GivenUp {
 public:
  GivenUp(const record::Run& pairs, const policy::CaseGates& policy)
      : plans_(pairs, policy), policies_(policy), before_(pairs, 0), after_(pairs, 1), chosen_(pairs.plan.confirms) {
    if (plans_.open() != nullptr) forecasts_.emplace(*plans_.open(), policy);
  }

  // After this many PAIRS of its group. Absent: it was not given up.
  std::optional<facts::Fact> why(const record::Case& definition, std::int64_t pairs) {
    const CaseEvidence* before = before_.find(definition.name);
    const CaseEvidence* after = after_.find(definition.name);
    const record::Metric* metric = primary_metric(definition);
    if (!chosen_ || before == nullptr || after == nullptr || metric == nullptr) return std::nullopt;
    const PairValues values = pair_values(*before, *after, *metric);
    const bool given_up =
        plans_.is_open(definition.name)
            ? static_cast<std::size_t>(pairs) >= forecasts_->pairs_of_first_look(values) &&
                  !forecasts_->more_pairs(values, {})
            : beyond_all_pairs(definition, *before, *after, plans_.first(), policies_.of(definition.name));
    if (!given_up) return std::nullopt;
    return too_noisy(values, {}, plans_.of(definition.name));
  }

 private:
  PairPlans plans_;
  policy::CasePolicies policies_;
  SideEvidence before_;
  SideEvidence after_;
  bool chosen_;  // `ab` gives no case up
  std::optional<PairForecasts> forecasts_;
};

}  // namespace

void guard_spent_budget(std::vector<Judged>& cases, const record::Run& pairs, const policy::CaseGates& policy,
                        Remarks& remarks) {
  if ((!pairs.plan.budget_s && !pairs.plan.budget_pairs) || pairs.interrupted) return;
  const auto begun = pairs_begun(pairs);
  const facts::Fact budget = budget_of(pairs.plan);
  const auto undecided_of = undecided_groups(pairs, policy);  // the others ended because their answer was clear
  GivenUp given_up(pairs, policy);
  std::size_t open = 0;
  for (Judged& judged : cases) {
    const auto definition = std::find_if(pairs.cases.begin(), pairs.cases.end(),
                                         [&](const record::Case& each) { return each.name == judged.case_name(); });
    if (definition == pairs.cases.end() || definition->skipped) continue;
    const auto of_group = begun.find(definition->group);
    if (of_group == begun.end()) {
      replace_decision(judged, Verdict::inconclusive, ReasonKind::spent_budget, facts::budget_ran_out(budget));
      ++open;
      continue;
    }
    const bool timed = judged.metric.kind == record::MetricKind::timed;
    const bool undecided = judged.decision.verdict == Verdict::inconclusive;
    if (!timed || !undecided || of_group->second >= pairs.plan.processes) continue;
    if (!undecided_of.contains(definition->group)) continue;
    if (of_group->second == 1 && pairs.plan.confirms && identical_in_pairs(pairs, definition->group)) continue;
    if (auto why = given_up.why(*definition, of_group->second)) {
      if (judged.metric.primary) add_reason(judged, ReasonKind::spent_budget, *std::move(why));
      continue;
    }
    add_reason(judged, ReasonKind::spent_budget, facts::budget_spent(budget, of_group->second, pairs.plan.processes));
    open += judged.metric.primary ? 1 : 0;
  }
  if (open == 0) return;
  remarks.notes.push_back(facts::budget_spent_before(budget, open));
}

}  // namespace torchgate::gate
