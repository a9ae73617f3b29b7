// SPDX-License-Identifier: Apache-2.0
// The branch that the change of a CI job goes into.
#pragma once

#include <functional>
#include <string>

#include "ci/git/repository.hpp"

namespace torchgate::workflow {

/// A commit of that branch without the change, as a full hash: of a pull request the tip of its target (the remote-tracking branch, else the commit
/// that the CI system names), of a push what the branch was before it. "": the job or the system does not say, or the clone does not have
/// it. VARIABLE as in ci_pull_request.hpp.
std::string target_tip(const git::Repository& repository, const std::function<std::string(const char*)>& variable);

/// The tip of the remote's default branch, as a full hash: refs/remotes/origin/HEAD, else the branch that GitLab or the event of GitHub names. "": not
/// known, or not fetched.
std::string default_branch_tip(const git::Repository& repository,
                               const std::function<std::string(const char*)>& variable);

}  // namespace torchgate::workflow
