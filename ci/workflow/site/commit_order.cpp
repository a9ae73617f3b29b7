// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/site/commit_order.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace torchgate::workflow {
namespace {

// More than a year of a busy branch; git lists as many in tens of milliseconds.
constexpr std::size_t most_listed_commits = 5000;

// A checkout of an old commit, or of a branch, is not where most runs were made: the newest runs' own lines are tried too.
constexpr int most_tips = 4;

using Positions = std::unordered_map<std::string, std::size_t>;  // 0: the newest

Positions line_of(const git::Repository& repository, const std::string& tip) {
  Positions positions;
  const auto line = repository.ancestors(tip, most_listed_commits, git::Walk::first_parent);
  if (!line) return positions;
  for (const std::string& commit : *line) positions.emplace(commit, positions.size());
  return positions;
}

/// The line with most of the runs.
Positions best_line(const std::vector<std::optional<std::string>>& commits, const git::Repository& repository) {
  const auto runs_on = [&](const Positions& line) {
    return std::count_if(commits.begin(), commits.end(),
                         [&](const auto& commit) { return commit && line.contains(*commit); });
  };
  Positions best = line_of(repository, "HEAD");
  auto most = runs_on(best);
  std::unordered_set<std::string> tried;
  int tips = 1;
  for (auto commit = commits.rbegin(); commit != commits.rend() && tips < most_tips; ++commit) {
    if (!*commit || best.contains(**commit) || !tried.insert(**commit).second) continue;
    ++tips;
    Positions line = line_of(repository, **commit);
    const auto runs = runs_on(line);
    if (runs <= most) continue;
    best = std::move(line);
    most = runs;
  }
  return best;
}

}  // namespace

std::vector<std::size_t> order_by_commit(const std::vector<std::optional<std::string>>& commits,
                                         const git::Repository& repository) {
  std::vector<std::size_t> order(commits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const Positions line = best_line(commits, repository);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < commits.size(); ++i)
    if (commits[i] && line.contains(*commits[i])) places.push_back(i);
  std::vector<std::size_t> sorted = places;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::size_t a, std::size_t b) { return line.at(*commits[a]) > line.at(*commits[b]); });
  for (std::size_t i = 0; i < places.size(); ++i) order[places[i]] = sorted[i];
  return order;
}

std::vector<const history::RunPoints*> in_commit_order(const std::vector<const history::RunPoints*>& runs,
                                                       const git::Repository& repository) {
  std::vector<std::optional<std::string>> commits;
  commits.reserve(runs.size());
  for (const history::RunPoints* run : runs) commits.push_back(run->commit);
  std::vector<const history::RunPoints*> ordered;
  for (const std::size_t run : order_by_commit(commits, repository)) ordered.push_back(runs[run]);
  return ordered;
}

}  // namespace torchgate::workflow
