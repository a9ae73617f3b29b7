// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/pair_rounds.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "ci/gate/pairs/group_decided.hpp"
#include "ci/gate/pairs/pair_inputs.hpp"
#include "stats/interleaved.hpp"

namespace torchgate::gate {
namespace {

constexpr double round_seconds_per_ns = 1e-9;

// Mean time of one process of each group.
std::map<std::string_view, double> seconds_of_groups(const record::Run& run) {
  std::map<std::string_view, std::pair<double, double>> sums;  // seconds, processes
  for (const record::Process& process : run.processes) {
    if (process.wall_ns <= 0) continue;
    auto& [seconds, count] = sums[process.group];
    seconds += static_cast<double>(process.wall_ns) * round_seconds_per_ns;
    count += 1;
  }
  std::map<std::string_view, double> means;
  for (const auto& [group, sum] : sums) means[group] = sum.first / sum.second;
  return means;
}

// Of a case that needs no more pairs: the last ones leave some without an answer.
bool has_answer(const record::Case& definition, const CaseEvidence& before, const CaseEvidence& after,
                const PairPlan& plan, const policy::Gate& own) {
  for (const CaseEvidence* side : {&before, &after}) {
    if (!side->failures.empty() || !side->wrongs.empty()) return true;
  }
  const PairValues values = pair_values(before, after, *primary_metric(definition));
  return judge_case_pairs(values, plan_of_case(plan, before, after, values.size()), own).call !=
         stats::Call::inconclusive;
}

}  // namespace

PairRounds::PairRounds(const record::Confirms& confirms, const record::Run& baseline, const record::Run& current,
                       policy::Policy policy)
    : confirms_(confirms), policy_(std::move(policy)) {
  const SideEvidence stored(baseline, 0);
  const SideEvidence now(current, 0);
  for (const std::string& name : confirms.open) {
    const CaseEvidence* was = stored.find(name);
    const CaseEvidence* is = now.find(name);
    const record::Metric* metric = is == nullptr ? nullptr : primary_metric(*is->definition);
    if (was == nullptr || metric == nullptr) continue;
    if (const auto sd =
            estimate_pair_sd(process_values(*was, *metric).worse_logs, process_values(*is, *metric).worse_logs))
      before_any_pair_.emplace(name, *sd);
  }
  const auto before_s = seconds_of_groups(baseline);
  for (const auto& [group, seconds] : seconds_of_groups(current)) {
    const auto same = before_s.find(group);
    seconds_per_pair_.emplace(group, seconds + (same == before_s.end() ? seconds : same->second));
  }
}

double PairRounds::seconds_left() const {
  if (confirms_.open_budget_s) return *confirms_.open_budget_s - spent_on_open_s_;
  return total_s_ ? *total_s_ - spent_s_ : std::numeric_limits<double>::infinity();
}

std::set<std::string> PairRounds::next(const record::Run& so_far) {
  update(so_far);
  std::set<std::string> names;
  for (const auto& [name, state] : groups_) {
    if (state.suspects_open) names.insert(name);
  }
  on_open_ = names.empty();
  if (!on_open_) return names;
  std::vector<stats::PairGroup> open;
  std::vector<std::string_view> of_group;
  for (const auto& [name, state] : groups_) {
    open.push_back(state.open);
    of_group.push_back(name);
  }
  for (const std::size_t i : stats::next_pairs(open, seconds_left())) names.emplace(of_group[i]);
  return names;
}

// Whatever was decided: without a screen nothing is known before a first pair; what has no partner is measured for itself.
bool PairRounds::has_to_run(const Launched& launched) const {
  if (screened_) return false;
  const std::int64_t alone = confirms_.open.empty() ? 1 : policy_.processes;
  return launched.pairs() < (launched.one_side() ? alone : 1);
}

// Before its first look, pairs say too little of how they vary to give a case up that nothing else is known of. 0: it may be.
std::size_t PairRounds::pairs_to_first_look(const PairValues& values, const PairForecasts& forecasts,
                                            const Launched& launched) const {
  if (screened_) return 0;
  const std::size_t look = forecasts.pairs_of_first_look(values);
  const auto pairs = static_cast<std::size_t>(launched.pairs());
  return look > pairs ? look - pairs : 0;
}

// Launches and times of each group; what the last round took counts for the class that it was for.
std::map<std::string_view, PairRounds::Launched> PairRounds::account(const record::Run& so_far) {
  std::map<std::string_view, Launched> launched;
  double spent = 0.0;
  for (const record::Process& process : so_far.processes) {
    const double seconds = static_cast<double>(process.wall_ns) * round_seconds_per_ns;
    Launched& group = launched[process.group];
    ++group.of_side.at(static_cast<std::size_t>(process.side));
    group.seconds += seconds;
    spent += seconds;
  }
  if (on_open_) spent_on_open_s_ += spent - spent_s_;
  spent_s_ = spent;
  total_s_ = so_far.plan.budget_s;
  return launched;
}

double PairRounds::seconds_per_pair(std::string_view group, const Launched& launched) const {
  if (launched.pairs() > 0) return launched.seconds / static_cast<double>(launched.pairs());
  const auto of_runs = seconds_per_pair_.find(group);
  return of_runs == seconds_per_pair_.end() ? 0.0 : of_runs->second;
}

void PairRounds::update(const record::Run& so_far) {
  const auto launched = account(so_far);
  const PairPlans plans(so_far, policy_);
  policy::CasePolicies policies(policy_);
  const SideEvidence before(so_far, 0);
  const SideEvidence after(so_far, 1);
  std::optional<PairForecasts> forecast;
  if (plans.open() != nullptr) forecast.emplace(*plans.open(), policy_);
  const PairForecasts of_suspects(plans.first(), policy_);
  std::map<std::string_view, std::vector<const record::Case*>> cases;
  for (const record::Case& definition : so_far.cases) {
    if (!definition.skipped) cases[definition.group].push_back(&definition);
  }
  for (const auto& [group, members] : cases) {
    const auto found = launched.find(group);
    const Launched of_group = found == launched.end() ? Launched{} : found->second;
    const auto known = groups_.find(group);
    if (known != groups_.end() && known->second.launches == of_group.of_side) continue;
    GroupState state;
    state.launches = of_group.of_side;
    state.open.seconds_per_pair = seconds_per_pair(group, of_group);
    state.suspects_open = has_to_run(of_group);
    state.most_pairs = so_far.plan.processes;
    const bool identical = end_identical_ && of_group.pairs() == 1 && identical_in_pairs(so_far, group);
    const bool exhausted = of_group.pairs() >= so_far.plan.processes || identical;
    for (const record::Case* definition : members) {
      const bool asked = plans.is_open(definition->name);
      if (!asked && !screened_ && !confirms_.open.empty()) continue;  // of one side alone
      const CaseEvidence* was = before.find(definition->name);
      const CaseEvidence* is = after.find(definition->name);
      if (primary_metric(*definition) == nullptr) continue;
      if (was == nullptr || is == nullptr) {
        if (of_group.pairs() > 0) continue;  // failed, or of one side: no pair decides it
        ++state.cases;
        if (state.suspects_open) state.pairs_for_suspects = of_suspects.pairs_of_first_look({});
        continue;
      }
      ++state.cases;
      const policy::Gate& own = policies.of(definition->name);
      const PairPlan& plan = plans.of(definition->name);
      if (identical || case_decided(*definition, *was, *is, plan, own)) {
        state.decided += identical || has_answer(*definition, *was, *is, plan, own) ? 1 : 0;
        continue;
      }
      if (exhausted) continue;
      if (!asked) {
        if (screened_ && !state.suspects_open && beyond_all_pairs(*definition, *was, *is, plans.first(), own)) continue;
        state.suspects_open = true;
        state.pairs_for_suspects = std::max(
            state.pairs_for_suspects, pairs_for_suspect(*definition, *was, *is, plans.first(), of_suspects, of_group));
      } else if (const auto more = more_pairs(*definition, *was, *is, *forecast)) {
        state.open.more_pairs.push_back(*more);
      } else if (const std::size_t fewest =
                     pairs_to_first_look(pair_values(*was, *is, *primary_metric(*definition)), *forecast, of_group);
                 fewest > 0) {
        state.open.more_pairs.push_back(fewest);
      }
    }
    groups_.insert_or_assign(std::string(group), std::move(state));
  }
}

// How many more pairs a suspect is expected to take, for a person who waits: it goes on whatever is forecast. Before the first look that
// look; where no look is expected to decide it, the last.
std::size_t PairRounds::pairs_for_suspect(const record::Case& definition, const CaseEvidence& before,
                                          const CaseEvidence& after, const PairPlan& plan,
                                          const PairForecasts& forecasts, const Launched& launched) const {
  const auto pairs = static_cast<std::size_t>(launched.pairs());
  const std::size_t look = forecasts.pairs_of_first_look(pair_values(before, after, *primary_metric(definition)));
  if (pairs < look) return look - pairs;
  return more_pairs(definition, before, after, forecasts).value_or(plan.last > pairs ? plan.last - pairs : 1);
}

PairRounds::Progress PairRounds::progress() const {
  Progress sum;
  double open_s = 0.0;
  for (const auto& [group, state] : groups_) {
    const std::int64_t pairs = std::max<std::int64_t>(0, std::max(state.launches[0], state.launches[1]));
    sum.pairs += pairs;
    sum.most_pairs += state.goes_on() ? std::max(pairs, state.most_pairs) : pairs;
    sum.cases += state.cases;
    sum.decided += state.decided;
    sum.expected_s += static_cast<double>(state.pairs_for_suspects) * state.open.seconds_per_pair;
    const auto most = std::max_element(state.open.more_pairs.begin(), state.open.more_pairs.end());
    if (most != state.open.more_pairs.end()) open_s += static_cast<double>(*most) * state.open.seconds_per_pair;
  }
  sum.spent_s = spent_s_;
  sum.expected_s += std::min(open_s, std::max(0.0, seconds_left()));
  return sum;
}

std::optional<std::size_t> PairRounds::more_pairs(const record::Case& definition, const CaseEvidence& before,
                                                  const CaseEvidence& after, const PairForecasts& forecasts) const {
  const record::Metric& metric = *primary_metric(definition);
  const auto known = before_any_pair_.find(definition.name);
  return forecasts.more_pairs(pair_values(before, after, metric),
                              known == before_any_pair_.end() ? PairSdEstimate{} : known->second);
}

}  // namespace torchgate::gate
