// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/pairs_of_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/pairs/group_decided.hpp"
#include "harness/base/counted.hpp"
#include "harness/launch/schedule.hpp"
#include "harness/record/cuda_cases.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

Error refused(const std::string& why) {
  return {ErrorCode::bad_input,
          fmt::format("these pairs do not follow their plan: {}; measure them again with "
                      "`torchgate ab --pair-plan FILE`, or judge without pairs with --confirm none",
                      why)};
}

// Which machine measured which group. Where one measured all, there is one shard.
class Shards {
 public:
  explicit Shards(const record::Plan& plan) : missing_(plan.missing_shards.begin(), plan.missing_shards.end()) {
    for (std::size_t shard = 0; shard < plan.division.size(); ++shard)
      for (const std::string& group : plan.division[shard]) of_group_.emplace(group, shard);
  }
  [[nodiscard]] bool several() const { return !of_group_.empty(); }
  [[nodiscard]] bool has(std::string_view group) const { return !several() || of_group_.contains(group); }
  [[nodiscard]] std::size_t of(std::string_view group) const {
    const auto found = of_group_.find(group);
    return found == of_group_.end() ? 0 : found->second;
  }
  [[nodiscard]] bool is_missing(std::string_view group) const {
    return several() && missing_.contains(static_cast<std::int64_t>(of(group)) + 1);
  }

 private:
  std::map<std::string_view, std::size_t> of_group_;
  std::set<std::int64_t> missing_;  // from 1
};

Result<void> check_one_run(const record::Run& pairs) {
  if (pairs.plan.shards == 1) return {};
  return Error{ErrorCode::bad_input,
               fmt::format("these pairs are shard {} of {} alone; make one run of all shards with `torchgate merge`",
                           pairs.plan.shard, pairs.plan.shards)};
}

Result<void> check_machine(const record::Run& pairs, const ConfirmedRuns& runs) {
  const record::Machine& here = runs.current.machine;
  // Not an error of the pairs: the machines of a pool differ, and which one a job gets is chance.
  const auto elsewhere = [](const std::string& why) {
    return Error{
        ErrorCode::no_verdict,
        fmt::format("the pairs were measured on another machine than the run ({}); measure both in one job, or "
                    "on machines of one kind",
                    why)};
  };
  if (const auto why = gate::refuse_comparison(here, pairs.machine)) return elsewhere(*why);
  if (pairs.machine.host_key != here.host_key)
    return elsewhere(fmt::format("hosts \"{}\" and \"{}\"", here.host_key, pairs.machine.host_key));
  if (!record::has_cuda_cases(pairs)) return {};
  if (const auto why = gate::devices_differ(here, pairs.machine, "the run", "the pairs")) return elsewhere(*why);
  return {};
}

// Processes that are ended early are lost, and lost pairs decide nothing. Flags of the job that measures hold for its run, too.
Result<void> check_limits(const record::Run& pairs, const record::Run& current, const policy::Run& policy) {
  const auto shorter = [](const std::optional<double>& has, double asked, const std::optional<double>& of_run) {
    return has && *has < std::min(asked, of_run.value_or(asked));
  };
  if (shorter(pairs.plan.group_limit_s, policy.group_limit_s, current.plan.group_limit_s) ||
      shorter(pairs.plan.total_limit_s, policy.total_limit_s, current.plan.total_limit_s))
    return refused("they had shorter time limits than the base branch asks for (run.group_limit_s, run.total_limit_s)");
  return {};
}

std::string commit_of(const record::Source& source) {
  return source.commit.value_or("no commit") + (source.modified.value_or(false) ? " (modified)" : "");
}

Result<void> check_source(const record::Run& pairs, const ConfirmedRuns& runs) {
  const std::vector<const record::Run*> recorded{&runs.baseline, &runs.current};
  for (std::size_t side = 0; side < recorded.size(); ++side) {
    const record::Source& source = recorded[side]->sides.front().source;
    const record::Source& found = pairs.sides[side].source;
    if (found.commit == source.commit && found.modified == source.modified) continue;
    return refused(
        fmt::format("side \"{}\" is of {}, expected {}", pairs.sides[side].label, commit_of(found), commit_of(source)));
  }
  return {};
}

