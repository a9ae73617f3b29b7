// SPDX-License-Identifier: Apache-2.0
#include "ci/git/repository.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "ci/git/run_git.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::git {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

/// A name from a command line or an environment variable, before git sees it: not an option, and one line.
bool can_be_a_name(const std::string& name) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  return !name.empty() && name.front() != '-' && std::none_of(name.begin(), name.end(), is_control);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

/// Git's answer is the last line: what it has to warn about is printed before it.
std::string last_line(const std::string& text) {
  const auto lines = lines_of(text);
  return lines.empty() ? "" : lines.back();
}

std::vector<std::string> hashes_in(const std::string& text) {
  auto lines = lines_of(text);
  std::erase_if(lines, [](const std::string& line) { return !record::is_full_commit(line); });
  return lines;
}

/// "XY path" of `git status --porcelain`, as opposed to a warning.
bool is_status_entry(const std::string& line) {
  constexpr std::string_view states = " MTADRCU";
  return line.size() > 3 && line[2] == ' ' && states.find(line[0]) != std::string_view::npos &&
         states.find(line[1]) != std::string_view::npos;
}

/// Whether a file that git was told not to look at, as its tag in `git ls-files` says ("S 100644 HASH 0<tab>PATH" with --skip-worktree, a small letter
/// with --assume-unchanged), has another content than in the index. A sparse checkout lacks files of the first kind.
Result<bool> hidden_files_differ(const std::filesystem::path& root) {
  constexpr std::size_t most_files = 1000;  // that one command line takes; more are not looked at
  const auto listed = run_git(root, {"ls-files", "-v", "--stage", "-z"});
  if (!listed) return listed.error();
  if (listed->exit_code != 0) return failure(root, "listing the tracked files", *listed, ErrorCode::io);
  std::vector<std::string> hash_them{"hash-object", "--"};
  std::string hashes;
  std::istringstream entries(listed->output);
  for (std::string entry; std::getline(entries, entry, '\0') && hash_them.size() < most_files;) {
    const std::size_t tab = entry.find('\t');
    if (tab == std::string::npos) continue;
    const std::size_t begin = entry.rfind('\n', tab) + 1;  // behind a warning; npos + 1 is 0
    std::istringstream words(entry.substr(begin, tab - begin));
    std::string tag;
    std::string mode;
    std::string hash;
    if (!(words >> tag >> mode >> hash) || !mode.starts_with("100")) continue;
    const bool may_be_missing = tag == "S" || tag == "s";
    if (!may_be_missing && (tag.front() < 'a' || tag.front() > 'z')) continue;
    const std::string path = entry.substr(tab + 1);
    std::error_code ignored;
    const auto type = std::filesystem::symlink_status(root / path, ignored).type();
    if (type == std::filesystem::file_type::not_found && may_be_missing) continue;
    if (type != std::filesystem::file_type::regular) return true;
    hash_them.push_back(path);
    hashes += hash + "\n";
  }
  if (hashes.empty()) return false;
  const auto now = run_git(root, hash_them);
  if (!now) return now.error();
  return now->exit_code != 0 || now->output != hashes;
}

Error not_in_a_work_tree(const std::filesystem::path& folder) {
  return {ErrorCode::bad_input, folder.string() + " is not inside a work tree (a bare repository, or a .git " +
                                    "folder): name a folder with checked-out files"};
}

}  // namespace

