// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/open_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "ci/gate/pairs/pair_rounds.hpp"
#include "harness/base/counted.hpp"

namespace torchgate::gate {
namespace {

constexpr double seconds_per_wall_ns = 1e-9;
constexpr std::string_view no_time = "the time for pairs was spent";

std::string too_noisy(double pair_sd, std::size_t last, bool in_turns) {
  return fmt::format("its {} differ by {:.0f} %, too much for {} pairs", in_turns ? "pairs" : "processes",
                     std::expm1(pair_sd) * 100, last);
}

// Why its pairs ended, or never began.
std::string why_open(const Judged& judged, const PairValues& values, const PairPlan& plan, const policy::Gate& own) {
  const auto prior = estimate_pair_sd(process_values(*judged.before, judged.metric).worse_logs,
                                      process_values(*judged.after, judged.metric).worse_logs);
  const PairSdEstimate known = prior.value_or(PairSdEstimate{});
  if (PairForecasts(plan, own).more_pairs(values, known)) return std::string(no_time);
  return too_noisy(*expected_pair_sd(values, known), plan.last, values.took_turns());
}

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

void leave_open(Judged& judged, const stats::RuleAnswer& answer, const PairValues& values, const PairPlan& plan,
                const policy::Gate& policy_of_case) {
  const std::string why = why_open(judged, values, plan, policy_of_case);
  if (answer.pairs == 0) {
    judged.left_open = why;
    return add_reason(judged, ReasonKind::undecided_pairs, "not measured in pairs: " + why);
  }
  judged.left_open = why;
  add_reason(
      judged, ReasonKind::undecided_pairs,
      fmt::format("{} left it open: {}", base::counted(answer.pairs, "interleaved pair", "interleaved pairs"), why));
  Decision& decision = judged.decision;
  if (answer.more_pairs) decision.processes_needed = static_cast<std::int64_t>(*answer.more_pairs);
  if (!answer.smallest_detectable) return;
  const double shown = std::expm1(*answer.smallest_detectable);
  decision.smallest_detectable = std::min(decision.smallest_detectable.value_or(shown), shown);
}

void mention_open_cases(const std::vector<Judged>& cases, const record::Run* pairs, const std::string& why_not,
                        Remarks& remarks) {
  if (pairs == nullptr) {
    const auto open = std::count_if(cases.begin(), cases.end(), [](const Judged& judged) {
      return judged.metric.primary && judged.decision.verdict == reports::Verdict::inconclusive;
    });
    if (open > 0 && !why_not.empty())
      remarks.notes.push_back(fmt::format("{} undecided: no interleaved pairs were measured, because {}",
                                          base::counted(open, "case is", "cases are"), why_not));
    return;
  }
  if (!pairs->plan.confirms || pairs->plan.confirms->open.empty()) return;
  std::map<bool, std::size_t> left;  // by whether time was what they lacked
  for (const Judged& judged : cases) {
    if (judged.metric.primary && judged.left_open) ++left[*judged.left_open == no_time];
  }
  const std::size_t asked = pairs->plan.confirms->open.size();
  const PairPlans plans(*pairs, {});
  std::string text = fmt::format("the screen left {} open: {} decided by {:.0f} s of interleaved pairs",
                                 base::counted(asked, "case", "cases"), asked - left[false] - left[true],
                                 seconds_of_open_groups(*pairs, plans));
  if (left[false] > 0) text += fmt::format(", {} too noisy for {} pairs", left[false], pairs->plan.processes);
  if (left[true] > 0) text += fmt::format(", {} when the time was spent", left[true]);
  remarks.notes.push_back(std::move(text));
}

}  // namespace torchgate::gate
