// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/shards/merge_shards.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "harness/base/content_hash.hpp"
#include "harness/launch/shards/join_runs.hpp"
#include "harness/record/cuda_cases.hpp"
#include "harness/record/device_metric.hpp"
#include "harness/record/variables.hpp"

namespace torchgate::launch {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

Error refused(const std::string& why) {
  return {ErrorCode::bad_input, "these shards cannot be merged: " + why};
}

/// "seed 7 in a.json and seed 8 in b.json".
std::string both(const std::string& what, const ShardFile& a, const std::string& of_a, const ShardFile& b,
                 const std::string& of_b) {
  return what + " " + of_a + " in " + a.name + " and " + of_b + " in " + b.name;
}

Result<void> check_is_shard(const ShardFile& shard) {
  const record::Plan& plan = shard.run.plan;
  if (plan.shards < 2)
    return refused(shard.name + " is not a shard; measure one with `torchgate " +
                   (plan.confirms ? "ab --pair-plan FILE" : "run") + " --shard 1/" +
                   std::to_string(std::max<std::int64_t>(2, plan.shards)) + "`");
  if (static_cast<std::int64_t>(plan.division.size()) != plan.shards)
    return refused(shard.name + " does not list the groups of its plan; measure it again with this version");
  return {};
}

std::string text_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Everything but the shard's number.
Result<void> check_same_plan(const ShardFile& first, const ShardFile& other) {
  const record::Plan& a = first.run.plan;
  const record::Plan& b = other.run.plan;
  const auto number = [](auto value) { return std::to_string(value); };
  if (a.shards != b.shards) return refused(both("shards:", first, number(a.shards), other, number(b.shards)));
  if (a.profile != b.profile) return refused(both("profile", first, a.profile, other, b.profile));
  if (a.filter != b.filter) return refused(both("filter", first, "'" + a.filter + "'", other, "'" + b.filter + "'"));
  if (a.processes != b.processes)
    return refused(both("processes per group:", first, number(a.processes), other, number(b.processes)));
  if (a.seed != b.seed)
    return refused(
        both("seed", first, number(a.seed), other, number(b.seed)) +
        (a.confirms ? "; give all shards one pair plan" : "; give all shards one --shard-plan FILE, or one --seed"));
  if (a.count != b.count)
    return refused("instructions were counted differently in " + first.name + " and " + other.name +
                   "; give --instructions, --counter and --quick to all shards or to none");
  const auto calls = [&](std::optional<std::int64_t> value) { return value ? number(*value) : "(default)"; };
  if (a.samples != b.samples) return refused(both("--samples", first, calls(a.samples), other, calls(b.samples)));
  if (a.warmup_calls != b.warmup_calls)
    return refused(both("--warmup", first, calls(a.warmup_calls), other, calls(b.warmup_calls)));
  if (a.suites != b.suites) return refused(both("suites", first, text_of(a.suites), other, text_of(b.suites)));
  if (a.division != b.division)
    return refused(
        "the groups are divided differently in " + first.name + " and " + other.name +
        (a.confirms ? "; give all shards one pair plan and the same two runs"
                    : "; divide them once with `torchgate run --shards " + number(a.shards) + " --shard-plan FILE`"));
  return {};
}

Result<void> check_same_sides(const ShardFile& first, const ShardFile& other) {
  if (first.run.sides.size() != other.run.sides.size())
    return refused(first.name + " and " + other.name + " have different numbers of sides");
  for (std::size_t i = 0; i < first.run.sides.size(); ++i) {
    const record::Side& a = first.run.sides[i];
    const record::Side& b = other.run.sides[i];
    if (a.label != b.label) return refused(both("side", first, a.label, other, b.label));
    const auto commit = [](const record::Side& side) { return side.source.commit.value_or("(unknown)"); };
    if (commit(a) != commit(b)) return refused(both("commit", first, commit(a), other, commit(b)));
  }
  return {};
}

/// Pairs in shards: of one pair plan, with one before side.
Result<void> check_same_pair_plan(const ShardFile& first, const ShardFile& other) {
  const std::optional<record::Confirms>& a = first.run.plan.confirms;
  const std::optional<record::Confirms>& b = other.run.plan.confirms;
  if (a.has_value() != b.has_value())
    return refused((a ? first : other).name + " has the pairs of a pair plan, and " + (a ? other : first).name +
                   " has none");
  if (!a) return {};
  if (a->run != b->run) return refused(both("pairs of run", first, a->run, other, b->run));
  if (a->baseline != b->baseline) return refused(both("pairs with baseline", first, a->baseline, other, b->baseline));
  if (a->rebuilt != b->rebuilt)
    return refused("the before side was rebuilt for one of " + first.name + " and " + other.name +
                   " alone; let all shards use one store with the baseline's binaries");
  if (*a != *b || first.run.plan.budget_s != other.run.plan.budget_s ||
      first.run.plan.budget_pairs != other.run.plan.budget_pairs)
    return refused("the pair plans of " + first.name + " and " + other.name +
                   " differ; write one with `torchgate gate RUN --pair-plan FILE` and give all shards that file");
  return {};
}

Error machines_differ(const std::string& what, const ShardFile& first, const std::string& a, const ShardFile& other,
                      const std::string& b) {
  return {ErrorCode::no_verdict, "these shards cannot be merged: " + both(what, first, a, other, b) +
                                     "; measurements of different machines are never combined: run all "
                                     "shards on machines of one kind"};
}

Result<void> check_same_host(const ShardFile& first, const ShardFile& other) {
  const std::string& a = first.run.machine.host_key;
  const std::string& b = other.run.machine.host_key;
  if (a != b) return machines_differ("host", first, a, other, b);
  if (const auto fact = host_difference(first.run.machine, other.run.machine))
    return machines_differ(fact->fact, first, fact->first, other, fact->second);
  return {};
}

Result<void> check_same_device(const ShardFile& first, const ShardFile& other) {
  const auto& a = first.run.machine.device_key;
  const auto& b = other.run.machine.device_key;
  // A shard without cases on a GPU does not know its device.
  const bool both_known = a && b;
  if (a == b || (!both_known && !(record::has_cuda_cases(first.run) && record::has_cuda_cases(other.run)))) return {};
  return machines_differ("device", first, a.value_or("unknown"), other, b.value_or("unknown"));
}

Result<void> check_same_device_metric(const ShardFile& first, const ShardFile& other) {
  const auto a = record::device_metric_of(first.run.cases);
  const auto b = record::device_metric_of(other.run.cases);
  if (!a || !b || *a == *b) return {};
  return refused(both("cases on a GPU are judged by", first, *a, other, *b) +
                 "; give all shards the same run.device_metric");
}

/// Each group in its own shard, each case in one group of it.
Result<void> check_content(const std::vector<ShardFile>& shards) {
  std::map<std::string, const ShardFile*> of_case;
  for (const ShardFile& shard : shards) {
    const auto& ours = shard.run.plan.division[static_cast<std::size_t>(shard.run.plan.shard - 1)];
    const std::set<std::string> planned(ours.begin(), ours.end());
    for (const record::Group& group : shard.run.groups)
      if (!planned.contains(group.name))
        return refused(shard.name + " has the group " + group.name + ", which is not in its part of the plan");
    for (const record::Case& each : shard.run.cases) {
      const auto [known, first] = of_case.emplace(each.name, &shard);
      if (!first) return refused("duplicate case " + each.name + " in " + known->second->name + " and " + shard.name);
      if (!planned.contains(each.group))
        return refused(shard.name + " has the case " + each.name + ", whose group is not in its part of the plan");
    }
  }
  return {};
}

/// Planned groups that a shard neither measured nor recorded as lost or unchanged. Pairs may leave groups out (budget), a stopped shard says so.
void warn_of_groups_without_process(const ShardFile& shard, std::vector<std::string>& warnings) {
  const record::Run& run = shard.run;
  if (run.interrupted || run.plan.confirms) return;
  std::set<std::string> known;
  std::set<std::string> lost_suites;  // their groups are not known to the shard
  for (const record::Process& process : run.processes) {
    known.insert(process.group);
    if (process.group.empty()) lost_suites.insert(process.suite);
  }
  for (const record::UnchangedGroup& unchanged : run.unchanged) known.insert(unchanged.group);
  std::set<std::string> can_run;
  for (const record::Case& each : run.cases)
    if (!each.skipped) can_run.insert(each.group);
  for (const record::Case& each : run.cases)
    if (!can_run.contains(each.group)) known.insert(each.group);
  std::vector<std::string> without;
  for (const std::string& group : run.plan.division[static_cast<std::size_t>(run.plan.shard - 1)]) {
    const bool of_lost = lost_suites.contains(group.substr(0, group.find('/')));
    if (!of_lost && !known.contains(group)) without.push_back(group);
  }
  if (!without.empty())
    warnings.push_back(shard.name + " has no process of planned groups, and no record of why: " + text_of(without));
}

std::string name_of(const record::LoadedObject& object) {
  return object.executable ? "the executable" : object.soname.empty() ? object.path : object.soname;
}

/// A side of a suite must have loaded one build. System libraries depend on the machine: differences are warnings.
Result<void> check_objects(const std::vector<ShardFile>& shards, std::vector<std::string>& warnings) {
  struct Seen {
    const ShardFile* shard;
    const record::LoadedObject* object;
  };
  std::map<std::string, Seen> known;
  for (const ShardFile& shard : shards) {
    for (const record::Process& process : shard.run.processes) {
      for (const std::int64_t index : process.objects) {
        const record::LoadedObject& object = shard.run.objects.at(static_cast<std::size_t>(index));
        const std::string key = std::to_string(process.side) + '\n' + process.suite + '\n' + name_of(object);
        const auto [found, first] = known.emplace(key, Seen{&shard, &object});
        if (first || found->second.object->sha256 == object.sha256 || found->second.shard == &shard) continue;
        const std::string what = name_of(object) + " of the suite " + process.suite;
        const std::string where = found->second.shard->name + " and " + shard.name;
        if (!object.system || !found->second.object->system)
          return refused(what + " differs between " + where + " (sha256 " + found->second.object->sha256 + " and " +
                         object.sha256 + "); build once, and use the same files for all shards");
        const std::string sentence = what + ", a system library, differs between " + where;
        if (std::find(warnings.begin(), warnings.end(), sentence) == warnings.end()) warnings.push_back(sentence);
      }
    }
  }
  return {};
}

std::string value_text(const record::MachineFact& fact) {
  return fact.value ? *fact.value : "unknown";
}

std::string fact_of(const record::Machine& machine, std::string_view name) {
  const auto found =
      std::find_if(machine.facts.begin(), machine.facts.end(), [&](const auto& fact) { return fact.name == name; });
  return found == machine.facts.end() ? "" : found->value.value_or("");
}

/// Variables that libraries read, and that differ from those of the first shard. Those of environment_switches are a fact that warns.
void warn_of_variables(const ShardFile& shard, record::Run& merged) {
  const std::string first = fact_of(merged.machine, record::library_environment_fact);
  const std::string here = fact_of(shard.run.machine, record::library_environment_fact);
  if (first.empty() || here.empty()) return;  // of an older version
  const record::Variables was = record::variables_of(first);
  const record::Variables is = record::variables_of(here);
  const std::string switches = fact_of(merged.machine, record::environment_switches_fact) + ' ' +
                               fact_of(shard.run.machine, record::environment_switches_fact);
  record::Variables all = was;
  all.insert(is.begin(), is.end());
  const auto value = [](const record::Variables& variables, const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? "unset" : found->second;
  };
  for (const auto& [name, ignored] : all) {
    if (record::is_language_or_place(name) || record::variables_of(switches).contains(name)) continue;
    if (value(was, name) != value(is, name))
      merged.warnings.push_back("shard " + std::to_string(shard.run.plan.shard) + " ran where " + name + " is " +
                                value(is, name) + ", not " + value(was, name));
  }
}

/// Different values of a fact are all kept, labelled by shard. A fact that no earlier shard has is that of a suite of this one: the whole run has
/// it, too, and differs in nothing.
void join_facts(const ShardFile& shard, record::Run& merged) {
  const std::string label = " (shard " + std::to_string(shard.run.plan.shard) + ")";
  const std::vector<record::MachineFact> known = merged.machine.facts;
  for (record::MachineFact fact : shard.run.machine.facts) {
    const auto same =
        std::find_if(known.begin(), known.end(), [&](const auto& each) { return each.name == fact.name; });
    const bool is_new = same == known.end();
    if (!is_new && same->value == fact.value) continue;
    if (!is_new && fact.fact_class == record::FactClass::warn)
      merged.warnings.push_back("shard " + std::to_string(shard.run.plan.shard) + " ran where " + fact.name + " is " +
                                value_text(fact) + ", not " + value_text(*same));
    if (!is_new) fact.name += label;
    merged.machine.facts.push_back(std::move(fact));
  }
}

void join_machine(const ShardFile& shard, record::Run& merged) {
  warn_of_variables(shard, merged);
  join_facts(shard, merged);
  record::Machine& machine = merged.machine;
  const record::Machine& other = shard.run.machine;
  if (!machine.device_key) machine.device_key = other.device_key;
  machine.checks_before = worse_checks(machine.checks_before, other.checks_before);
  machine.checks_after = worse_checks(machine.checks_after, other.checks_after);
  machine.noisy_allowed = machine.noisy_allowed && other.noisy_allowed;
}

void join_sides(const record::Run& from, record::Run& merged) {
  for (std::size_t i = 0; i < merged.sides.size(); ++i) {
    record::Side& side = merged.sides[i];
    const record::Side& other = from.sides[i];
    if (other.source.modified == true) side.source.modified = true;
    if (side.source.modified_files.empty()) side.source.modified_files = other.source.modified_files;
    for (const std::string& path : other.suite_paths)
      if (std::find(side.suite_paths.begin(), side.suite_paths.end(), path) == side.suite_paths.end())
        side.suite_paths.push_back(path);
  }
}

/// The commits are the same for all: what one of them knows of the files in between holds for all.
void join_changed_data(const record::Run& from, record::Run& merged) {
  if (!from.changed_data) return;
  if (!merged.changed_data) merged.changed_data.emplace();
  std::set<std::string> known(merged.changed_data->begin(), merged.changed_data->end());
  for (const std::string& path : *from.changed_data)
    if (known.insert(path).second) merged.changed_data->push_back(path);
}

/// The shortest: processes that it ended are missing in the whole.
void join_limit(std::optional<double> from, std::optional<double>& merged) {
  if (from) merged = std::min(*from, merged.value_or(*from));
}

void join(const ShardFile& shard, record::Run& merged) {
  const record::Run& from = shard.run;
  if (from.tool_version != merged.tool_version)
    merged.warnings.push_back(shard.name + " was measured by torchgate " + from.tool_version + ", the first shard by " +
                              merged.tool_version);
  append_warnings(from, merged);
  append_processes(from, merged);
  join_machine(shard, merged);
  join_sides(from, merged);
  join_changed_data(from, merged);
  join_limit(from.plan.group_limit_s, merged.plan.group_limit_s);
  join_limit(from.plan.total_limit_s, merged.plan.total_limit_s);
  merged.groups.insert(merged.groups.end(), from.groups.begin(), from.groups.end());
  merged.cases.insert(merged.cases.end(), from.cases.begin(), from.cases.end());
  merged.created = std::min(merged.created, from.created);
  merged.interrupted = merged.interrupted || from.interrupted;
}

/// The first shard without its content; number and id of the whole.
record::Run beginning(const std::vector<ShardFile>& shards) {
  constexpr std::size_t id_digits = 16;
  record::Run merged = shards.front().run;
  std::string ids;
  for (const ShardFile& shard : shards) ids += shard.run.id;
  merged.id = base::sha256(ids).substr(0, id_digits);
  merged.plan.shard = merged.plan.shards = 1;
  merged.objects.clear();
  merged.files.clear();
  merged.unchanged.clear();
  merged.instructions.clear();
  merged.code.clear();
  merged.processes.clear();
  merged.groups.clear();
  merged.cases.clear();
  merged.samples.reset();
  std::int64_t next = 1;
  for (const ShardFile& shard : shards) {
    for (; next < shard.run.plan.shard; ++next) merged.plan.missing_shards.push_back(next);
    ++next;
  }
  for (; next <= shards.front().run.plan.shards; ++next) merged.plan.missing_shards.push_back(next);
  return merged;
}

Result<void> check_each(const std::vector<ShardFile>& shards) {
  for (const ShardFile& shard : shards)
    if (auto valid = check_is_shard(shard); !valid) return valid;
  const ShardFile& first = shards.front();
  for (std::size_t i = 1; i < shards.size(); ++i) {
    for (const auto& check : {check_same_sides, check_same_pair_plan, check_same_plan, check_same_host})
      if (auto same = check(first, shards[i]); !same) return same;
    for (std::size_t j = 0; j < i; ++j)  // the first one may have no case on a GPU
      for (const auto& check : {check_same_device, check_same_device_metric})
        if (auto same = check(shards[j], shards[i]); !same) return same;
    if (shards[i].run.plan.shard == shards[i - 1].run.plan.shard)
      return refused(shards[i - 1].name + " and " + shards[i].name + " are both shard " +
                     std::to_string(shards[i].run.plan.shard) + " of " + std::to_string(first.run.plan.shards));
  }
  return check_content(shards);
}

}  // namespace

Result<record::Run> merge_shards(std::vector<ShardFile> shards) {
  if (shards.empty()) return refused("no shards");
  std::stable_sort(shards.begin(), shards.end(),
                   [](const ShardFile& a, const ShardFile& b) { return a.run.plan.shard < b.run.plan.shard; });
  if (auto checked = check_each(shards); !checked) return checked.error();
  std::vector<std::string> warnings;
  if (auto same = check_objects(shards, warnings); !same) return same.error();
  for (const ShardFile& shard : shards) warn_of_groups_without_process(shard, warnings);
  record::Run merged = beginning(shards);
  for (const ShardFile& shard : shards) join(shard, merged);
  merged.warnings.insert(merged.warnings.end(), warnings.begin(), warnings.end());
  // The schedule of the whole is that of its shards, one after the other.
  for (std::size_t i = 0; i < merged.processes.size(); ++i) merged.processes[i].index = static_cast<std::int64_t>(i);
  return merged;
}

}  // namespace torchgate::launch
