// SPDX-License-Identifier: Apache-2.0
// Which policy is in force: defaults, torchgate.toml and its waivers, environment, flags; and for a pull request, whose files
// are read: the base branch's, so that a change cannot loosen the gate that judges it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ci/policy/policy.hpp"
#include "harness/base/result.hpp"

namespace torchgate::workflow {

/// What a command line says of the policy.
struct PolicyChoice {
  std::optional<std::string> file;                            ///< instead of the torchgate.toml found upwards from here
  std::vector<std::pair<std::string, std::string>> settings;  ///< (key, text): they win over environment and file
  std::optional<std::string> from;  ///< of a command that judges: the commit whose files count
  bool judges = false;              ///< a verdict depends on it
};

/// The policy with its waivers, of today (the one place that asks the clock for a day).
///
/// The files are those of the working tree, unless a command that judges runs with CHOICE.from (--policy-from REF), or in a pull request:
/// a CI system says so (pull_request.hpp), or HEAD is a detached merge commit, as CI checks a pull request out. Then they
/// come from REF; else from refs/remotes/origin/BRANCH of the branch that the system names (no tag and no local branch of
/// that name), or the commit that it names; else from HEAD^1 of the merge commit. What the working tree's files say otherwise
/// is a doubt of the policy. A base without a file means the defaults. A base that cannot be read is an error: a change is
/// never judged by its own policy.
base::Result<policy::Policy> load_policy(const PolicyChoice& choice);

}  // namespace torchgate::workflow
