// SPDX-License-Identifier: Apache-2.0
// Runs of a repository's workflows in GitHub Actions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ci/github/client/api.hpp"
#include "ci/github/client/pull_request.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

struct WorkflowRun {
  std::int64_t id = 0;
  std::int64_t attempt = 0;     ///< 1, and one more each time it is run again
  std::string started_at;       ///< of the newest attempt
  bool completed = false;       ///< else queued, waiting or in progress
  bool needs_approval = false;  ///< of a contributor whose runs a maintainer has to approve first
  std::string file;             ///< ".github/workflows/perf.yml"
  std::string name;
};

/// The newest run of event pull_request for the newest commit of PULL; with WORKFLOW only of that workflow: its name, its file
/// (".github/workflows/perf.yml") or the name of that ("perf.yml"). bad_input: without WORKFLOW, runs of several workflows.
base::Result<std::optional<WorkflowRun>> newest_run(Api& api, const PullRequest& pull, const std::string& workflow);

/// Starts all jobs of RUN again, once: if no answer came, its attempt says whether it happened. REQUIRES: it is completed.
base::Result<void> run_again(Api& api, const WorkflowRun& run);

/// When the newest attempt of run RUN started (UTC, ISO 8601).
base::Result<std::string> started_at(Api& api, std::int64_t run);

/// The file of the workflow of run RUN: ".github/workflows/perf.yml".
base::Result<std::string> workflow_file(Api& api, std::int64_t run);

/// Whether a job that measures (measure and confirm of performance.yml, also below a caller's: "gate / confirm") has begun in the newest
/// attempt of run RUN, which started at STARTED. "Re-run failed jobs" starts only those that failed and what needs them; the others
/// are listed with the times of their own attempt. True also if none of the jobs has such a name, or a time is unknown.
base::Result<bool> measured_again(Api& api, std::int64_t run, const std::string& started);

/// Whether the run still has an artifact of that name; they are kept for 90 days at most.
base::Result<bool> has_artifact(Api& api, const WorkflowRun& run, const std::string& name);

}  // namespace torchgate::github
