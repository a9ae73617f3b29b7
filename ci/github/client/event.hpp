// SPDX-License-Identifier: Apache-2.0
// The event that started a GitHub Actions job (the file of GITHUB_EVENT_PATH, written by GitHub).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/base/result.hpp"

namespace torchgate::github {

/// The commit of a pull request that a job measured or judges.
struct MeasuredHead {
  std::int64_t number = 0;  ///< of the pull request; 0: the event does not say (workflow_run of a fork)
  std::string sha;
  std::string repository;  ///< where that commit is from: "owner/name"

  /// Of a merge group only, which has no number and no thread: what it will be merged into, and the commit it was built on.
  struct Queue {
    std::string base_branch;
    std::string base_sha;
    std::string default_branch;  ///< of the repository
  };
  std::optional<Queue> queue = {};
};

/// Of `pull_request`, `merge_group` and `workflow_run` events. bad_input: another event, or not an event.
base::Result<MeasuredHead> measured_head(const std::string& event);

/// The file (".github/workflows/perf.yml") of the workflow that a `workflow_run` event is about, or its name; "" if EVENT has neither.
std::string workflow_of_event(const std::string& event);

/// "RUN.ATTEMPT" of the run that a `workflow_run` event is about; "" if EVENT has none.
std::string attempt_of_event(const std::string& event);

}  // namespace torchgate::github