Result<Repository> Repository::open(const std::filesystem::path& folder) {
  // Not --show-toplevel: a path may have line breaks, and a warning of git's is in the same output.
  const auto answer = run_git(folder, {"rev-parse", "--is-inside-work-tree", "--show-cdup"});
  if (!answer) return answer.error();
  if (answer->exit_code != 0) {
    const auto bare = run_git(folder, {"rev-parse", "--is-bare-repository"});
    if (bare && bare->exit_code == 0) {
      return not_in_a_work_tree(folder);
    }
    return failure(folder, "finding the repository", *answer, ErrorCode::not_found);
  }
  const auto lines = lines_of(answer->output);
  // Inside of .git there is no way up, as at the top.
  if (lines.size() < 2 || lines[lines.size() - 2] != "true") return not_in_a_work_tree(folder);
  const std::string& up = lines.back();
  std::error_code failed;
  const std::filesystem::path root = std::filesystem::canonical(up.empty() ? folder : folder / up, failed);
  if (failed) return Error{ErrorCode::io, (folder / up).string() + ": " + failed.message()};
  return Repository(root);
}

Result<Head> Repository::head() const {
  Head head;
  const auto commit = resolve("HEAD");
  if (!commit) return commit.error();
  head.commit = *commit;

  const auto branch = run_git(root_, {"symbolic-ref", "--quiet", "--short", "HEAD"});
  if (!branch) return branch.error();
  if (branch->exit_code == 0) {
    head.branch = last_line(branch->output);
  } else if (branch->exit_code != 1) {
    return failure(root_, "reading the branch", *branch, ErrorCode::io);
  }

  // Not `git diff --quiet`: that writes the user's index, optional locks or not. A submodule counts when its commit or its
  // tracked files differ, whatever the configuration says.
  const auto status =
      run_git(root_, {"status", "--porcelain", "--untracked-files=no", "--ignore-submodules=untracked"});
  if (!status) return status.error();
  if (status->exit_code != 0) return failure(root_, "comparing the work tree with HEAD", *status, ErrorCode::io);
  constexpr std::size_t most_named_files = 4;
  for (const std::string& line : lines_of(status->output)) {
    if (!is_status_entry(line)) continue;
    head.modified = true;
    if (head.modified_files.size() < most_named_files) head.modified_files.push_back(line.substr(3));
  }
  if (head.modified) return head;
  const auto hidden = hidden_files_differ(root_);
  if (!hidden) return hidden.error();
  head.modified = *hidden;
  return head;
}

Result<std::string> Repository::resolve(const std::string& name) const {
  if (!can_be_a_name(name)) {
    return Error{ErrorCode::bad_input, "'" + name + "' cannot be the name of a commit: give a branch, a tag or a hash"};
  }
  const auto answer = run_git(root_, {"rev-parse", "--verify", "--end-of-options", name + "^{commit}"});
  if (!answer) return answer.error();
  const auto hashes = hashes_in(answer->output);
  if (answer->exit_code != 0 || hashes.empty()) {
    return failure(root_, "looking up commit '" + name + "'", *answer, ErrorCode::not_found);
  }
  return hashes.back();
}

Result<std::string> Repository::resolve_reference(const std::string& full_name) const {
  if (!can_be_a_name(full_name) || !full_name.starts_with("refs/"))
    return Error{ErrorCode::bad_input, "'" + full_name + "' is not the full name of a reference"};
  const auto answer = run_git(root_, {"show-ref", "--verify", "--hash", "--", full_name});
  if (!answer) return answer.error();
  const auto hashes = hashes_in(answer->output);
  if (answer->exit_code != 0 || hashes.empty())
    return failure(root_, "looking up " + full_name, *answer, ErrorCode::not_found);
  return resolve(hashes.back());
}

bool Repository::has_commit(const std::string& commit) const {
  return record::is_full_commit(commit) && resolve(commit).ok();
}

