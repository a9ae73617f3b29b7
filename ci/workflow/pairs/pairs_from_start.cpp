// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/pairs_from_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "ci/gate/pairs/after_side.hpp"
#include "ci/gate/pairs/pair_count.hpp"
#include "ci/policy/pairs_budget.hpp"
#include "ci/workflow/build/rebuild_baseline.hpp"
#include "ci/workflow/measure/changed_data.hpp"
#include "ci/workflow/measure/duration_text.hpp"
#include "ci/workflow/measure/measuring.hpp"
#include "ci/workflow/pairs/follow_up.hpp"
#include "ci/workflow/pairs/only_in_older.hpp"
#include "ci/workflow/pairs/pair_plan_file.hpp"
#include "ci/workflow/pairs/runnable_side.hpp"
#include "ci/workflow/pairs/what_ran.hpp"
#include "ci/workflow/workspace/workspace.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/first_line.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/process/temporary_folder.hpp"
#include "harness/record/sampling.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;

/// Of the budget that follows from how long cases take: where they take milliseconds, starting their processes and a busy machine take more.
constexpr double least_budget_s = 60;

Error cannot_run(const std::string& why) {
  return {ErrorCode::no_verdict, "the baseline's binaries cannot run here: " + why};
}

/// An interruption says nothing about them.
Error cannot_run(const Error& why) {
  return why.code == ErrorCode::interrupted ? why : cannot_run(why.message);
}

// Suites of this checkout that the baseline has, too.
std::set<std::string> common_suites(const launch::Forecast& listed, const record::Run& baseline) {
  const std::set<std::string> stored = measured_suites(baseline);
  std::set<std::string> common;
  for (const launch::SuiteForecast& suite : listed.suites)
    if (stored.contains(suite.name)) common.insert(suite.name);
  return common;
}

// What one side lists, or why it cannot.
base::Result<launch::Forecast> listing_of(const launch::SideRequest& side, const launch::Request& pairs) {
  launch::Request question = pairs;
  question.sides = {side};
  return launch::forecast(question);
}

bool can_run(const launch::Forecast& listed, const std::string& name) {
  return std::any_of(listed.cases.begin(), listed.cases.end(),
                     [&](const record::Case& each) { return each.name == name && !each.skipped; });
}

// Both sides list them, and can run them here: fixed before the first pair, they share the risk of a false alarm.
std::vector<record::Case> cases_of_both(const launch::Forecast& before, const launch::Forecast& after) {
  std::vector<record::Case> both;
  for (const record::Case& each : after.cases)
    if (!each.skipped && can_run(before, each.name)) both.push_back(each);
  return both;
}

// Seconds of one process of each group that LISTED has: as the baseline took them, if it was measured in this way, else as the suites estimate.
std::optional<double> seconds_of_all(const launch::Forecast& listed, const record::Run& baseline,
                                     const record::Plan& plan) {
  if (!record::take_as_long(baseline.plan, plan)) {
    if (!listed.seconds || plan.processes <= 0) return std::nullopt;
    return *listed.seconds / static_cast<double>(plan.processes);
  }
  constexpr double seconds_per_ns = 1e-9;
  std::map<std::string_view, std::pair<double, double>> sums;  // seconds, processes
  for (const record::Process& process : baseline.processes) {
    if (process.status != record::ProcessStatus::ok) continue;
    auto& [seconds, count] = sums[process.group];
    seconds += static_cast<double>(process.wall_ns) * seconds_per_ns;
    count += 1;
  }
  double seconds = 0;
  for (const record::Group& group : listed.groups) {
    const auto sum = sums.find(group.name);
    if (sum != sums.end()) seconds += sum->second.first / sum->second.second;
  }
  return seconds;
}

void set_budget(const policy::Gate& policy, std::optional<double> seconds_of_all_groups, record::Plan& plan) {
  const policy::GateBudget budget = policy::parse_gate_budget(policy.budget).value();  // the key takes nothing else
  plan.budget_s = policy::seconds_for_pairs(budget.total.seconds, policy.count_undecided);
  plan.budget_pairs = budget.total.pairs;
  if (!budget.as_long_as_the_run || !seconds_of_all_groups) return;
  constexpr double sides = 2;
  plan.budget_s = std::max(least_budget_s, std::ceil(sides * pairs_for_most_answers * *seconds_of_all_groups));
}

