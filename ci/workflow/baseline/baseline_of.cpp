// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/baseline_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "baselines/select.hpp"
#include "baselines/store_checks.hpp"
#include "ci/git/remote.hpp"
#include "ci/git/repository.hpp"
#include "ci/workflow/baseline/searched_commits.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/creation_time.hpp"
#include "harness/base/timestamp.hpp"
#include "harness/record/cuda_cases.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;

// How long after the start of a run another one may still be measured and stored before the run is judged: two jobs of six
// hours, the limit of GitHub's hosted runners.
constexpr std::chrono::hours longest_workflow{12};

// Where the baseline of CURRENT, of its own commit or else of HEAD, is looked for (searched_commits.hpp).
base::Result<baselines::SelectRequest> wanted_commits(const record::Run& current, const BaselineChoice& choice) {
  baselines::SelectRequest wanted;
  wanted.host_key = current.machine.host_key;
  wanted.run_id = current.id;
  wanted.another_host = choice.another_host;
  wanted.has_cuda_cases = record::has_cuda_cases(current);
  wanted.device_key = current.machine.device_key;
  const auto repository = git::Repository::open(".");
  if (!repository)
    return repository.error().within("cannot choose a baseline without a git repository; name one with --against");
  const auto head = repository->head();
  if (!head) return head.error();
  const std::string commit = current.sides.front().source.commit.value_or(head->commit);
  auto searched = searched_commits(*repository, commit, git::environment_variable);
  if (!searched) return searched.error();
  auto& commits = searched->commits;
  if (choice.skip_own_commit && !commits.empty() && commits.front() == commit) {
    commits.erase(commits.begin());
    --searched->line;
  }
  if (commits.empty() && searched->shallow) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the commits before {} are not in this clone, which is shallow; use `git fetch "
                             "--unshallow`, or fetch-depth: 0 in actions/checkout",
                             record::short_commit(commit))};
  }
  if (commits.empty()) {
    return Error{ErrorCode::no_verdict,
                 fmt::format("commit {} has no ancestor, so it has no baseline", record::short_commit(commit))};
  }
  wanted.begins_with_own = commits.front() == commit && current.sides.front().source.modified != true;
  wanted.commits = std::move(commits);
  wanted.line = searched->line;
  wanted.shallow = searched->shallow;
  return wanted;
}

// Stored too late for the plan: measured after the plan's run began, or so shortly before that its own jobs had not ended.
bool came_after(const baselines::PassedOver& run, const record::Run& current) {
  const auto created = base::utc_seconds(run.created);
  const auto began = base::utc_seconds(current.created);
  return created && began && *created + longest_workflow >= *began;
}

base::Result<baselines::Selection> select_runs(const baselines::Store& store, const record::Run& current,
                                               const BaselineChoice& choice) {
  auto wanted = wanted_commits(current, choice);
  if (!wanted) return wanted.error();
  if (choice.planned.empty()) return baselines::select_baseline(store, *wanted);
  wanted->planned = choice.planned;
  auto planned = baselines::select_baseline(store, *wanted);
  const auto later = [&](const baselines::PassedOver& run) { return came_after(run, current); };
  if (planned && std::all_of(planned->passed_over.begin(), planned->passed_over.end(), later)) return planned;
  wanted->planned.clear();
  return baselines::select_baseline(store, *wanted);
}

std::string passed_over_sentence(const std::vector<baselines::PassedOver>& runs) {
  return fmt::format(
      "the baseline is the one that the pairs were planned with; stored since then, and not used: run {}{}",
      runs.front().id,
      runs.size() == 1 ? "" : fmt::format(" and {} more", base::grouped(static_cast<std::int64_t>(runs.size() - 1))));
}

// What the commits between the two changed cannot be told from this change.
std::string nearer_sentence(const baselines::NearerRun& nearer, const record::Run& baseline) {
  return fmt::format(
      "the newest stored run of this machine, {}, is {} older than run {} of {} on {}: what became slower or faster "
      "between them counts as part of this change; measure {} on this machine and add the run (`torchgate baseline "
      "add`)",
      baseline.id, base::counted(nearer.commits_nearer, "commit", "commits"), nearer.id,
      record::short_commit(nearer.commit), nearer.host_key, record::short_commit(nearer.commit));
}

}  // namespace

