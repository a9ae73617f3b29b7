// SPDX-License-Identifier: Apache-2.0
#include "baselines/select.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "baselines/entry_name.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/creation_time.hpp"
#include "harness/record/cuda_cases.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::baselines {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

/// Runs that a commit's baseline may consist of, newest first, by the commit's first digits.
std::map<std::string, std::vector<Entry>> by_commit(const std::vector<Entry>& oldest_first,
                                                    const SelectRequest& request) {
  std::map<std::string, std::vector<Entry>> grouped;
  for (auto entry = oldest_first.rbegin(); entry != oldest_first.rend(); ++entry) {
    if (entry->commit && entry->id != request.run_id) grouped[*entry->commit].push_back(*entry);
  }
  return grouped;
}

/// The file name only selects the runs to read; the record itself decides. (The name has twelve digits of the hash, and
/// files may have been copied into the folder of the store.)
bool is_run_of(const record::Run& run, const std::string& commit, const std::string& host_key) {
  return run.sides.size() == 1 && !run.interrupted && run.machine.host_key == host_key &&
         run.sides.front().source.commit == commit && run.sides.front().source.modified != true;
}

/// ENTRY's run if it can be COMMIT's baseline; what is wrong with it otherwise, where that has to be said, becomes a warning.
std::optional<record::Run> usable_run(const Store& store, const Entry& entry, const std::string& commit,
                                      const SelectRequest& request, Selection& selection) {
  const auto leave_out = [&](const std::string& why) -> std::optional<record::Run> {
    selection.warnings.push_back("run " + entry.id + " is not used in the baseline: " + why);
    if (!selection.unusable) selection.unusable = commit;
    return std::nullopt;
  };
  auto run = store.load(entry.id);
  if (!run) return leave_out(run.error().message);
  if (!is_run_of(*run, commit, request.another_host ? entry.host_key : request.host_key)) return std::nullopt;
  // The name of its file decides where it stands among the others, the record what is shown of it.
  if (base::is_from_the_future(entry.created, request.now) || base::is_from_the_future(run->created, request.now))
    return leave_out("its time, " + std::max(entry.created, run->created) + ", " + base::from_the_future);
  // Pairs with another host's binaries ask no run of this one, but whether its nearest one is damaged.
  if (request.another_host && entry.host_key == request.host_key) return std::nullopt;
  return std::move(*run);
}

bool is_planned(const SelectRequest& request, const std::string& id) {
  return std::find(request.planned.begin(), request.planned.end(), id) != request.planned.end();
}

/// Runs of another device that are read in search of more runs to pool: each costs some milliseconds, and a store may have years of them.
constexpr std::size_t most_of_other_devices = 200;

/// Its times of CUDA cases are not comparable with those of the run to be judged. Of a baseline on another host only the binaries count.
bool is_of_another_device(const record::Run& run, const SelectRequest& request) {
  if (!request.has_cuda_cases || request.another_host || run.machine.device_key == request.device_key) return false;
  return record::has_cuda_cases(run);
}

/// More runs than the pool that are read in search of one whose suites all listed their cases.
constexpr std::size_t most_without_listings = 100;

/// Some suite did not list its cases: the run knows none of them.
bool lost_a_listing(const record::Run& run) {
  return std::any_of(run.processes.begin(), run.processes.end(), [](const record::Process& process) {
    return process.group.empty() && process.status != record::ProcessStatus::ok;
  });
}

/// Times of another machine are not pooled with anything: its nearest run names the binaries.
std::size_t wanted_number(const SelectRequest& request) {
  if (!request.planned.empty()) return request.planned.size();
  return request.another_host ? 1 : request.earlier_runs + 1;
}

/// Looks for runs along the commits, nearest first, and fills in those of a selection.
class Search {
 public:
  Search(const Store& store, const SelectRequest& request, Selection& selection)
      : store_(store), request_(request), selection_(selection), wanted_(wanted_number(request)) {}

  void find(const std::map<std::string, std::vector<Entry>>& stored) {
    const std::span<const std::string> commits = request_.commits;
    const std::size_t line = std::min(request_.line, commits.size());
    find_in(commits.first(line), stored);
    if (selection_.runs.empty()) find_in(commits.subspan(line), stored);
    finish();
  }

 private:
  void find_in(std::span<const std::string> commits, const std::map<std::string, std::vector<Entry>>& stored) {
    for (const std::string& commit : commits) {
      const auto found = stored.find(record::short_commit(commit));
      if (found == stored.end()) continue;
      for (const Entry& entry : found->second) {
        if (is_done()) return;
        if (auto run = usable_run(store_, entry, commit, request_, selection_)) consider(entry.id, *std::move(run));
      }
    }
  }

  [[nodiscard]] bool is_done() const {
    const bool enough_read = !selection_.runs.empty() && selection_.other_devices >= most_of_other_devices;
    return (selection_.runs.size() >= wanted_ && !searches_listings()) || enough_read;
  }

