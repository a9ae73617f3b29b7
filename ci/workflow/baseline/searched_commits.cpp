// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/searched_commits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "ci/workflow/baseline/target_branch.hpp"
#include "ci/workflow/workspace/ci_pull_request.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using Commits = std::vector<std::string>;

// Far enough back for a year of a busy branch; git answers in milliseconds.
constexpr std::size_t most_ancestors = 5000;

// First parents from START on. A branch that its target branch was merged into ("Merge main into feature") has only an old commit of it on its own first
// parents, so the line goes over to the target branch (TIPS, "" where unknown) at the newest commit that both have.
Result<Commits> main_line(const git::Repository& repository, const std::string& start,
                          const std::array<std::string, 2>& tips) {
  Commits line;
  std::string position = start;
  for (const std::string& tip : tips) {
    if (tip.empty()) continue;
    auto common = repository.merge_base(position, tip);
    if (!common) return common.error();
    if (!*common) continue;
    const auto own = repository.ancestors(position, most_ancestors, git::Walk::first_parent, tip);
    if (!own) return own.error();
    line.insert(line.end(), own->begin(), own->end());
    position = *std::move(*common);
  }
  const auto rest = repository.ancestors(position, most_ancestors, git::Walk::first_parent);
  if (!rest) return rest.error();
  line.insert(line.end(), rest->begin(), rest->end());
  return line;
}

// COMMIT merged the branch of TIP into another one ("Merge main into feature"), and is not a merge into that branch.
Result<bool> merges_in(const git::Repository& repository, const std::string& commit, const std::string& tip) {
  if (tip.empty() || !repository.has_commit(commit)) return false;
  const auto parents = repository.parents(commit);
  if (!parents) return parents.error();
  if (parents->size() < 2) return false;
  const auto is_of_branch = [&](const std::string& parent) {
    const auto base = repository.merge_base(parent, tip);
    return base && *base == parent;
  };
  return !is_of_branch(parents->front()) && std::any_of(parents->begin() + 1, parents->end(), is_of_branch);
}

// The commit before the last one of LINE exists, and is not in the clone.
bool is_cut_off(const git::Repository& repository, const Commits& line) {
  const auto parents = repository.parents(line.back());
  return parents && !parents->empty() && !repository.has_commit(parents->front());
}

}  // namespace

Result<SearchedCommits> searched_commits(const git::Repository& repository, const std::string& commit,
                                         const std::function<std::string(const char*)>& variable) {
  std::string target = target_tip(repository, variable);
  const std::string default_branch = default_branch_tip(repository, variable);
  std::string start = commit;
  // The merge commit that a CI system makes of a pull request goes into the target branch. Any other is a commit of the change, as one behind it is.
  const auto is_update = pull_request(variable) ? Result<bool>(false) : merges_in(repository, commit, default_branch);
  if (!is_update) return is_update.error();
  if (*is_update) {
    target.clear();  // of a push: the commit before, which has an older state of the default branch
  } else if (repository.has_commit(commit)) {
    const auto merged_into = repository.merge_target(target, commit);
    if (!merged_into) return merged_into.error();
    if (*merged_into) start = **merged_into;
  }
  const auto shallow = repository.is_shallow();
  if (!shallow) return shallow.error();
  // A merge commit names its parents also where a shallow clone ends before them.
  if (*shallow && !repository.has_commit(start)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("commit {}, whose baseline is wanted, is not in this clone, which is shallow; use `git "
                             "fetch --unshallow`, or fetch-depth: 0 in actions/checkout",
                             record::short_commit(start))};
  }
  if (!repository.has_commit(start)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("commit {}, whose baseline is wanted, is not in this clone; it may have been amended or "
                             "rebased since it was measured: fetch it, or name a baseline with --against",
                             record::short_commit(start))};
  }
  auto line = main_line(repository, start, {target, default_branch});
  if (!line) return line.error();
  if (*is_update) line->erase(line->begin());  // as of every merge commit
  SearchedCommits searched{std::move(line).value(), 0, *shallow};
  searched.line = searched.commits.size();
  if (*shallow && is_cut_off(repository, searched.commits)) return searched;
  const auto all = repository.ancestors(start, most_ancestors, git::Walk::all_parents);
  if (!all) return all.error();
  std::unordered_set<std::string> known(searched.commits.begin(), searched.commits.end());
  if (*is_update) known.insert(commit);
  for (const std::string& each : *all)
    if (!known.contains(each)) searched.commits.push_back(each);
  return searched;
}

}  // namespace torchgate::workflow