bool is_planned_elsewhere(const baselines::Store& store, const record::Run& current, const BaselineChoice& choice) {
  if (choice.planned.empty()) return false;
  const auto stored = store.list({});
  return stored && std::any_of(stored->begin(), stored->end(), [&](const baselines::Entry& entry) {
           return entry.id == choice.planned.front() && entry.host_key != current.machine.host_key;
         });
}

base::Result<Baseline> choose_baseline(const baselines::Store& store, const record::Run& current,
                                       const BaselineChoice& choice) {
  auto selection = select_runs(store, current, choice);
  if (!selection) return selection.error();
  Baseline baseline;
  baseline.runs = std::move(selection->runs);
  baseline.notes.push_back(selection->sentence);
  if (!selection->passed_over.empty()) baseline.notes.push_back(passed_over_sentence(selection->passed_over));
  baseline.doubts = selection->warnings;
  if (selection->another_device) {
    baseline.notes.push_back(fmt::format(
        "no run of this GPU ({}) is stored for these commits, and the baseline was measured on {}; add a run of this "
        "GPU with `torchgate baseline add`",
        current.machine.device_key.value_or("unknown"),
        baseline.runs.front().machine.device_key.value_or("an unknown one")));
  }
  // A commit is normally judged against the one before it. Only a substitute for the requested baseline is a doubt.
  const bool own_commit = selection->wanted == current.sides.front().source.commit;
  if (selection->of_merged_branch || (selection->substituted && !own_commit))
    baseline.doubts.push_back(selection->sentence);
  if (selection->nearer_elsewhere) {
    baseline.nearer_elsewhere = selection->nearer_elsewhere->id;
    baseline.doubts.push_back(nearer_sentence(*selection->nearer_elsewhere, baseline.runs.front()));
  }
  // The tails and the textbook rule use raw samples of the nearest run; pruned samples are not an error.
  if (baseline.runs.front().samples && !choice.another_host) {
    const auto samples = store.load_samples(baseline.runs.front());
    if (!samples && samples.error().code != ErrorCode::not_found) return samples.error();
  }
  return baseline;
}

base::Result<record::Run> load_anywhere(const std::string& name, const Workspace& workspace,
                                        const baselines::Store* store) {
  auto run = workspace.load(name);
  if (run || run.error().code != ErrorCode::not_found || store == nullptr) return run;
  auto stored = store->load(name);
  if (stored) {
    if (auto checked = base::check_creation_time(name, stored->created); !checked) return checked.error();
  }
  // A stored run that is damaged differs from a missing one. A name that cannot be a run's id cannot be in the store.
  constexpr std::size_t longest_id = 16;
  const bool may_be_stored = baselines::check_run_prefix(name) && name.size() <= longest_id;
  if (stored || (may_be_stored && stored.error().code != ErrorCode::not_found)) return stored;
  return run;
}

base::Result<Baseline> named_baseline(const std::vector<std::string>& names, const Workspace& workspace,
                                      const baselines::Store* store) {
  Baseline baseline;
  for (const std::string& name : names) {
    auto run = load_anywhere(name, workspace, store);
    if (!run) return run.error();
    for (const record::Run& other : baseline.runs) {
      if (other.id != run->id) continue;
      return Error{
          ErrorCode::bad_input,
          fmt::format("run {} is named twice ({}): its processes would count as those of two runs; name it once",
                      run->id, name)};
    }
    baseline.runs.push_back(std::move(run).value());
  }
  const record::Run& nearest = baseline.runs.front();
  baseline.notes.push_back(fmt::format(
      "judged against run {} ({}){}, as asked", nearest.id, names.front(),
      names.size() == 1 ? ""
                        : fmt::format(" and {} more", base::grouped(static_cast<std::int64_t>(names.size() - 1)))));
  for (const record::Run& run : baseline.runs) {
    if (run.machine.host_key == nearest.machine.host_key) continue;
    return Error{ErrorCode::bad_input, fmt::format("runs {} and {} come from different hosts ({} and {}), and such "
                                                   "runs are never pooled; name runs of one host",
                                                   nearest.id, run.id, nearest.machine.host_key, run.machine.host_key)};
  }
  return baseline;
}

}  // namespace torchgate::workflow