bool same_work(const record::Case& a, const record::Case& b) {
  const record::Metric* const of_a = record::primary_metric(a);
  const record::Metric* const of_b = record::primary_metric(b);
  const bool same_metric = (of_a == nullptr) == (of_b == nullptr) && (of_a == nullptr || *of_a == *of_b);
  return same_metric && a.suite == b.suite && a.group == b.group && a.variant == b.variant &&
         a.parameters == b.parameters && a.device == b.device && a.protocol == b.protocol &&
         a.input_seed == b.input_seed;
}

Result<void> check_cases(const record::Run& pairs, const PairPlanFile& plan, const record::Run& current) {
  const std::vector<std::string> cases = plan.all_cases();
  const std::set<std::string_view> asked(cases.begin(), cases.end());
  std::set<std::string_view> absent = asked;
  std::map<std::string_view, const record::Case*> recorded;
  for (const record::Case& definition : current.cases) recorded.emplace(definition.name, &definition);
  for (const record::Case& definition : pairs.cases) {
    if (!asked.contains(definition.name)) return refused(fmt::format("{} is not in the plan", definition.name));
    const auto known = recorded.find(definition.name);
    if (known == recorded.end() || !same_work(definition, *known->second))
      return refused(fmt::format("{} was measured with another protocol, device, input or metric than in run {}",
                                 definition.name, current.id));
    if (definition.skipped && !known->second->skipped)
      return refused(fmt::format("{} was skipped, but measured in run {}", definition.name, current.id));
    absent.erase(definition.name);
  }
  const Shards shards(pairs.plan);
  for (const std::string_view name : asked) {
    const auto known = recorded.find(name);
    const std::string_view group = known == recorded.end() ? std::string_view() : known->second->group;
    if (!shards.has(group)) return refused(fmt::format("the group of {} is in none of their shards", name));
    if (absent.contains(name) && !shards.is_missing(group))
      return refused(fmt::format("{} of the plan is missing", name));
  }
  return {};
}

// One group, and which of its pairs were measured.
struct MeasuredGroup {
  std::string_view name;
  std::string_view suite;
  bool open_cases_only;                                     // no suspect is in it
  std::set<std::int64_t> sides;                             // with at least one process
  std::map<std::int64_t, std::set<std::int64_t>> of_round;  // the measured sides of each
};

// In the order in which the launcher schedules them: that of the record.
std::vector<MeasuredGroup> groups_to_run(const record::Run& pairs, const PairPlanFile& plan) {
  const std::set<std::string_view> suspects(plan.cases.begin(), plan.cases.end());
  std::set<std::string_view> can_run;
  std::set<std::string_view> has_suspects;
  for (const record::Case& definition : pairs.cases) {
    if (!definition.skipped) can_run.insert(definition.group);
    if (suspects.contains(definition.name)) has_suspects.insert(definition.group);
  }
  std::map<std::string_view, std::set<std::int64_t>> sides;
  for (const record::Process& process : pairs.processes) sides[process.group].insert(process.side);
  std::vector<MeasuredGroup> groups;
  for (const record::Group& group : pairs.groups) {
    if (can_run.contains(group.name))
      groups.push_back({group.name, group.suite, !has_suspects.contains(group.name), sides[group.name], {}});
  }
  return groups;
}

Result<void> check_place(const record::Process& process, const launch::Slot& slot, const MeasuredGroup& group) {
  const auto differ = [&](const char* what, const auto& found, const auto& planned) {
    return refused(fmt::format("the {} of process {} is {}, expected {}", what, process.index, found, planned));
  };
  if (process.group != group.name) return differ("group", process.group, group.name);
  if (process.suite != group.suite) return differ("suite", process.suite, group.suite);
  if (process.side != slot.side) return differ("side", process.side, slot.side);
  if (process.pair != slot.pair) return differ("pair", process.pair.value_or(-1), slot.pair.value_or(-1));
  if (process.order_in_pair != slot.order_in_pair) return differ("order", process.order_in_pair, slot.order_in_pair);
  if (process.seed != slot.seed) return differ("seed", process.seed, slot.seed);
  return {};
}

