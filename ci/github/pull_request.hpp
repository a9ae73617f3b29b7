// SPDX-License-Identifier: Apache-2.0
// Pull requests as GitHub knows them.
#pragma once

#include <cstdint>
#include <string>

#include "ci/github/api.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

struct PullRequest {
  std::int64_t number = 0;
  bool open = false;
  std::string head_sha;         ///< its newest commit
  std::string head_repository;  ///< "owner/name"; empty: the fork was deleted
  std::string base_branch;
};

/// bad_input: it does not exist, or the token may not read it.
base::Result<PullRequest> pull_request(Api& api, std::int64_t number);

/// The open pull request whose newest commit is SHA in HEAD_REPOSITORY ("owner/name"). A workflow_run event of a fork does not
/// name its pull request, and a number in an artifact is whatever the fork wrote. not_found: none, or more than one.
base::Result<PullRequest> pull_request_of_head(Api& api, const std::string& sha, const std::string& head_repository);

}  // namespace torchgate::github
