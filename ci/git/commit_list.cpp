// SPDX-License-Identifier: Apache-2.0
#include "ci/git/commit_list.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>

#include "ci/git/run_git.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::git {
namespace {

// A tab: git puts none into a date, and one in an author's name or a subject ends that field early.
constexpr const char* commit_format = "--format=%x01%H%x09%cs%x09%aN%x09%s";

ListedCommit listed_commit(const std::string& line) {
  std::array<std::string, 4> fields;
  std::istringstream in(line);
  for (std::string& field : fields) std::getline(in, field, '\t');
  return {fields[0], fields[1], fields[2], fields[3]};
}

// As above, with the date of the author.
constexpr const char* authored_format = "--format=%x01%H%x09%as%x09%aN%x09%s";
// Hashes of one command: their length is limited by the system.
constexpr std::size_t most_named_commits = 1000;

/// Warnings of git are lines, too: the lines of the format begin with a character that cannot be typed.
void add_listed(std::vector<ListedCommit>& commits, const std::string& output) {
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.front() == '\x01') commits.push_back(listed_commit(line.substr(1)));
  }
}

base::Error not_in_this_clone(const std::string& commit) {
  return {base::ErrorCode::not_found,
          "commit " + commit + " is not in this clone; fetch the history " + "(fetch-depth: 0)"};
}

}  // namespace

base::Result<std::vector<ListedCommit>> commits_between(const Repository& repository, const std::string& before,
                                                        const std::string& after, std::size_t limit) {
  for (const std::string& commit : {before, after})
    if (!repository.has_commit(commit)) return not_in_this_clone(commit);
  const auto answer = run_git(repository.root(), {"log", "--first-parent", "--max-count=" + std::to_string(limit),
                                                  "--no-show-signature", commit_format, before + ".." + after, "--"});
  if (!answer) return answer.error();
  if (answer->exit_code != 0) return failure(repository.root(), "listing commits", *answer, base::ErrorCode::io);
  std::vector<ListedCommit> commits;
  add_listed(commits, answer->output);
  return commits;
}

base::Result<ListedCommit> commit_facts(const Repository& repository, const std::string& commit) {
  if (!repository.has_commit(commit)) return not_in_this_clone(commit);
  const auto answer =
      run_git(repository.root(), {"log", "--no-walk", "--no-show-signature", authored_format, commit, "--"});
  if (!answer) return answer.error();
  const std::size_t start = answer->output.find('\x01');
  if (answer->exit_code != 0 || start == std::string::npos)
    return failure(repository.root(), "reading commit " + commit, *answer, base::ErrorCode::io);
  const std::size_t end = answer->output.find('\n', start);
  return listed_commit(answer->output.substr(start + 1, end - start - 1));
}

base::Result<std::vector<ListedCommit>> known_commits(const Repository& repository,
                                                      const std::vector<std::string>& commits) {
  std::set<std::string> named;
  std::copy_if(commits.begin(), commits.end(), std::inserter(named, named.end()), record::is_full_commit);
  std::vector<ListedCommit> known;
  auto next = named.begin();
  while (next != named.end()) {
    std::vector<std::string> arguments{"log", "--no-walk=unsorted", "--ignore-missing", "--no-show-signature",
                                       authored_format};
    for (std::size_t i = 0; i < most_named_commits && next != named.end(); ++i) arguments.push_back(*next++);
    arguments.emplace_back("--");
    const auto answer = run_git(repository.root(), arguments);
    if (!answer) return answer.error();
    if (answer->exit_code != 0) return failure(repository.root(), "reading commits", *answer, base::ErrorCode::io);
    add_listed(known, answer->output);
  }
  return known;
}

base::Result<std::set<std::string>> commits_with(const Repository& repository, const std::string& commit,
                                                 const std::vector<std::string>& commits) {
  if (!repository.has_commit(commit)) return not_in_this_clone(commit);
  std::set<std::string> named;
  std::copy_if(commits.begin(), commits.end(), std::inserter(named, named.end()), record::is_full_commit);
  std::set<std::string> with;
  if (named.contains(commit)) with.insert(commit);
  auto next = named.begin();
  while (next != named.end()) {
    std::vector<std::string> arguments{"rev-list", "--ancestry-path", "--ignore-missing", "^" + commit};
    for (std::size_t i = 0; i < most_named_commits && next != named.end(); ++i) arguments.push_back(*next++);
    arguments.emplace_back("--");
    const auto answer = run_git(repository.root(), arguments);
    if (!answer) return answer.error();
    if (answer->exit_code != 0)
      return failure(repository.root(), "listing what comes after " + commit, *answer, base::ErrorCode::io);
    // Its beginning is lost.
    if (answer->output.size() >= output_limit_bytes)
      return base::Error{base::ErrorCode::io, "too many commits come after " + commit};
    std::istringstream in(answer->output);
    for (std::string line; std::getline(in, line);) {
      if (named.contains(line)) with.insert(line);
    }
  }
  return with;
}

base::Result<std::vector<std::string>> paths_changed(const Repository& repository, const std::string& before,
                                                     const std::string& after) {
  std::vector<std::string> arguments{"diff",
                                     "--raw",
                                     "-z",
                                     "--no-renames",
                                     "--no-relative",
                                     "--no-ext-diff",
                                     "--no-textconv",
                                     "--ignore-submodules=none",
                                     before};
  if (!repository.has_commit(before)) return not_in_this_clone(before);
  if (!after.empty()) {
    if (!repository.has_commit(after)) return not_in_this_clone(after);
    arguments.push_back(after);
  }
  arguments.emplace_back("--");
  const auto answer = run_git(repository.root(), arguments);
  if (!answer) return answer.error();
  if (answer->exit_code != 0) return failure(repository.root(), "comparing commits", *answer, base::ErrorCode::io);
  // Of each change a line ":100644 160000 HASH HASH M", and then its path.
  constexpr std::string_view mode_of_submodule = "160000";
  std::vector<std::string> paths;
  std::istringstream in(answer->output);
  for (std::string change, path; std::getline(in, change, '\0') && std::getline(in, path, '\0');) {
    const std::string_view modes = std::string_view(change).substr(0, change.find(' ', change.find(' ') + 1));
    paths.push_back(modes.find(mode_of_submodule) == std::string_view::npos ? path : path + '/');
  }
  return paths;
}

}  // namespace torchgate::git