// A suite that failed to list its cases is recorded after the schedule, without a group.
bool is_unlisted(const record::Process& process, std::size_t slots) {
  return process.group.empty() && process.cases.empty() && process.status != record::ProcessStatus::ok &&
         process.index >= static_cast<std::int64_t>(slots);
}

// The screen's open cases may have had no turn.
Result<void> check_begun(const std::vector<MeasuredGroup>& groups) {
  for (const MeasuredGroup& group : groups)
    if (group.sides.empty() && !group.open_cases_only)
      return refused(fmt::format("the group {} has no process", group.name));
  return {};
}

launch::GroupSides sides_of(const MeasuredGroup& group) {
  return group.sides.empty() ? launch::GroupSides{{0, 1}}
                             : launch::GroupSides{{group.sides.begin(), group.sides.end()}};
}

Result<void> check_places(const record::Run& pairs, const PairPlanFile& plan, std::vector<MeasuredGroup>& groups) {
  std::vector<launch::GroupSides> sides;
  sides.reserve(groups.size());
  for (const MeasuredGroup& group : groups) sides.push_back(sides_of(group));
  const auto slots = launch::make_schedule(sides, plan.pairs, plan.seed);
  std::set<std::int64_t> taken;
  for (const record::Process& process : pairs.processes) {
    if (!taken.insert(process.index).second) return refused(fmt::format("duplicate process {}", process.index));
    if (is_unlisted(process, slots.size())) continue;
    if (process.index < 0 || process.index >= static_cast<std::int64_t>(slots.size()))
      return refused(fmt::format("process {} is not part of the schedule of {}", process.index, slots.size()));
    const launch::Slot& slot = slots[static_cast<std::size_t>(process.index)];
    MeasuredGroup& group = groups[slot.group];
    if (auto same = check_place(process, slot, group); !same) return same;
    group.of_round[slot.round].insert(slot.side);
  }
  return {};
}

// A process by its place: group, side, round.
using Place = std::tuple<std::size_t, std::int64_t, std::int64_t>;

// Of each shard the schedule of its own groups, as the machine that measured it followed it.
std::map<Place, launch::Slot> slots_of_shards(const PairPlanFile& plan, const Shards& shards,
                                              const std::vector<MeasuredGroup>& groups) {
  std::map<std::size_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < groups.size(); ++i) members[shards.of(groups[i].name)].push_back(i);
  std::map<Place, launch::Slot> slots;
  for (const auto& [shard, of_shard] : members) {
    std::vector<launch::GroupSides> sides;
    for (const std::size_t group : of_shard) sides.push_back(sides_of(groups[group]));
    for (const launch::Slot& slot : launch::make_schedule(sides, plan.pairs, plan.seed))
      slots.emplace(Place{of_shard[slot.group], slot.side, slot.round}, slot);
  }
  return slots;
}

// The same where several machines measured: a merged run numbers the processes of all shards anew.
Result<void> check_places_in_shards(const record::Run& pairs, const PairPlanFile& plan,
                                    std::vector<MeasuredGroup>& groups) {
  const auto slots = slots_of_shards(plan, Shards(pairs.plan), groups);
  std::map<std::string_view, std::size_t> positions;
  for (std::size_t i = 0; i < groups.size(); ++i) positions.emplace(groups[i].name, i);
  std::map<std::pair<std::size_t, std::int64_t>, std::int64_t> launched;  // of a group and side
  for (const record::Process& process : pairs.processes) {
    if (is_unlisted(process, 0)) continue;
    const auto position = positions.find(process.group);
    if (position == positions.end())
      return refused(fmt::format("process {} is of {}, which no shard measures", process.index, process.group));
    MeasuredGroup& group = groups[position->second];
    const std::int64_t round = process.pair.value_or(launched[{position->second, process.side}]++);
    const auto slot = slots.find({position->second, process.side, round});
    if (slot == slots.end())
      return refused(fmt::format("pair {} of {} is not part of the schedule of its shard", round, group.name));
    if (!group.of_round[round].insert(process.side).second)
      return refused(fmt::format("duplicate process of pair {} of {}", round, group.name));
    if (auto same = check_place(process, slot->second, group); !same) return same;
  }
  return {};
}

