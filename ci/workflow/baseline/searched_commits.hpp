// SPDX-License-Identifier: Apache-2.0
// The commits whose runs can be the baseline of a commit, in the order in which they are searched.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "ci/git/repository.hpp"
#include "harness/base/result.hpp"

namespace torchgate::workflow {

struct SearchedCommits {
  std::vector<std::string> commits;  ///< full hashes, nearest first
  std::size_t line = 0;              ///< so many of them are the line; those behind it came in by merges
  bool shallow = false;              ///< the clone is shallow, so that older ones are missing
};

/// Of a merge commit the search begins at the parent of the branch that it goes into, else at COMMIT itself. One that merged the default branch into another
/// ("Merge main into feature") is not such a merge, unless a CI system made it of a pull request: only its own run is left out. In a pull request whose own
/// commit is checked out (GitLab, Jenkins) it begins at the newest commit that the target branch has, too: what the target lacks is the change; where that commit
/// is not known, only COMMIT is left out. The line follows first parents: those
/// of the change, then, from the newest commit that the change has of its target branch (of the job, else the remote's default branch), those of that
/// branch. After it come all other ancestors, newest first, unless the line ends where a shallow clone does: a run of a merged branch would be taken in the
/// place of one that is only not fetched. What is checked out does not matter. VARIABLE as in ci_pull_request.hpp. bad_input: COMMIT is not in
/// this clone, which is shallow.
base::Result<SearchedCommits> searched_commits(const git::Repository& repository, const std::string& commit,
                                               const std::function<std::string(const char*)>& variable);

}  // namespace torchgate::workflow
