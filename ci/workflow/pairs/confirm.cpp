// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/confirm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

#include "ci/gate/pairs/pair_count.hpp"
#include "ci/policy/pairs_budget.hpp"
#include "ci/workflow/build/rebuild_baseline.hpp"
#include "ci/workflow/measure/changed_data.hpp"
#include "ci/workflow/measure/duration_text.hpp"
#include "ci/workflow/measure/measuring.hpp"
#include "ci/workflow/pairs/follow_up.hpp"
#include "ci/workflow/pairs/runnable_side.hpp"
#include "ci/workflow/pairs/what_ran.hpp"
#include "harness/base/counted.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/record/device_metric.hpp"

namespace torchgate::workflow {
namespace {

using Seconds = std::chrono::duration<double>;

// With the settings of the run that is judged, whatever this command was given: threads, allocator.
std::vector<record::Parameter> environment_of(const record::Run& current,
                                              const std::vector<record::Parameter>& otherwise) {
  const auto measured = std::find_if(current.processes.begin(), current.processes.end(), [](const auto& process) {
    return process.status == record::ProcessStatus::ok && !process.environment.empty();
  });
  return measured == current.processes.end() ? otherwise : measured->environment;
}

std::string what_is_measured(const PairPlanFile& plan, bool counts) {
  std::string text;
  if (!plan.cases.empty()) {
    text = fmt::format("confirming {} with at most {} each", base::counted(plan.cases.size(), "suspect", "suspects"),
                       base::counted(plan.pairs, "interleaved pair", "interleaved pairs"));
  }
  if (plan.since) {
    text = fmt::format("comparing {} with pin {} in interleaved pairs",
                       base::counted(plan.confirms.open.size(), "case", "cases"), *plan.since);
  } else if (!plan.confirms.open.empty()) {
    text += fmt::format("{}deciding {} in interleaved pairs", text.empty() ? "" : ", then ",
                        base::counted(plan.confirms.open.size(), "open case", "open cases"));
    if (plan.confirms.open_budget_s) text += ", for at most " + duration_text(Seconds(*plan.confirms.open_budget_s));
  }
  if (plan.budget_s) text += "; budget " + duration_text(Seconds(*plan.budget_s));
  if (plan.budget_s && counts)
    text += ", and " + duration_text(Seconds(policy::seconds_for_counts(*plan.budget_s))) +
            " to count what they leave open";
  if (plan.budget_pairs) text += "; budget " + base::counted(*plan.budget_pairs, "pair", "pairs");
  return text;
}

std::string which_groups(const record::Plan& plan) {
  const std::vector<std::string>& groups = plan.division.at(static_cast<std::size_t>(plan.shard - 1));
  return fmt::format("shard {} of {}: {}", plan.shard, plan.shards,
                     groups.empty() ? "no groups" : fmt::format("the pairs of {}", fmt::join(groups, ", ")));
}

}  // namespace

base::Result<SuspectPairs> measure_suspects(const PairPlanFile& plan, const record::Run& baseline,
                                            const record::Run& current, const baselines::Store* store,
                                            const RecordedFiles& files, const policy::Policy& policy,
                                            const KeepPairs& keep, Narrator& narrator, const PairShard& shard) {
  const process::InterruptScope interruptible;  // until all work trees and temporary files are removed
  Effort effort;
  effort.profile = plan.profile;
  effort.seed = plan.seed;
  effort.warmup_calls = plan.warmup_calls;
  effort.samples = plan.samples;
  launch::Request pairs = request(effort, policy);
  pairs.plan.processes = plan.pairs;
  pairs.plan.confirms = plan.confirms;
  pairs.plan.budget_s = plan.budget_s;
  pairs.plan.budget_pairs = plan.budget_pairs;
  pairs.only_cases = plan.all_cases();
  pairs.environment = environment_of(current, pairs.environment);
  pairs.device_metric = record::device_metric_of(current.cases).value_or(std::string(record::host_time));
  if (auto divided = use_pair_shard(shard, plan, baseline, current, pairs); !divided) return divided.error();

  auto folder = folder_for_restored(pairs);
  if (!folder) return folder.error();
  const std::set<std::string> suites = suites_of(pairs.only_cases, current);
  auto after = runnable("after", current, suites, store, files, folder->path() / "after");
  if (!after) return after.error().within("this run's binaries");
  auto before = runnable("before", baseline, suites, store, files, folder->path() / "before");
  std::optional<RebuiltBaseline> rebuilt;
  if (!before && before.error().code == base::ErrorCode::not_found && is_known(baseline, store, files)) {
    auto again = rebuild_baseline(baseline, before.error().within("the baseline's binaries"), pairs.only_cases, pairs,
                                  policy, policy, narrator);
    if (!again) return again.error();
    rebuilt.emplace(std::move(*again));
    before = Runnable{rebuilt->side, {}};  // no expected files: the hashes of a rebuild are new
  }
  if (!before) return before.error().within("the baseline's binaries");

  if (store != nullptr) {
    if (auto restored = restore_inputs(*store, baseline, suites, folder->path() / "files", before->side); !restored)
      return restored.error();
  }
  pairs.sides = {before->side, after->side};
  choose_by(gate::PairRounds(plan.confirms, baseline, current, policy), pairs);
  if (plan.pairs > policy.pairs) {
    const auto family = std::max(plan.confirms.family, plan.confirms.open_family);
    narrator.warning(gate::raised_pairs(policy.pairs, {static_cast<std::size_t>(family), plan.pairs}));
  }
  narrator.note(what_is_measured(plan, policy.count_undecided));
  if (shard.shards > 1) narrator.note(which_groups(pairs.plan));
  auto run = measure(pairs, narrator);
  if (!run) return run.error();
  if (rebuilt) run->plan.confirms->rebuilt = rebuilt->commit;
  run->changed_data = changed_data(baseline, current);  // a job that judges has no repository
  if (auto checked = check_what_ran(*run, before->expected, after->expected); !checked) return checked.error();
  if (auto same = check_machine_libraries(*run, baseline); !same) return same.error();
  if (auto kept = keep(*run); !kept) return kept.error();
  follow_up(pairs, policy, *run, narrator, policy::least_time_for_counts(policy.budget));
  SuspectPairs result{std::move(*run), rebuilt ? rebuilt_sentence(rebuilt->commit) : ""};
  if (rebuilt) result.run.warnings.push_back(result.rebuilt);
  return result;
}

}  // namespace torchgate::workflow