std::string what_is_measured(const record::Plan& plan, const record::Run& baseline) {
  std::string text = fmt::format("measuring {} in interleaved pairs with the baseline's binaries (run {})",
                                 base::counted(plan.confirms->open.size(), "case", "cases"), baseline.id);
  if (plan.budget_s) text += "; budget " + duration_text(std::chrono::duration<double>(*plan.budget_s));
  if (plan.budget_pairs) text += "; budget " + base::counted(*plan.budget_pairs, "pair", "pairs");
  return text;
}

// Absent: at least one process of the baseline's binaries ended well, or none was started.
std::optional<std::string> failed_everywhere(const record::Run& pairs) {
  const record::Process* first = nullptr;
  for (const record::Process& process : pairs.processes) {
    if (process.side != 0) continue;
    if (process.status == record::ProcessStatus::ok) return std::nullopt;
    if (first == nullptr && process.status != record::ProcessStatus::not_started) first = &process;
  }
  if (first == nullptr) return std::nullopt;
  return fmt::format("all their processes failed, {} first: {}", first->group.empty() ? first->suite : first->group,
                     base::first_line(first->message));
}

// Sides, cases and budget of pairs from the start, and what they need until they are measured.
struct Prepared {
  process::TemporaryFolder folder;  // of restored files
  std::optional<RebuiltBaseline> rebuilt;
  launch::Request pairs;
  launch::Forecast after;
  ExpectedOfSuites expected;  // of the before side
};

base::Result<Runnable> before_side(const record::Run& baseline, const std::set<std::string>& suites,
                                   const baselines::Store* store, const RecordedFiles& files,
                                   const policy::Policy& policy, Prepared& prepared, Narrator& narrator) {
  auto before = runnable("before", baseline, suites, store, files, prepared.folder.path() / "before");
  if (!before && before.error().code == ErrorCode::not_found && is_known(baseline, store, files)) {
    std::vector<std::string> names;
    for (const record::Case& each : baseline.cases)
      if (suites.contains(each.suite) && can_run(prepared.after, each.name)) names.push_back(each.name);
    auto again = rebuild_baseline(baseline, before.error(), names, prepared.pairs, policy, policy, narrator);
    if (!again) return again.error();
    prepared.rebuilt.emplace(std::move(*again));
    before = Runnable{prepared.rebuilt->side, {}};  // no expected files: the hashes of a rebuild are new
  }
  if (!before) return before;
  if (store != nullptr) {
    if (auto restored = restore_inputs(*store, baseline, suites, prepared.folder.path() / "files", before->side);
        !restored)
      return restored.error();
  }
  return before;
}

