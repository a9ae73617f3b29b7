// SPDX-License-Identifier: Apache-2.0
// The event that started a GitHub Actions job (the file of GITHUB_EVENT_PATH, written by GitHub).
#pragma once

#include <cstdint>
#include <string>

#include "harness/base/result.hpp"

namespace torchgate::github {

/// The commit of a pull request that a job measured or judges.
struct MeasuredHead {
  std::int64_t number = 0;  ///< of the pull request; 0: the event does not say (workflow_run of a fork)
  std::string sha;
  std::string repository;  ///< where that commit is from: "owner/name"
};

/// Of `pull_request` and `workflow_run` events. bad_input: another event, or not an event.
base::Result<MeasuredHead> measured_head(const std::string& event);

}  // namespace torchgate::github