  /// All runs of the pool lack the cases of a suite: judged against them alone, these cases would be new. A plan names its runs.
  [[nodiscard]] bool searches_listings() const {
    return !has_all_listings_ && request_.planned.empty() && !request_.another_host &&
           without_listings_ < most_without_listings;
  }

  void consider(const std::string& id, record::Run run) {
    const bool another_device = is_of_another_device(run, request_);
    const bool planned = is_planned(request_, id);
    if (!request_.planned.empty() && !planned) {
      passed_over_.emplace_back(PassedOver{id, run.created}, another_device);
    } else if (!another_device || planned) {
      add(std::move(run));
    } else {
      ++selection_.other_devices;
      if (of_other_devices_.size() < wanted_) of_other_devices_.push_back(std::move(run));
    }
  }

  void add(record::Run run) {
    const bool is_whole = !lost_a_listing(run);
    has_all_listings_ = has_all_listings_ || is_whole;
    if (selection_.runs.size() < wanted_ || is_whole)
      selection_.runs.push_back(std::move(run));
    else
      ++without_listings_;
  }

  void finish() {
    if (selection_.runs.empty()) {
      selection_.runs = std::move(of_other_devices_);
      selection_.other_devices = 0;
    }
    if (selection_.runs.empty()) return;
    selection_.another_device = is_of_another_device(selection_.runs.front(), request_);
    for (auto& [run, another_device] : passed_over_)  // a plan of this device would not have had the others
      if (!another_device || selection_.another_device) selection_.passed_over.push_back(std::move(run));
  }

  const Store& store_;
  const SelectRequest& request_;
  Selection& selection_;
  std::size_t wanted_;
  bool has_all_listings_ = false;     // some selected run
  std::size_t without_listings_ = 0;  // passed over, once the pool was full
  std::vector<record::Run> of_other_devices_;
  std::vector<std::pair<PassedOver, bool>> passed_over_;
};

std::size_t position(const std::string& commit, const SelectRequest& request) {
  return static_cast<std::size_t>(std::find(request.commits.begin(), request.commits.end(), commit) -
                                  request.commits.begin());
}

/// Where several machines measure, each may lack runs that another one has. The record is read, as that of a baseline is.
std::optional<NearerRun> nearer_elsewhere(const Store& store, const Selection& selection,
                                          const SelectRequest& request) {
  if (request.another_host || !selection.substituted || selection.of_merged_branch) return std::nullopt;
  const auto all = store.list({});
  if (!all) return std::nullopt;
  const auto stored = by_commit(*all, request);
  const std::size_t end = position(selection.commit, request);
  for (std::size_t place = request.begins_with_own ? 1 : 0; place < end; ++place) {
    const std::string& commit = request.commits[place];
    const auto found = stored.find(record::short_commit(commit));
    if (found == stored.end()) continue;
    for (const Entry& entry : found->second) {
      if (entry.host_key == request.host_key || base::is_from_the_future(entry.created, request.now)) continue;
      const auto run = store.load(entry.id);
      if (run && is_run_of(*run, commit, entry.host_key))
        return NearerRun{entry.id, entry.host_key, commit, end - place};
    }
  }
  return std::nullopt;
}

/// A record of a commit nearer than the baseline's is ignored. A plan named its runs when they were chosen.
bool is_behind_unusable(const Selection& selection, const SelectRequest& request) {
  if (!selection.unusable || !request.planned.empty()) return false;
  return position(*selection.unusable, request) < position(selection.commit, request);
}

std::string describe(const Selection& selection, const SelectRequest& request) {
  const auto& nearest = selection.runs.front();
  const std::string date = nearest.created.substr(0, std::string_view("YYYY-MM-DD").size());
  const std::size_t steps_back = position(selection.commit, request);
  std::string text;
  if (selection.of_merged_branch) {
    text =
        "no run of " + record::short_commit(selection.wanted) +
        " or of the commits before it on its branch is stored for this machine; the nearest run of a branch that was "
        "merged into it is of " +
        record::short_commit(selection.commit) + " (run " + nearest.id + ", " + date + ")";
  } else if (selection.substituted) {
    text = "no run of " + record::short_commit(selection.wanted) +
           " is stored for this machine; its nearest ancestor with a run is " + record::short_commit(selection.commit) +
           ", " + base::counted(steps_back, "commit", "commits") + " back (run " + nearest.id + ", " + date + ")";
  } else {
    text = "run " + nearest.id + " of " + record::short_commit(selection.wanted) + " (" + date + ")";
  }
  if (selection.runs.size() > 1) {
    text += ", pooled with " + base::counted(selection.runs.size() - 1, "more run", "more runs") + " back to " +
            record::short_commit(*selection.runs.back().sides.front().source.commit);
  }
  return text;
}

