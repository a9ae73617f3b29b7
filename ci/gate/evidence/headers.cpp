// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/headers.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/evidence/incomplete.hpp"
#include "ci/policy/since_pin.hpp"
#include "harness/record/imported.hpp"
#include "reports/facts/about_runs.hpp"

namespace torchgate::gate {
namespace {

// What several runs have in common is one doubt: "baseline and this run: ...".
struct RunDoubts {
  std::string label;  // of the run that is looked at

  void add(const facts::Fact& what, reports::DoubtKind kind = reports::DoubtKind::other) {
    for (Known& known : all_) {
      if (!(known.what == what) || known.kind != kind) continue;
      if (known.labels.back() != label) known.labels.push_back(label);
      return;
    }
    all_.push_back({what, kind, {label}});
  }
  void append_to(Remarks& remarks) const {
    for (const Known& known : all_) remarks.doubts.emplace_back(facts::of_runs(known.labels, known.what), known.kind);
  }

 private:
  struct Known {
    facts::Fact what;
    reports::DoubtKind kind;
    std::vector<std::string> labels;
  };
  std::vector<Known> all_;
};

// The worst first, as a report lists few: files that lack a part, then values that no verdict is about. Their sentences are those of harness/import.
void add_warnings(RunDoubts& doubts, const std::vector<LabelledRun>& runs) {
  const auto says = [](const std::string& warning, std::string_view part) {
    return warning.find(part) != std::string::npos;
  };
  for (const bool first : {true, false}) {
    for (const auto& [run, label] : runs) {
      doubts.label = label;
      for (const std::string& warning : run->warnings) {
        const bool cut_off = says(warning, "may have been cut off");
        if ((cut_off || says(warning, "not judged") || says(warning, "not compared")) == first)
          doubts.add(warning, cut_off ? reports::DoubtKind::inputs : reports::DoubtKind::other);
      }
    }
  }
}

// One whose partner in a pair failed was not started either.
std::optional<facts::Fact> lost_processes_of(const record::Run& run) {
  std::vector<const record::Process*> lost;
  std::vector<const record::Process*> not_started;
  for (const record::Process& process : run.processes) {
    if (process.status == record::ProcessStatus::ok) continue;
    (process.status == record::ProcessStatus::not_started ? not_started : lost).push_back(&process);
  }
  if (lost.empty() && not_started.empty()) return std::nullopt;
  if (lost.empty()) {
    const facts::Fact first = lost_process_of(*not_started.front());
    return not_started.size() == 1 ? first : facts::processes_not_measured(not_started.size(), first);
  }
  facts::Fact first = lost_process_of(*lost.front());
  if (lost.size() > 1) first = facts::processes_lost(lost.size(), std::move(first));
  return not_started.empty() ? first : facts::lost_and_not_measured(std::move(first), not_started.size());
}

// Of merged shards, `merge` named those without a process in a warning.
std::set<std::string_view> groups_that_can_run(const record::Run& run) {
  std::set<std::string_view> groups;
  if (!run.plan.division.empty()) return groups;
  for (const record::Case& definition : run.cases)
    if (!definition.skipped) groups.insert(definition.group);
  for (const record::UnchangedGroup& unchanged : run.unchanged) groups.erase(unchanged.group);
  return groups;
}

// Groups of pairs end when their answer is clear, but for a budget not before their first pair.
std::optional<facts::Fact> groups_not_recorded(const record::Run& pairs) {
  const bool has_budget =
      pairs.plan.budget_s || pairs.plan.budget_pairs || (pairs.plan.confirms && pairs.plan.confirms->open_budget_s);
  if (pairs.interrupted || has_budget) return std::nullopt;
  std::set<std::string_view> groups = groups_that_can_run(pairs);
  for (const record::Process& process : pairs.processes) groups.erase(process.group);
  if (groups.empty()) return std::nullopt;
  return facts::groups_not_recorded(groups.size(), std::string(*groups.begin()));
}

// A launcher records also what it could not start: fewer are a record that lost some. A suite that was not listed has one process in all, which failed.
std::optional<facts::Fact> fewer_than_planned(const record::Run& run) {
  if (run.sides.size() == 2) return groups_not_recorded(run);
  if (record::is_imported(run) || run.interrupted) return std::nullopt;
  std::map<std::string_view, std::int64_t> recorded;
  std::set<std::string_view> ran;
  for (const record::Process& process : run.processes) {
    ++recorded[process.group];
    if (process.status == record::ProcessStatus::ok) ran.insert(process.group);
  }
  for (const std::string_view group : groups_that_can_run(run))
    if (recorded.emplace(group, 0).second)
      ran.insert(group);  // not a process of it, so not a suite that was not listed
  std::int64_t groups = 0;
  const std::pair<const std::string_view, std::int64_t>* first = nullptr;
  for (const auto& group : recorded) {
    if (group.second >= run.plan.processes || !ran.contains(group.first)) continue;
    if (groups++ == 0) first = &group;
  }
  if (first == nullptr) return std::nullopt;
  return facts::processes_not_recorded(groups, std::string(first->first), first->second, run.plan.processes);
}

// Of a record into which processes were put that the plan did not ask for. Those of one job that measure a group together are one.
std::optional<facts::Fact> more_than_planned(const record::Run& run) {
  if (record::is_imported(run) || run.sides.size() != 1) return std::nullopt;
  std::map<std::string_view, std::int64_t> recorded;
  for (const record::Process& process : run.processes)
    if (process.rank.value_or(0) == 0 && !process.group.empty()) ++recorded[process.group];
  std::erase_if(recorded, [&](const auto& group) { return group.second <= run.plan.processes; });
  if (recorded.empty()) return std::nullopt;
  const auto& [first, processes] = *recorded.begin();
  return facts::more_processes_than_planned(recorded.size(), std::string(first), processes, run.plan.processes);
}

// The launcher calls such a process lost: its numbers count nowhere.
std::optional<facts::Fact> ended_badly(const record::Run& run) {
  if (record::is_imported(run)) return std::nullopt;
  std::int64_t processes = 0;
  const record::Process* first = nullptr;
  for (const record::Process& process : run.processes) {
    if (process.status != record::ProcessStatus::ok || process.exit_code.value_or(0) == 0) continue;
    if (processes++ == 0) first = &process;
  }
  if (first == nullptr) return std::nullopt;
  return facts::ended_badly_with_results(processes, first->group, *first->exit_code);
}

// A CI job has another host name each time; on machines with fixed names it is another machine.
facts::Fact unidentified_machines(const record::Machine& before, const record::Machine& after) {
  for (const std::string_view name : {"host_name", "hostname", "node"}) {
    const auto is_it = [&](const record::MachineFact& fact) { return fact.name == name && fact.value; };
    const auto was = std::find_if(before.facts.begin(), before.facts.end(), is_it);
    const auto is = std::find_if(after.facts.begin(), after.facts.end(), is_it);
    if (was != before.facts.end() && is != after.facts.end() && *was->value != *is->value)
      return facts::files_of_two_hosts(*was->value, *is->value);
  }
  return facts::unidentified_machine();
}

// A check of after the run stands for one of the same name before it: a setting that changed is shown as it was left.
record::MachineChecks checks_around(const record::Machine& machine) {
  record::MachineChecks checks = machine.checks_after;
  for (const record::MachineCheck& check : machine.checks_before) {
    const bool known =
        std::any_of(checks.begin(), checks.end(), [&](const auto& other) { return other.name == check.name; });
    if (!known) checks.push_back(check);
  }
  const auto urgency = [](const record::MachineCheck& check) {
    const int answer = check.answer == record::CheckAnswer::bad       ? 0
                       : check.answer == record::CheckAnswer::unknown ? 1
                                                                      : 2;
    return std::pair(answer, check.severity);
  };
  std::stable_sort(checks.begin(), checks.end(), [&](const auto& a, const auto& b) { return urgency(a) < urgency(b); });
  return checks;
}

}  // namespace

reports::Report report_under(const policy::Gate& policy) {
  reports::Report report;
  report.rule = policy.rule;
  const policy::CaseSettings settled = policy::settled_gate(policy);
  report.gate_ratio = settled.latency;
  report.equivalence_ratio = settled.equivalence;
  return report;
}

reports::SideHeader side_header(const record::Run& run, std::int64_t side, const std::string& label) {
  const record::Side& from = run.sides.at(static_cast<std::size_t>(side));
  reports::SideHeader header;
  header.label = label;
  header.run_ids = {run.id};
  header.commit = from.source.commit;
  header.modified = from.source.modified;
  header.created = run.created;
  header.host_key = run.machine.host_key;
  header.checks = checks_around(run.machine);
  header.sampling = {run.plan.profile, run.plan.warmup_calls, run.plan.samples};
  return header;
}

void add_run_doubts(Remarks& remarks, const std::vector<LabelledRun>& runs) {
  RunDoubts doubts;
  const bool compared = runs.size() != 1 || runs.front().first->sides.size() > 1;
  const facts::Fact unidentified = runs.size() == 1
                                       ? facts::unidentified_machine()
                                       : unidentified_machines(runs[0].first->machine, runs[1].first->machine);
  for (const auto& [run, label] : runs) {
    doubts.label = label;
    if (run->interrupted) doubts.add(facts::run_stopped, reports::DoubtKind::incomplete);
    if (const facts::Fact missing = missing_shards(run->plan); !missing.empty())
      doubts.add(missing, reports::DoubtKind::incomplete);
    if (const auto lacks = fewer_than_planned(*run)) doubts.add(*lacks, reports::DoubtKind::incomplete);
    for (const auto& lost : {lost_processes_of(*run), ended_badly(*run)})
      if (lost) doubts.add(*lost, reports::DoubtKind::lost);
    if (const auto more = more_than_planned(*run)) doubts.add(*more, reports::DoubtKind::inputs);
  }
  add_warnings(doubts, runs);
  for (const auto& [run, label] : runs) {
    doubts.label = label;
    if (compared && run->machine.host_key.empty()) doubts.add(unidentified);
  }
  doubts.append_to(remarks);
}

}  // namespace torchgate::gate
