// SPDX-License-Identifier: Apache-2.0
// Builds the suites of a commit: creates a work tree and runs the user's build command in it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "ci/git/repository.hpp"
#include "ci/git/work_tree.hpp"
#include "ci/policy/policy.hpp"
#include "ci/workflow/workspace/narrator.hpp"
#include "harness/base/result.hpp"
#include "harness/record/process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// How any commit is built: --build and --suites of `ab`, baseline.build and baseline.suites of the policy.
struct BuildRecipe {
  std::string command;              ///< for /bin/sh, run in the work tree; {dir} is the work tree's path
  std::vector<std::string> suites;  ///< executables or folders of them, relative to the work tree
  bool own_suites =
      false;  ///< where they are not there: run.suites of the commit's own torchgate.toml, as its suites may have moved since
};

/// SUITES as given (relative to a work tree); if it is empty, those of run.suites, relative to REPOSITORY. bad_input:
/// both are empty, or a path is outside of the repository.
base::Result<std::vector<std::string>> suites_in_work_tree(const std::vector<std::string>& suites,
                                                           const policy::Run& policy,
                                                           const git::Repository& repository);

struct NamedCommit {
  std::string label;   ///< "before", "after"
  std::string name;    ///< as the user wrote it
  std::string commit;  ///< full hash
};

struct BuiltCommit {
  git::WorkTree tree;  ///< owns the suites: they are removed with it
  std::vector<std::string> suites;
  record::Source source;  ///< modified if the build changed files that git tracks
};

/// Creates a work tree of the commit in FOLDER and builds it. The output of the build is written to a log file in
/// .torchgate/builds; if the build fails, its last lines also go to NARRATOR. Errors: bad_input (the build fails, or
/// produces no suites), io (also where it fails for want of space on the disk), interrupted.
base::Result<BuiltCommit> build_commit(const git::Repository& repository, const NamedCommit& what,
                                       const BuildRecipe& recipe, const std::filesystem::path& folder,
                                       Narrator& narrator);

/// The variables that let a compiler cache reuse files compiled in another work tree, except those set in OURS (our own
/// environment). HAS_CCACHE: ccache is in the PATH, so CMake may use it.
std::vector<record::Parameter> cache_environment(const std::map<std::string, std::string>& ours,
                                                 const std::filesystem::path& tree, bool has_ccache);

}  // namespace torchgate::workflow
