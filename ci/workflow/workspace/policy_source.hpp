// SPDX-License-Identifier: Apache-2.0
// Loads the policy: defaults, torchgate.toml and its waivers, environment, flags. In a pull request the files are those
// of the base branch, so that a change cannot loosen the gate that judges it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ci/policy/policy.hpp"
#include "harness/base/result.hpp"

namespace torchgate::workflow {

/// The policy options of a command line.
struct PolicyChoice {
  std::optional<std::string> file;  ///< instead of the nearest torchgate.toml, searched upwards
  std::vector<std::pair<std::string, std::string>> settings;  ///< (key, text): override environment and file
  std::optional<std::string> from;             ///< the commit whose files are read, in a command that judges
  bool judges = false;                         ///< whether a verdict depends on the policy: judging, and measuring
  std::vector<std::string> waiver_files = {};  ///< in addition to those of the policy, and trusted as its caller is
  bool measures = false;                       ///< run.suites of the change are measured, too: it may add one
};

/// The policy with its waivers and today's date (the only place that reads the clock for a date).
///
/// The files are those of the working tree, unless a command that judges or measures runs with CHOICE.from (--policy-from REF) or
/// in a pull request: the CI system sets its variables (pull_request.hpp), or HEAD is a detached merge commit, as CI
/// systems check out a pull request. Then the files are those of REF; else of refs/remotes/origin/BRANCH for the base
/// branch that the CI system names (never a tag or a local branch of that name), or of the base commit that it names;
/// else of HEAD^1 of the merge commit. A difference from the files of the working tree is a doubt of the policy. A base
/// without a file means the defaults. A base that cannot be read is an error: a change is never judged by its own
/// policy. Policy::of_base says that it is that of a base. CHOICE.waiver_files (--waivers) are files of the caller, in a pull request, too; each is a note of the policy.
base::Result<policy::Policy> load_policy(const PolicyChoice& choice);

}  // namespace torchgate::workflow
