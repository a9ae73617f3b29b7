// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/spent_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "ci/gate/pairs/group_decided.hpp"
#include "harness/base/counted.hpp"

namespace torchgate::gate {
namespace {

using reports::Verdict;

// A budget of time is that of pairs alone: a part of what the user gave may have been kept for counting (policy::seconds_for_pairs).
std::string budget_text(const record::Plan& plan) {
  const std::string pairs = plan.budget_pairs ? base::counted(*plan.budget_pairs, "pair", "pairs") : "";
  if (!plan.budget_s) return "the budget of " + pairs;
  return fmt::format("the pairs' budget of {:g} s{}{}", *plan.budget_s, pairs.empty() ? "" : " or ", pairs);
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

}  // namespace

void guard_spent_budget(std::vector<Judged>& cases, const record::Run& pairs, const policy::CaseGates& policy,
                        Remarks& remarks) {
  if ((!pairs.plan.budget_s && !pairs.plan.budget_pairs) || pairs.interrupted) return;
  const auto begun = pairs_begun(pairs);
  const std::string budget = budget_text(pairs.plan);
  const auto undecided_of = undecided_groups(pairs, policy);  // the others ended because their answer was clear
  std::size_t open = 0;
  for (Judged& judged : cases) {
    const auto definition = std::find_if(pairs.cases.begin(), pairs.cases.end(),
                                         [&](const record::Case& each) { return each.name == judged.case_name(); });
    if (definition == pairs.cases.end() || definition->skipped) continue;
    const auto of_group = begun.find(definition->group);
    if (of_group == begun.end()) {
      replace_decision(judged, Verdict::inconclusive, ReasonKind::spent_budget,
                       fmt::format("not measured: {} ran out before its first pair", budget));
      judged.action_rule = ActionRule::project;
      ++open;
      continue;
    }
    const bool timed = judged.metric.kind == record::MetricKind::timed;
    const bool undecided = judged.decision.verdict == Verdict::inconclusive;
    if (!timed || !undecided || of_group->second >= pairs.plan.processes) continue;
    if (!undecided_of.contains(definition->group)) continue;
    add_reason(
        judged, ReasonKind::spent_budget,
        fmt::format("{} was spent after {} of at most {} pairs", budget, of_group->second, pairs.plan.processes));
    open += judged.metric.primary ? 1 : 0;
  }
  if (open == 0) return;
  remarks.notes.push_back(
      fmt::format("{} was spent before {} decided", budget, base::counted(open, "case was", "cases were")));
}

}  // namespace torchgate::gate
