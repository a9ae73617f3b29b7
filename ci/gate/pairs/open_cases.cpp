// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/open_cases.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "ci/gate/answer.hpp"
#include "reports/facts/about_pairs.hpp"

namespace torchgate::gate {
namespace {

constexpr double seconds_per_wall_ns = 1e-9;

// Why its pairs ended, or never began.
facts::Fact why_open(const Judged& judged, const PairValues& values, const PairPlan& plan, const policy::Gate& own) {
  const auto prior = estimate_pair_sd(process_values(*judged.before, judged.metric).worse_logs,
                                      process_values(*judged.after, judged.metric).worse_logs);
  const PairSdEstimate known = prior.value_or(PairSdEstimate{});
  if (PairForecasts(plan, own).more_pairs(values, known)) return facts::pairs_time_spent;
  return too_noisy(values, known, plan);
}

// How many of what the screen left open the pairs left open, too, by what they lacked.
struct OpenCases {
  std::size_t too_noisy = 0;
  std::size_t without_time = 0;
  std::size_t not_measured = 0;

  void add(const facts::Fact& why) {
    ++(why.is(facts::pairs_time_spent) ? without_time : why.is(facts::group_without_pairs) ? not_measured : too_noisy);
  }
  [[nodiscard]] std::size_t all() const { return too_noisy + without_time + not_measured; }
};

double seconds_of_open_groups(const record::Run& pairs, const PairPlans& plans) {
  std::map<std::string_view, bool> open_only;
  for (const record::Case& definition : pairs.cases) {
    const auto [group, is_new] = open_only.emplace(definition.group, true);
    group->second = group->second && plans.is_open(definition.name);
  }
  double seconds = 0.0;
  for (const record::Process& process : pairs.processes) {
    const auto group = open_only.find(process.group);
    if (group != open_only.end() && group->second)
      seconds += static_cast<double>(process.wall_ns) * seconds_per_wall_ns;
  }
  return seconds;
}

}  // namespace

facts::Fact too_noisy(const PairValues& values, const PairSdEstimate& prior, const PairPlan& plan) {
  const double spread = std::expm1(*expected_pair_sd(values, prior));
  return values.took_turns() ? facts::pairs_too_noisy(spread, plan.last)
                             : facts::processes_too_noisy(spread, plan.last);
}

void leave_open(Judged& judged, const stats::RuleAnswer& answer, const PairValues& values, const PairPlan& plan,
                const policy::Gate& policy_of_case) {
  const facts::Fact why = why_open(judged, values, plan, policy_of_case);
  if (answer.pairs == 0) {
    judged.left_open = why;
    return add_reason(judged, ReasonKind::undecided_pairs, facts::not_measured_in_pairs(why));
  }
  judged.left_open = why;
  add_reason(judged, ReasonKind::undecided_pairs, facts::left_open_by(answer.pairs, why));
  Decision& decision = judged.decision;
  if (const auto needed = processes_needed(answer)) decision.processes_needed = needed;
  if (!answer.smallest_detectable) return;
  const double shown = std::expm1(*answer.smallest_detectable);
  decision.smallest_detectable = std::min(decision.smallest_detectable.value_or(shown), shown);
}

void mention_open_cases(const std::vector<Judged>& cases, const record::Run* pairs, const facts::Fact& why_not,
                        Remarks& remarks) {
  if (pairs == nullptr) {
    const auto open = std::count_if(cases.begin(), cases.end(), [](const Judged& judged) {
      return judged.metric.primary && judged.decision.verdict == reports::Verdict::inconclusive;
    });
    if (open > 0 && !why_not.empty()) remarks.notes.push_back(facts::undecided_without_pairs(open, why_not));
    return;
  }
  if (!pairs->plan.confirms || pairs->plan.confirms->open.empty()) return;
  OpenCases left;
  for (const Judged& judged : cases)
    if (judged.metric.primary && judged.left_open) left.add(*judged.left_open);
  const std::size_t asked = pairs->plan.confirms->open.size();
  const PairPlans plans(*pairs, {});
  facts::Facts others;
  if (left.too_noisy > 0) others.push_back(facts::too_noisy_of_them(left.too_noisy, pairs->plan.processes));
  if (left.without_time > 0) others.push_back(facts::without_time_of_them(left.without_time));
  if (left.not_measured > 0) others.push_back(facts::in_missing_shards_of_them(left.not_measured));
  remarks.notes.push_back(
      facts::screen_left_open(asked, asked - left.all(), seconds_of_open_groups(*pairs, plans), std::move(others)));
}

}  // namespace torchgate::gate