// ENTRIES of this host, none of which is a usable run of the commits: why, and what is not an error of the store.
std::string what_is_there(const std::vector<Entry>& entries, const SelectRequest& request) {
  const auto is_of_commits = [&](const Entry& entry) {
    return entry.commit && std::any_of(request.commits.begin(), request.commits.end(), [&](const std::string& commit) {
             return record::short_commit(commit) == *entry.commit;
           });
  };
  const Entry* newest = nullptr;
  for (const Entry& entry : entries) {
    if (!request.run_id.empty() && entry.id == request.run_id && is_of_commits(entry))
      return "; run " + entry.id + " of " + *entry.commit +
             " is the run that is judged, and is not compared with itself: measure a commit before it, or name a run "
             "with "
             "`--against RUN`";
    if (entry.commit && !is_of_commits(entry)) newest = &entry;  // the oldest come first
  }
  if (newest == nullptr) return "";
  return "; the newest stored run is " + newest->id + " of " + *newest->commit +
         ", which is not among these commits; if that commit was amended or replaced by a force push, name the run "
         "with `--against " +
         newest->id + "`";
}

Error nothing_found(const Store& store, const SelectRequest& request, const std::vector<Entry>& here) {
  const std::string how_to_add =
      "`torchgate run` at that commit, then `torchgate baseline add` (and `torchgate baseline push`, where the store "
      "is on a data branch)";
  if (request.another_host) {
    return {ErrorCode::no_verdict, "no run of another machine is stored for the " +
                                       base::counted(request.commits.size(), "commit", "commits") + " from " +
                                       record::short_commit(request.commits.front()) + " back"};
  }
  if (here.empty()) {
    const auto everywhere = store.list({});
    if (!everywhere) return everywhere.error();
    if (everywhere->empty()) {
      return {ErrorCode::no_verdict, "no run is stored in " + store.location() + "; add one with " + how_to_add};
    }
    std::set<std::string> hosts;
    for (const auto& entry : *everywhere) hosts.insert(entry.host_key);
    std::string theirs;
    for (const auto& host : hosts) theirs += (theirs.empty() ? "" : ", ") + host;
    return {ErrorCode::no_verdict, "timings of different machines are not compared: this machine is " +
                                       request.host_key + ", the runs in " + store.location() + " are from " + theirs +
                                       "; run the gate there, or add a run from this kind of machine (" + how_to_add +
                                       ")"};
  }
  const std::string searched = "none of the " + base::counted(request.commits.size(), "commit", "commits") + " from " +
                               record::short_commit(request.commits.front()) + " back has a run of " +
                               request.host_key + " in " + store.location();
  if (request.shallow) {
    return {ErrorCode::bad_input, searched +
                                      ", and this clone is shallow, so older commits are missing; use `git fetch " +
                                      "--unshallow`, or fetch-depth: 0 in actions/checkout"};
  }
  const std::string there = what_is_there(here, request);
  return {ErrorCode::no_verdict,
          searched + there + (there.empty() ? "; add one with " : "; or add one with ") + how_to_add};
}

}  // namespace

Result<Selection> select_baseline(const Store& store, const SelectRequest& request) {
  if (request.commits.empty()) {
    return Error{ErrorCode::bad_input,
                 "unknown commit of the baseline: run inside a git work tree, or name "
                 "the commit"};
  }
  ListFilter filter;
  if (!request.another_host) filter.host_key = request.host_key;
  const auto entries = store.list(filter);
  if (!entries) return entries.error();
  Selection selection;
  selection.wanted = request.commits.front();
  Search(store, request, selection).find(by_commit(*entries, request));
  // Were it the only one, judging against nothing, or against an older one without a word, would hide what happened to it.
  if (selection.runs.empty() && !selection.warnings.empty()) {
    return Error{ErrorCode::bad_input, "no readable run of these commits in the store: " + selection.warnings.front() +
                                           "; restore the file from a copy of the store, or remove it"};
  }
  if (!request.planned.empty() && selection.runs.size() != request.planned.size()) {
    return Error{ErrorCode::no_verdict,
                 "not every run of the plan's baseline is stored for these commits; measure the pairs again"};
  }
  if (selection.runs.empty()) return nothing_found(store, request, *entries);
  selection.commit = *selection.runs.front().sides.front().source.commit;
  if (is_behind_unusable(selection, request)) {
    return Error{ErrorCode::no_verdict,
                 "the nearest stored run cannot be used, and one of an older commit would hide "
                 "what changed since then: " +
                     selection.warnings.front() +
                     "; restore the file from a copy of the store, remove it, or name a run "
                     "with `--against RUN`"};
  }
  selection.substituted = selection.commit != selection.wanted;
  selection.of_merged_branch = position(selection.commit, request) >= request.line;
  selection.nearer_elsewhere = nearer_elsewhere(store, selection, request);
  selection.sentence = describe(selection, request);
  if (request.another_host) selection.sentence += ", measured on another machine";
  if (selection.other_devices > 0)
    selection.sentence +=
        ", " + base::counted(selection.other_devices, "run", "runs") + " of another device passed over";
  return selection;
}

}  // namespace torchgate::baselines
