// SPDX-License-Identifier: Apache-2.0
// Which policy is in force: defaults, torchgate.toml and its waivers, environment, flags; and for a pull request, whose files
// are read: the base branch's, so that a change cannot loosen the gate that judges it.
#pragma once

#include "ci/cli/arguments.hpp"
#include "ci/policy/policy.hpp"
#include "harness/base/result.hpp"

namespace torchgate::cli {

/// The policy with its waivers, of today (the one place that asks the clock for a day).
///
/// The files are those of the working tree, unless a command that judges runs with --policy-from REF, or in a pull request:
/// a CI system says so (pull_request.hpp), or HEAD is a detached merge commit, as CI checks a pull request out. Then they
/// come from REF; else from refs/remotes/origin/BRANCH of the branch that the system names (no tag and no local branch of
/// that name), or the commit that it names; else from HEAD^1 of the merge commit. What the working tree's files say otherwise
/// is a doubt of the policy. A base without a file means the defaults. A base that cannot be read is an error: a change is
/// never judged by its own policy.
base::Result<policy::Policy> load_policy(const Arguments& arguments);

}  // namespace torchgate::cli