Result<std::vector<std::string>> Repository::ancestors(const std::string& commit, std::size_t limit, Walk walk,
                                                       const std::string& without) const {
  const auto start = resolve(commit);
  if (!start) return start.error();
  std::vector<std::string> arguments{"rev-list", "--max-count=" + std::to_string(limit)};
  arguments.emplace_back(walk == Walk::first_parent ? "--first-parent" : "--date-order");
  arguments.push_back(*start);
  if (!without.empty()) arguments.push_back("^" + without);
  arguments.emplace_back("--");
  const auto answer = run_git(root_, arguments);
  if (!answer) return answer.error();
  if (answer->exit_code != 0) return failure(root_, "listing the ancestors of " + *start, *answer, ErrorCode::io);
  auto hashes = hashes_in(answer->output);
  if (limit > 0 && without.empty() && (hashes.empty() || hashes.front() != *start)) {
    return Error{ErrorCode::bad_input, "the history of " + root_.string() +
                                           " is too long to be listed: ask for fewer than " + std::to_string(limit) +
                                           " commits"};
  }
  return hashes;
}

Result<std::optional<std::string>> Repository::merge_base(const std::string& a, const std::string& b) const {
  const auto first = resolve(a);
  if (!first) return first.error();
  const auto second = resolve(b);
  if (!second) return second.error();
  const auto answer = run_git(root_, {"merge-base", *first, *second});
  if (!answer) return answer.error();
  const auto hashes = hashes_in(answer->output);
  if (answer->exit_code == 0 && !hashes.empty()) return std::optional(hashes.back());
  if (answer->exit_code == 1) return std::optional<std::string>();
  return failure(root_, "finding the merge base of '" + a + "' and '" + b + "'", *answer, ErrorCode::io);
}

Result<std::map<std::string, std::string>> Repository::tags() const {
  // An annotated tag has the hash of its commit behind the star; a plain one has no such field.
  const auto answer =
      run_git(root_, {"for-each-ref", "--format=%(objectname) %(*objectname) %(refname:strip=2)", "refs/tags"});
  if (!answer) return answer.error();
  if (answer->exit_code != 0) return failure(root_, "listing the tags", *answer, ErrorCode::io);
  std::map<std::string, std::string> tags;
  std::istringstream lines(answer->output);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(' ');
    const std::size_t second = line.find(' ', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string of_commit = line.substr(first + 1, second - first - 1);
    tags.emplace(of_commit.empty() ? line.substr(0, first) : of_commit, line.substr(second + 1));
  }
  return tags;
}

Result<bool> Repository::is_shallow() const {
  const auto answer = run_git(root_, {"rev-parse", "--is-shallow-repository"});
  if (!answer) return answer.error();
  const std::string word = last_line(answer->output);
  if (answer->exit_code != 0 || (word != "true" && word != "false")) {
    return failure(root_, "asking whether the clone is shallow", *answer, ErrorCode::io);
  }
  return word == "true";
}

Result<std::vector<std::string>> Repository::parents(const std::string& commit) const {
  const auto hash = resolve(commit);
  if (!hash) return hash.error();
  // The commit object itself: rev-list and HEAD^1 know no parents where a shallow clone ends.
  const auto answer = run_git(root_, {"cat-file", "commit", *hash});
  if (!answer) return answer.error();
  if (answer->exit_code != 0) return failure(root_, "reading commit " + *hash, *answer, ErrorCode::io);
  constexpr std::string_view parent_key = "parent ";
  bool in_header = false;
  std::vector<std::string> parents;
  for (const auto& line : lines_of(answer->output)) {
    in_header = in_header || line.starts_with("tree ");
    if (in_header && line.empty()) return parents;
    if (in_header && line.starts_with(parent_key)) parents.push_back(line.substr(parent_key.size()));
  }
  return Error{ErrorCode::io, "commit " + *hash + " of " + root_.string() + " cannot be read: it has no header"};
}

Result<std::optional<std::string>> Repository::merge_target(const std::string& tip, const std::string& commit) const {
  auto all = parents(commit);
  if (!all) return all.error();
  if (all->size() < 2) return std::optional<std::string>();
  if (tip.empty() || !has_commit(all->front())) return std::optional(all->front());
  for (const std::string& parent : *all) {
    const auto base = merge_base(parent, tip);
    if (base && *base == parent) return std::optional(parent);
  }
  return std::optional(all->front());
}

}  // namespace torchgate::git
