// SPDX-License-Identifier: Apache-2.0
// What a CI system says of the pull request (merge request, change) that a job is for.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace torchgate::workflow {

struct PullRequest {
  std::string system;       ///< "GitHub"
  std::string branch;       ///< it is to be merged into this branch; empty: the system does not say
  std::string branch_from;  ///< the variable that names it: "GITHUB_BASE_REF"
  std::string base_commit;  ///< of that branch, where the system names one (GitLab); else empty
};

/// VARIABLE gives the value of an environment variable, empty when it is not set. Absent: no system says that this is a pull
/// request. GitHub, GitLab, Jenkins (multibranch) and Buildkite are known.
std::optional<PullRequest> pull_request(const std::function<std::string(const char*)>& variable);

}  // namespace torchgate::workflow
