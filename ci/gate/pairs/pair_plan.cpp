// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/pair_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "ci/gate/answer.hpp"
#include "ci/gate/evidence/in_units.hpp"
#include "ci/gate/evidence/work.hpp"
#include "ci/gate/own_settings.hpp"
#include "ci/policy/case_rules.hpp"
#include "stats/quantile.hpp"
#include "stats/rules.hpp"
#include "stats/turns.hpp"
#include "stats/two_series.hpp"

namespace torchgate::gate {
namespace {

constexpr double confirmation_no_harm_level = 0.98;
// Both by simulation (tests/simulations/RESULTS.md, "Simulated pull requests").
constexpr double open_equivalence_level = 0.98;
constexpr double share_of_suspects = 0.5;

// Positions of the processes of one pair.
struct Partners {
  std::size_t before = 0;
  std::size_t after = 0;
};

std::vector<Partners> partners_of(const ProcessValues& before, const ProcessValues& after) {
  std::map<std::int64_t, std::size_t> by_pair;
  for (std::size_t i = 0; i < before.pairs.size(); ++i) by_pair[before.pairs[i]] = i;
  std::vector<Partners> pairs;
  for (std::size_t i = 0; i < after.pairs.size(); ++i) {
    const auto partner = by_pair.find(after.pairs[i]);
    if (partner != by_pair.end()) pairs.push_back({partner->second, i});
  }
  return pairs;
}

const record::TurnTimes* turns_of(const ProcessValues& values, std::size_t process) {
  return process < values.turns.size() ? values.turns[process] : nullptr;
}

// Turns of one number are neighbours. Where the time of a case ends within a round, one side has a turn more, which has no neighbour.
std::optional<std::size_t> neighbouring_turns(const record::TurnTimes& before, const record::TurnTimes& after) {
  const std::size_t fewer = std::min(before.means.size(), after.means.size());
  const std::size_t more = std::max(before.means.size(), after.means.size());
  return more - fewer <= 1 ? std::optional(fewer) : std::nullopt;
}

// None where a process of them took no turns, or its numbers have no logarithm: then all are judged by their medians.
std::optional<PairValues> values_of_turns(const ProcessValues& before, const ProcessValues& after,
                                          const std::vector<Partners>& pairs) {
  PairValues values;
  for (const Partners& pair : pairs) {
    const record::TurnTimes* was = turns_of(before, pair.before);
    const record::TurnTimes* is = turns_of(after, pair.after);
    if (was == nullptr || is == nullptr || !(was->floor > 0) || !(is->floor > 0)) return std::nullopt;
    const auto turns = neighbouring_turns(*was, *is);
    if (!turns) return std::nullopt;
    const std::span<const double> means_before = std::span(was->means).first(*turns);
    const std::span<const double> means_after = std::span(is->means).first(*turns);
    const auto change = stats::typical_change(means_before, means_after);
    if (!change) return std::nullopt;
    const double floor_before = after.orientation * std::log(was->floor);
    const double floor_after = after.orientation * std::log(is->floor);
    values.differences.push_back(floor_after - floor_before);
    values.midpoints.push_back(0.5 * (floor_after + floor_before));
    values.typical.push_back(after.orientation * *change);
    values.typical_midpoints.push_back(0.5 * after.orientation *
                                       std::log(*stats::median(means_before) * *stats::median(means_after)));
  }
  return values;
}

}  // namespace

std::size_t family_of(const record::Run& run, const std::vector<std::string>& cases, const policy::CaseGates& policy) {
  const std::set<std::string_view> asked(cases.begin(), cases.end());
  policy::CasePolicies policies(policy);
  std::size_t verdicts = 0;
  for (const record::Case& definition : run.cases) {
    if (!asked.contains(definition.name) || definition.skipped || primary_metric(definition) == nullptr) continue;
    const policy::CaseSettings& own = policies.of(definition.name);
    // One for each metric that is judged. Median, P95 and P99 are three where the policy gates tails.
    verdicts += judged_metrics(definition, own).size() + (own.tails == policy::Action::pass ? 0 : 2);
    verdicts += may_be_judged(definition, own).size();
  }
  return verdicts;
}

AlphaShares alpha_shares(std::int64_t suspects, std::int64_t open) {
  if (suspects == 0 || open == 0) return {};
  return {share_of_suspects, 1 - share_of_suspects};
}

PairPlans::PairPlans(const record::Run& pairs, const policy::CaseGates& policy) {
  first_.last = static_cast<std::size_t>(std::max<std::int64_t>(1, pairs.plan.processes));
  if (!pairs.plan.confirms) {
    std::vector<std::string> asked;
    for (const record::Case& definition : pairs.cases) asked.push_back(definition.name);
    first_.family = std::max<std::size_t>(1, family_of(pairs, asked, policy));
    return;
  }
  // Fixed before: a suspect that came back without numbers makes the others no easier.
  const record::Confirms& confirms = *pairs.plan.confirms;
  const AlphaShares shares = alpha_shares(confirms.family, confirms.open_family);
  open_cases_.insert(confirms.open.begin(), confirms.open.end());
  // A stop at 95 % ends a true slow-down of 2 % as "no harm" in one case of eight. A confirmation has few cases and can pay
  // for 98 %; `ab` on a noisy machine would need 69 % of the pairs of a fixed plan instead of 60 %.
  first_.no_harm_level = confirmation_no_harm_level;
  open_ = first_;
  first_.family = static_cast<std::size_t>(std::max<std::int64_t>(1, confirms.family));
  first_.alpha_share = shares.suspects;
  open_.family = static_cast<std::size_t>(std::max<std::int64_t>(1, confirms.open_family));
  open_.alpha_share = shares.open;
  // There is no evidence of a change of these: their pairs end as soon as a change beyond the margin is excluded.
  open_.equivalence_stop_level = open_equivalence_level;
}

const std::vector<double>& PairValues::more_precise() const {
  const bool by_typical = took_turns() && stats::more_precise(differences, typical) == stats::Measure::typical;
  return by_typical ? typical : differences;
}

PairValues pair_values(const ProcessValues& before, const ProcessValues& after) {
  const std::vector<Partners> pairs = partners_of(before, after);
  if (auto in_turns = values_of_turns(before, after, pairs)) return *std::move(in_turns);
  PairValues values;
  for (const Partners& pair : pairs) {
    values.differences.push_back(after.worse_logs[pair.after] - before.worse_logs[pair.before]);
    values.midpoints.push_back(0.5 * (after.worse_logs[pair.after] + before.worse_logs[pair.before]));
  }
  return values;
}

PairValues pair_values(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric) {
  ProcessValues before_values = process_values(before, metric);
  ProcessValues after_values = process_values(after, metric);
  judge_in_units(before_values, after_values);
  return pair_values(before_values, after_values);
}

PairPlan plan_of_case(const PairPlan& plan, const CaseEvidence& before, const CaseEvidence& after, std::size_t pairs) {
  const auto attempted = static_cast<std::size_t>(std::max(before.processes, after.processes));
  const std::size_t lost = attempted > pairs ? attempted - pairs : 0;
  PairPlan here = plan;
  here.last = plan.last > lost ? plan.last - lost : 1;
  return here;
}

void apply(const PairPlan& plan, stats::RuleOptions& options) {
  options.family = plan.family;
  options.last_pair = plan.last;
  options.alpha_share = plan.alpha_share;
  options.no_harm_level = plan.no_harm_level;
  options.equivalence_stop_level = plan.equivalence_stop_level;
}

stats::RuleAnswer judge_case_pairs(const PairValues& values, const PairPlan& plan, const policy::Gate& policy) {
  stats::RuleOptions options = rule_options(policy);
  apply(plan, options);
  stats::CaseNumbers one;
  one.pair_differences = values.differences;
  one.pair_midpoints = values.midpoints;
  one.pair_typical = values.typical;
  one.pair_typical_midpoints = values.typical_midpoints;
  return stats::paired_rule().judge(std::span(&one, 1), options).front();
}

}  // namespace torchgate::gate
