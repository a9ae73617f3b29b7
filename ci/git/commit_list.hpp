// SPDX-License-Identifier: Apache-2.0
// Who committed what between two commits.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "ci/git/repository.hpp"
#include "harness/base/result.hpp"

namespace torchgate::git {

/// As its author wrote it: untrusted text.
struct ListedCommit {
  std::string commit;  ///< full hash
  std::string date;    ///< of the commit, "2026-11-22"
  std::string author;
  std::string subject;
};

/// Those of the branch (first parents) after BEFORE and up to AFTER, newest first, at most LIMIT of them. Both are full hashes. not_found: one of
/// them is not in this clone.
base::Result<std::vector<ListedCommit>> commits_between(const Repository& repository, const std::string& before,
                                                        const std::string& after, std::size_t limit);

/// One commit; its date is that of the author. COMMIT is a full hash. not_found: it is not in this clone.
base::Result<ListedCommit> commit_facts(const Repository& repository, const std::string& commit);

/// Those of COMMITS that are in this clone, in any order; their date is that of the author. Full hashes; others are left out.
base::Result<std::vector<ListedCommit>> known_commits(const Repository& repository,
                                                      const std::vector<std::string>& commits);

/// Those of COMMITS that are COMMIT or come after it, in one question for each thousand of them. Full hashes; those that are not in this clone are
/// left out, and so are, in a shallow clone, those whose history ends before COMMIT. not_found: COMMIT is not in this clone.
base::Result<std::set<std::string>> commits_with(const Repository& repository, const std::string& commit,
                                                 const std::vector<std::string>& commits);

/// The paths, relative to the root, whose content differs between BEFORE and AFTER, both full hashes; AFTER empty: between BEFORE and the
/// work tree. A submodule is one path, which ends with '/'. not_found: as above.
base::Result<std::vector<std::string>> paths_changed(const Repository& repository, const std::string& before,
                                                     const std::string& after);

}  // namespace torchgate::git
