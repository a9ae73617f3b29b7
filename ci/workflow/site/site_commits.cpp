// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/site/site_commits.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ci/git/commit_list.hpp"
#include "ci/git/web_address.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/site/index_page.hpp"
#include "reports/site/recent_changes.hpp"

namespace torchgate::workflow {
namespace {

// Commits that are counted between two runs.
constexpr std::size_t most_counted_commits = 500;

// A change is found at its run or at one that is this near.
constexpr std::size_t most_runs_off = 2;

void add_known(reports::Site& site, const std::vector<git::ListedCommit>& commits) {
  for (const git::ListedCommit& each : commits)
    site.commits.insert_or_assign(each.commit, reports::SiteCommit{each.date, each.author, each.subject});
}

/// The commits of all changes and waivers, in one question, however many there are.
void add_named(reports::Site& site, const git::Repository& repository) {
  std::vector<std::string> named;
  for (const reports::SiteHost& host : site.hosts) {
    for (const reports::History& history : host.histories) {
      for (const reports::HistoryChange& change : history.changes) {
        if (history.runs[change.run].commit) named.push_back(*history.runs[change.run].commit);
      }
    }
  }
  for (reports::SiteWaiver& waiver : site.waivers) {
    if (waiver.commit.empty()) continue;
    // A person may have abbreviated it.
    if (!record::is_full_commit(waiver.commit)) {
      if (const auto full = repository.resolve(waiver.commit)) waiver.commit = *full;
    }
    named.push_back(waiver.commit);
  }
  if (const auto known = git::known_commits(repository, named)) add_known(site, *known);
  for (reports::SiteWaiver& waiver : site.waivers) {
    const auto commit = site.commits.find(waiver.commit);
    if (commit != site.commits.end()) waiver.from = commit->second.day;
  }
}

/// Which runs have the commits of waivers, as they are or in a merge: of a commit that was squashed git does not know that.
class RunsWithCommits {
 public:
  /// RUNS are commits of runs.
  RunsWithCommits(const git::Repository& repository, const std::vector<std::string>& runs) : repository_(repository) {
    const auto known = git::known_commits(repository, runs);
    if (!known) return;
    for (const git::ListedCommit& each : *known) runs_.insert(each.commit);
    // Where a clone is shallow, a commit may come before what it has.
    const auto is_shallow = repository.is_shallow();
    knows_absence_ = is_shallow && !*is_shallow;
  }

  /// Absent: not known.
  std::optional<bool> has(const reports::HistoryRun& run, const std::string& commit) {
    if (!run.commit || !runs_.contains(*run.commit)) return std::nullopt;
    const auto [asked, is_new] = with_.try_emplace(commit);
    if (is_new) {
      if (auto with = git::commits_with(repository_, commit, {runs_.begin(), runs_.end()}))
        asked->second = std::move(with).value();
    }
    if (!asked->second) return std::nullopt;
    if (asked->second->contains(*run.commit)) return true;
    return knows_absence_ ? std::optional(false) : std::nullopt;
  }

 private:
  const git::Repository& repository_;
  std::set<std::string> runs_;  // those that are in this clone
  bool knows_absence_ = false;
  std::map<std::string, std::optional<std::set<std::string>>> with_;  // runs by commit; absent: git does not know
};

/// Whether the first run that has COMMIT is near CHANGE. Runs of a release branch may be without it later, too.
bool came_with(RunsWithCommits& known, const std::string& commit, const reports::History& history,
               const reports::HistoryChange& change) {
  std::optional<std::size_t> last_without;
  const std::size_t end = std::min(change.run + most_runs_off + 1, history.runs.size());
  for (std::size_t run = 0; run < end; ++run) {
    const std::optional<bool> has_it = known.has(history.runs[run], commit);
    // It came after the last run that is known to be without it.
    if (has_it == true) return last_without && *last_without + 1 + most_runs_off >= change.run;
    if (has_it == false) last_without = run;
  }
  return false;
}

/// Calls VISIT(waiver, history, change) for each slow-down that a waiver of `/perf accept` may be for.
template <class Visit>
void for_changes_of_waivers(reports::Site& site, Visit visit) {
  for (reports::SiteWaiver& waiver : site.waivers) {
    if (!waiver.one_commit) continue;
    for (const reports::SiteHost& host : site.hosts) {
      for (const reports::History& history : host.histories) {
        if (waiver.case_name != history.case_name || waiver.metric != history.metric.name) continue;
        for (const reports::HistoryChange& change : history.changes) {
          if (change.worse) visit(waiver, history, change);
        }
      }
    }
  }
}

/// Which changes the waivers of `/perf accept` are for: one question for each commit that has such a waiver.
void add_changes_of_waivers(reports::Site& site, const git::Repository& repository) {
  std::set<std::string> runs;
  for_changes_of_waivers(site, [&](const auto&, const auto& history, const auto& change) {
    const std::size_t end = std::min(change.run + most_runs_off + 1, history.runs.size());
    for (std::size_t run = 0; run < end; ++run) runs.insert(history.runs[run].commit.value_or(""));
  });
  if (runs.empty()) return;
  RunsWithCommits known(repository, {runs.begin(), runs.end()});
  for_changes_of_waivers(site, [&](auto& waiver, const auto& history, const auto& change) {
    const auto& commit = history.runs[change.run].commit;
    if (commit && came_with(known, waiver.commit, history, change)) waiver.changes_at.insert(*commit);
  });
}

/// Between the two runs of each change that the first page shows: one question for each pair of commits.
void add_ranges(reports::Site& site, const git::Repository& repository) {
  const reports::RecentChanges recent = reports::recent_changes(site);
  const std::size_t shown = std::min(recent.slower.size(), reports::most_slower_rows);
  for (std::size_t i = 0; i < shown; ++i) {
    const reports::History& history = *recent.slower[i].history;
    const std::size_t run = history.changes[recent.slower[i].change].run;
    const auto& before = history.runs[run - 1].commit;
    const auto& first = history.runs[run].commit;
    if (!before || !first || *before == *first || site.ranges.contains({*before, *first})) continue;
    const auto commits = git::commits_between(repository, *before, *first, most_counted_commits);
    if (!commits) continue;
    reports::SiteRange range;
    range.count = static_cast<std::int64_t>(commits->size());
    range.has_more = commits->size() == most_counted_commits;
    for (std::size_t k = 0; k < std::min(commits->size(), reports::most_range_commits); ++k)
      range.commits.push_back((*commits)[k].commit);
    add_known(site, {commits->begin(), commits->begin() + static_cast<std::ptrdiff_t>(range.commits.size())});
    site.ranges.emplace(std::pair(*before, *first), std::move(range));
  }
}

}  // namespace

void add_commits(reports::Site& site, const git::Repository& repository) {
  if (const auto tags = repository.tags()) site.releases = *tags;
  if (const auto address = git::web_address_of(repository)) {
    site.commit_address = address->commit;
    site.compare_address = address->compare;
  }
  add_named(site, repository);
  add_changes_of_waivers(site, repository);
  add_ranges(site, repository);
}

}  // namespace torchgate::workflow
