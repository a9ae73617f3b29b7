// SPDX-License-Identifier: Apache-2.0
// From a commit to suites: a work tree, the user's build command in it, and what it has built.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "ci/git/repository.hpp"
#include "ci/git/work_tree.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/narrator.hpp"
#include "harness/base/result.hpp"
#include "harness/record/process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// How any commit is built: --build and --suites of `ab`, baseline.build and baseline.suites of the policy.
struct BuildRecipe {
  std::string command;              ///< for /bin/sh, run in the work tree; {dir} is the work tree's path
  std::vector<std::string> suites;  ///< executables or folders of them, relative to the work tree
};

/// SUITES as given (relative to a work tree); where it is empty, those of run.suites, as they lie in REPOSITORY.
/// bad_input: neither is there, or one of them is not inside of it.
base::Result<std::vector<std::string>> suites_in_work_tree(const std::vector<std::string>& suites,
                                                           const policy::Policy& policy,
                                                           const git::Repository& repository);

struct NamedCommit {
  std::string label;   ///< "before", "after"
  std::string name;    ///< as the user called it
  std::string commit;  ///< full hash
};

struct BuiltCommit {
  git::WorkTree tree;  ///< the suites live as long as it does
  std::vector<std::string> suites;
  record::Source source;  ///< modified when the build has changed files that git tracks
};

/// Makes FOLDER a work tree of the commit and builds it. What the build prints goes into a log file in .torchgate/builds;
/// its last lines go to NARRATOR when it fails. Errors: bad_input (the build fails, or leaves no suites), io, interrupted.
base::Result<BuiltCommit> build_commit(const git::Repository& repository, const NamedCommit& what,
                                       const BuildRecipe& recipe, const std::filesystem::path& folder,
                                       Narrator& narrator);

/// The command with {dir} replaced; a path with characters that mean something to a shell is quoted.
std::string command_in(const std::string& command, const std::filesystem::path& tree);

/// What makes a compiler cache know files of another work tree again: on top of OURS (our own environment), and only what is
/// not set there. HAS_CCACHE: it is in the PATH, so CMake may use it.
std::vector<record::Parameter> cache_environment(const std::map<std::string, std::string>& ours,
                                                 const std::filesystem::path& tree, bool has_ccache);

}  // namespace torchgate::workflow
