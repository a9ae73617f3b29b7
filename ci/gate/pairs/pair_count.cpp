// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/pair_count.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "ci/gate/pairs/pair_plan.hpp"
#include "ci/policy/case_rules.hpp"
#include "reports/facts/about_pairs.hpp"
#include "stats/interleaved.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {
namespace {

// Of a program that tells its metrics only when it has measured them: time, and what its policy gates beside it.
std::size_t verdicts_of_unknown_metrics(const policy::CaseSettings& own) {
  const auto gated = std::count_if(own.metrics.begin(), own.metrics.end(),
                                   [](const auto& named) { return named.second != policy::Action::pass; });
  return 1 + static_cast<std::size_t>(gated) + (own.tails == policy::Action::pass ? 0 : 2);
}

}  // namespace

FewestPairs fewest_pairs(std::size_t family, const policy::Gate& policy, double alpha_share) {
  if (!stats::find_rule(policy.rule)->judges_pairs) return {family, 0};
  return {family, static_cast<std::int64_t>(stats::fewest_pairs_to_alarm(family, policy.alpha * alpha_share))};
}

FewestPairs fewest_pairs(const record::Run& planned, const policy::CaseGates& policy) {
  policy::CasePolicies policies(policy);
  std::size_t unknown = 0;
  for (const record::Case& definition : planned.cases) {
    if (!definition.skipped && definition.metrics.empty())
      unknown += verdicts_of_unknown_metrics(policies.of(definition.name));
  }
  // A family of nothing counts as one; what is not known yet takes its place.
  std::size_t family = PairPlans(planned, policy).first().family;
  const bool none_known = std::none_of(planned.cases.begin(), planned.cases.end(), [](const record::Case& definition) {
    return !definition.skipped && primary_metric(definition) != nullptr;
  });
  family = none_known && unknown > 0 ? unknown : family + unknown;
  return fewest_pairs(family, policy);
}

facts::Fact raised_pairs(std::int64_t asked, const FewestPairs& needed) {
  return facts::pairs_raised(asked, needed.family, needed.pairs);
}

void mention_pair_count(const std::vector<Judged>& cases, const record::Run& pairs, const policy::CaseGates& policy,
                        Remarks& remarks) {
  const PairPlans plans(pairs, policy);
  const PairPlan& plan = plans.first();
  const FewestPairs needed = fewest_pairs(plan.family, policy, plan.alpha_share);
  if (policy.pairs < needed.pairs && static_cast<std::int64_t>(plan.last) >= needed.pairs)
    remarks.notes.push_back(raised_pairs(policy.pairs, {plan.family, static_cast<std::int64_t>(plan.last)}));
  std::set<std::string_view> paired;
  std::set<std::string_view> blind;
  for (const Judged& judged : cases) {
    if (judged.pairs == nullptr || judged.pairs->pairs == 0) continue;
    paired.insert(judged.case_name());
    if (has_reason(judged, ReasonKind::too_few_pairs)) blind.insert(judged.case_name());
  }
  if (blind.empty()) return;
  remarks.notes.push_back(facts::cases_with_too_few_pairs(blind.size(), paired.size()));
}

}  // namespace torchgate::gate
