// SPDX-License-Identifier: Apache-2.0
// Pull requests as GitHub knows them.
#pragma once

#include <cstdint>
#include <string>

#include "ci/github/client/api.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

struct PullRequest {
  std::int64_t number = 0;
  bool open = false;
  std::string head_sha;         ///< its newest commit
  std::string head_repository;  ///< "owner/name"; empty: the fork was deleted
  std::string base_branch;
  std::string base_sha;        ///< of that branch when the pull request was last updated, or later
  std::string default_branch;  ///< of the repository
};

/// The name of the check of a pull request: NAME, or "NAME (BRANCH)" where it does not go into the default branch. A check belongs to a
/// commit; without the branch in its name, a pull request that is redirected to another branch would keep the verdict that was
/// reached with the policy and the baseline of the first one.
std::string check_name(const std::string& name, const PullRequest& pull);

/// bad_input: it does not exist, or the token may not read it.
base::Result<PullRequest> pull_request(Api& api, std::int64_t number);

/// The open pull request whose newest commit is SHA in HEAD_REPOSITORY ("owner/name"). A workflow_run event of a fork does not
/// name its pull request, and a number in an artifact is whatever the fork wrote. not_found: none, or more than one.
base::Result<PullRequest> pull_request_of_head(Api& api, const std::string& sha, const std::string& head_repository);

}  // namespace torchgate::github
