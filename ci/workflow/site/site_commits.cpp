// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/site/site_commits.hpp"

#include <algorithm>
#include <cstdint>
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

/// Whether COMMIT is among the commits of CHANGE, as it is or in a merge. Where it was squashed git does not know that.
bool came_with(const git::Repository& repository, const std::string& commit, const reports::History& history,
               const reports::HistoryChange& change) {
  const auto has_it = [&](std::size_t run) {
    const auto base = repository.merge_base(commit, history.runs[run].commit.value_or(""));
    return base && *base == commit;
  };
  return has_it(std::min(change.run + most_runs_off, history.runs.size() - 1)) &&
         !has_it(change.run - std::min(change.run, most_runs_off + 1));
}

/// Which changes of HISTORY the waivers of `/perf accept` are for.
void add_changes_of_waivers(reports::Site& site, const reports::History& history, const git::Repository& repository) {
  for (reports::SiteWaiver& waiver : site.waivers) {
    if (!waiver.one_commit || waiver.case_name != history.case_name || waiver.metric != history.metric.name) continue;
    for (const reports::HistoryChange& change : history.changes) {
      if (change.worse && came_with(repository, waiver.commit, history, change))
        waiver.changes_at.insert(history.runs[change.run].commit.value_or(""));
    }
  }
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
  for (const reports::SiteHost& host : site.hosts) {
    for (const reports::History& history : host.histories) add_changes_of_waivers(site, history, repository);
  }
  add_ranges(site, repository);
}

}  // namespace torchgate::workflow
