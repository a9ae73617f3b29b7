// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/searched_commits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
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

// A CI system made the merge COMMIT of the pull request, so that its first parent is a commit of the target branch, also where the clone has an older
// tip of that. Without this a merge in the change itself ("Merge topic into feature") looks the same.
bool is_made_by_system(const std::string& commit, const std::function<std::string(const char*)>& variable) {
  const std::string event = variable("GITHUB_EVENT_NAME");
  if (event == "merge_group" || (!event.empty() && variable("GITHUB_SHA") == commit)) return true;
  const std::string pipeline = variable("CI_MERGE_REQUEST_EVENT_TYPE");  // GitLab's; "detached" is of the source branch
  return pipeline == "merged_result" || pipeline == "merge_train";
}

// Where the search begins.
struct Start {
  std::string commit;
  bool is_left_out = false;  // the commit itself is of the change
};

// What the target branch of TIP lacks is the change and never its own baseline. MERGED_INTO is the first parent of the merge COMMIT, absent if it is
// none. Where the newest commit that both have is not known, of the change only COMMIT is.
Result<Start> start_of_pull_request(const git::Repository& repository, const std::string& commit,
                                    const std::optional<std::string>& merged_into, const std::string& tip,
                                    const std::function<std::string(const char*)>& variable) {
  if (merged_into && (tip.empty() || is_made_by_system(commit, variable))) return Start{*merged_into, false};
  const std::string start = merged_into.value_or(commit);
  if (!repository.has_commit(start)) return Start{start, false};
  if (tip.empty()) return Start{start, true};
  auto common = repository.merge_base(start, tip);
  if (!common) return common.error();
  if (*common) return Start{*std::move(*common), false};
  return Start{start, !merged_into};
}

// The commit before the last one of LINE exists, and is not in the clone.
bool is_cut_off(const git::Repository& repository, const Commits& line) {
  const auto parents = repository.parents(line.back());
  return parents && !parents->empty() && !repository.has_commit(parents->front());
}

// Where the search for the baseline of COMMIT begins, which merged nothing of the default branch into another one. TARGET as of target_tip().
Result<Start> start_of(const git::Repository& repository, const std::string& commit, const std::string& target,
                       const std::function<std::string(const char*)>& variable) {
  if (!repository.has_commit(commit)) return Start{commit, false};
  const auto merged_into = repository.merge_target(target, commit);
  if (!merged_into) return merged_into.error();
  if (pull_request(variable)) return start_of_pull_request(repository, commit, *merged_into, target, variable);
  return Start{merged_into->value_or(commit), false};
}

// START is here. A merge commit names its parents also where a shallow clone ends before them.
Result<void> check_is_here(const git::Repository& repository, const std::string& start, bool shallow) {
  if (repository.has_commit(start)) return {};
  return Error{ErrorCode::bad_input,
               fmt::format("commit {}, whose baseline is wanted, is not in this clone{}", record::short_commit(start),
                           shallow ? ", which is shallow; use `git fetch --unshallow`, or fetch-depth: 0 in "
                                     "actions/checkout"
                                   : "; it may have been amended or rebased since it was measured: fetch it, or name "
                                     "a baseline with --against")};
}

}  // namespace

Result<SearchedCommits> searched_commits(const git::Repository& repository, const std::string& commit,
                                         const std::function<std::string(const char*)>& variable) {
  std::string target = target_tip(repository, variable);
  const std::string default_branch = default_branch_tip(repository, variable);
  // The merge commit that a CI system makes of a pull request goes into the target branch. Any other is a commit of the change, as one behind it is.
  const auto is_update = pull_request(variable) ? Result<bool>(false) : merges_in(repository, commit, default_branch);
  if (!is_update) return is_update.error();
  if (*is_update) target.clear();  // of a push: the commit before, which has an older state of the default branch
  // Its own run is left out, as of every merge commit.
  const auto start = *is_update ? Result<Start>(Start{commit, true}) : start_of(repository, commit, target, variable);
  if (!start) return start.error();
  const auto shallow = repository.is_shallow();
  if (!shallow) return shallow.error();
  if (auto here = check_is_here(repository, start->commit, *shallow); !here) return here.error();
  auto line = main_line(repository, start->commit, {target, default_branch});
  if (!line) return line.error();
  const bool is_cut = *shallow && is_cut_off(repository, *line);
  if (start->is_left_out) line->erase(line->begin());
  SearchedCommits searched{std::move(line).value(), 0, *shallow};
  searched.line = searched.commits.size();
  if (is_cut) return searched;
  const auto all = repository.ancestors(start->commit, most_ancestors, git::Walk::all_parents);
  if (!all) return all.error();
  std::unordered_set<std::string> known(searched.commits.begin(), searched.commits.end());
  if (start->is_left_out) known.insert(start->commit);
  for (const std::string& each : *all)
    if (!known.contains(each)) searched.commits.push_back(each);
  return searched;
}

}  // namespace torchgate::workflow