base::Result<Prepared> prepare(const FromStart& wanted, const record::Run& baseline, const baselines::Store* store,
                               const RecordedFiles& files, const policy::Policy& policy, Narrator& narrator) {
  launch::Request wanted_pairs = request(wanted.effort, policy);
  auto folder = folder_for_restored(wanted_pairs);
  if (!folder) return folder.error();
  Prepared prepared{std::move(*folder), std::nullopt, std::move(wanted_pairs), {}, {}};
  launch::Request& pairs = prepared.pairs;
  const launch::SideRequest after = side("after", wanted.suites, source_here());
  auto listed = listing_of(after, pairs);
  if (!listed) return listed.error();
  prepared.after = std::move(*listed);
  for (const launch::SuiteForecast& suite : prepared.after.suites) {
    const auto older = wanted.only_in_older.find(suite.name);
    if (older == wanted.only_in_older.end()) continue;
    return Error{ErrorCode::no_verdict,
                 fmt::format("the nearest stored run, {}, did not measure suite {}, and run {} did", baseline.id,
                             suite.name, older->second)};
  }
  const std::set<std::string> suites = common_suites(prepared.after, baseline);
  if (suites.empty() && !prepared.after.failed.empty())
    return Error{ErrorCode::no_verdict,
                 prepared.after.failed.front().suite + ": " + prepared.after.failed.front().message};
  if (suites.empty()) return cannot_run(fmt::format("run {} measured none of these suites", baseline.id));
  auto before = before_side(baseline, suites, store, files, policy, prepared, narrator);
  if (!before) return cannot_run(before.error());
  const auto there = listing_of(before->side, pairs);
  if (!there) return cannot_run(there.error());
  if (!there->failed.empty()) return cannot_run(there->failed.front().suite + ": " + there->failed.front().message);

  record::Run planned;
  planned.cases = cases_of_both(*there, prepared.after);
  if (planned.cases.empty()) return cannot_run("both builds list no case in common that runs on this machine");
  const gate::FewestPairs needed = gate::fewest_pairs(planned, policy);
  if (policy.pairs < needed.pairs) narrator.warning(gate::raised_pairs(policy.pairs, needed));
  record::Confirms confirms;
  confirms.baseline = baseline.id;
  confirms.family = 0;
  confirms.open_family = static_cast<std::int64_t>(needed.family);
  for (const record::Case& each : planned.cases) confirms.open.push_back(each.name);
  set_budget(policy, seconds_of_all(prepared.after, baseline, pairs.plan), pairs.plan);
  pairs.plan.processes = std::max(policy.pairs, needed.pairs);
  pairs.plan.confirms = confirms;
  pairs.sides = {after};
  remember_suites(pairs, narrator);
  pairs.sides = {std::move(before->side), after};
  prepared.expected = std::move(before->expected);
  choose_by(gate::PairRounds(confirms, policy, wanted.measure_unchanged), pairs);
  return prepared;
}

gate::ListedAfter listed_after(const launch::Forecast& after) {
  gate::ListedAfter listed{{}, after.cases};
  for (const launch::SuiteForecast& suite : after.suites) listed.suites.push_back(suite.name);
  for (const record::Process& lost : after.failed) listed.suites.push_back(lost.suite);
  return listed;
}

// Whether the before side is what the baseline was.
base::Result<void> check_before(const record::Run& pairs, const record::Run& baseline,
                                const ExpectedOfSuites& expected) {
  if (const auto why = failed_everywhere(pairs)) return cannot_run(*why);
  if (auto checked = check_what_ran(pairs, expected, {}); !checked) return cannot_run(checked.error());
  if (auto same = check_machine_libraries(pairs, baseline); !same) return cannot_run(same.error());
  return {};
}

Error stopped(const record::Run& run) {
  return {
      ErrorCode::interrupted,
      fmt::format("interrupted while pairs were measured: nothing was judged; `torchgate report {}` shows the pairs "
                  "measured so far; for a verdict, run the same command again",
                  run.id)};
}

}  // namespace

base::Result<PairsFromStart> measure_from_start(const FromStart& wanted, const record::Run& baseline,
                                                const baselines::Store* store, const RecordedFiles& files,
                                                const policy::Policy& policy, Narrator& narrator) {
  const process::InterruptScope interruptible;  // until all work trees and temporary files are removed
  auto prepared = prepare(wanted, baseline, store, files, policy, narrator);
  if (!prepared) return prepared.error();
  narrator.note(what_is_measured(prepared->pairs.plan, baseline));
  auto run = measure(prepared->pairs, narrator);
  if (!run) return run.error();
  if (prepared->rebuilt) run->plan.confirms->rebuilt = prepared->rebuilt->commit;
  run->changed_data = changed_data(baseline, gate::after_side(*run, listed_after(prepared->after)));
  const Workspace workspace;
  if (auto saved = workspace.save(*run, wanted.save); !saved) return saved.error();
  if (run->interrupted) return stopped(*run);
  if (auto same = check_before(*run, baseline, prepared->expected); !same) return same.error();
  follow_up(prepared->pairs, policy, *run, narrator, policy::least_time_for_counts(policy.budget));
  PairsFromStart result;
  if (prepared->rebuilt) {
    result.rebuilt = rebuilt_sentence(prepared->rebuilt->commit);
    run->warnings.push_back(result.rebuilt);
  }
  if (auto saved = workspace.save(*run, wanted.save); !saved) return saved.error();
  if (run->interrupted) return stopped(*run);
  result.current = gate::after_side(*run, listed_after(prepared->after));
  result.pairs = *std::move(run);
  return result;
}

}  // namespace torchgate::workflow