Result<void> check_complete(const record::Run& pairs, const PairPlanFile& plan,
                            const std::vector<MeasuredGroup>& groups, const policy::CaseGates& policy) {
  // Where the pairs had a budget, any group may have ended before it was decided: what is open stays open.
  const bool limited = pairs.plan.budget_s || pairs.plan.budget_pairs;
  const auto undecided = gate::undecided_suspects(pairs, policy);
  for (const MeasuredGroup& group : groups) {
    std::int64_t next = 0;
    for (const auto& [round, sides] : group.of_round) {
      if (round != next) return refused(fmt::format("pair {} of {} is missing", next, group.name));
      if (sides != group.sides) return refused(fmt::format("pair {} of {} has one side only", round, group.name));
      ++next;
    }
    if (!limited && next < plan.pairs && undecided.contains(group.name))
      return refused(fmt::format("{} has {} of {} and is not decided by them", group.name, next,
                                 base::counted(plan.pairs, "pair", "pairs")));
  }
  return {};
}

std::set<std::string_view> counted_cases(const record::Run& pairs) {
  std::set<std::string_view> names;
  for (const record::InstructionCount& count : pairs.instructions) names.insert(count.case_name);
  return names;
}

std::set<std::size_t> shards_of(const record::Run& pairs, const std::set<std::string_view>& cases) {
  const Shards shards(pairs.plan);
  std::set<std::size_t> found;
  for (const record::Case& definition : pairs.cases)
    if (cases.contains(definition.name)) found.insert(shards.of(definition.group));
  return found;
}

// What the instructions of open cases would have shown must not depend on a setting of the change. Where they cannot be counted, the record says why.
Result<void> check_counted(const record::Run& pairs, const policy::Judging& policy) {
  if (!policy.of_base || !policy.count_undecided) return {};
  if (!Shards(pairs.plan).several() && !pairs.instructions.empty()) return {};
  gate::FollowUp wanted = gate::follow_up(pairs, policy);
  std::vector<std::string>& open = wanted.open_slower;
  open.insert(open.end(), wanted.open_others.begin(), wanted.open_others.end());
  const auto counted = shards_of(pairs, counted_cases(pairs));
  const auto asked = shards_of(pairs, {open.begin(), open.end()});
  if (std::includes(counted.begin(), counted.end(), asked.begin(), asked.end())) return {};
  return refused(
      "the instructions of the cases that they leave open were not counted, as the base branch asks for "
      "(gate.count_undecided)");
}

}  // namespace

Result<void> check_measured_as_planned(const record::Run& pairs, const PairPlanFile& plan, const ConfirmedRuns& runs,
                                       const policy::Policy& policy) {
  if (pairs.interrupted) return refused("they were interrupted");
  if (pairs.plan.budget_s != plan.budget_s || pairs.plan.budget_pairs != plan.budget_pairs)
    return refused("they had another budget");
  if (policy.of_base)
    if (auto same = check_limits(pairs, runs.current, policy); !same) return same;
  if (auto whole = check_one_run(pairs); !whole) return whole;
  if (auto same = check_machine(pairs, runs); !same) return same;
  if (auto same = check_source(pairs, runs); !same) return same;
  if (auto same = check_cases(pairs, plan, runs.current); !same) return same;
  std::vector<MeasuredGroup> groups = groups_to_run(pairs, plan);
  if (auto begun = check_begun(groups); !begun) return begun;
  const auto places = Shards(pairs.plan).several() ? check_places_in_shards : check_places;
  if (auto same = places(pairs, plan, groups); !same) return same;
  if (auto complete = check_complete(pairs, plan, groups, policy); !complete) return complete;
  return check_counted(pairs, policy);
}

}  // namespace torchgate::workflow
