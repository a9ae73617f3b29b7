// SPDX-License-Identifier: Apache-2.0
// Recognises the pull request (merge request, change) of a CI job by its environment variables.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace torchgate::workflow {

struct PullRequest {
  std::string system;       ///< "GitHub"
  std::string branch;       ///< the branch to merge into; empty: not given by the system
  std::string branch_from;  ///< the variable that names it: "GITHUB_BASE_REF"
  std::string base_commit;  ///< of that branch, if the system gives one (GitLab); else empty
};

/// VARIABLE returns the value of an environment variable, empty if it is not set. Absent: not a pull request. GitHub (also its
/// merge groups), GitLab, Jenkins (multibranch) and Buildkite are known.
std::optional<PullRequest> pull_request(const std::function<std::string(const char*)>& variable);

/// Whether the job is of a push to a branch (GitHub Actions, GitLab): its commit may have been measured before, by an earlier
/// attempt of the same job.
bool is_push(const std::function<std::string(const char*)>& variable);

}  // namespace torchgate::workflow
