// SPDX-License-Identifier: Apache-2.0
// Triage of the default branch on GitHub: one issue per cause.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "ci/github/client/api.hpp"
#include "ci/github/triage/triage_plan.hpp"
#include "ci/policy/triage_file.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

/// The label of our issues.
inline constexpr const char* regression_label = "performance-regression";

/// What a job has: files and the work tree. Nothing is sent for it.
struct TriageFiles {
  std::optional<std::string> report;  ///< of `gate --json` on the default branch
  std::vector<std::string> repairs;   ///< of `ab --json`
  std::optional<std::string>
      states;                      ///< the triage file; absent: the nearest default_triage_file, which may be missing
  std::optional<std::string> key;  ///< of the workflow that measured; absent: the default one
};

/// The facts but for the issues. Errors: those of the files. Git answers what it knows of the work tree in the working directory.
base::Result<TriageFacts> read_triage(const TriageFiles& files, std::chrono::year_month_day today);

/// Reads the issues of AUTHOR (empty: the login of the token) and decides; sends nothing that changes anything.
struct TriageSession {
  std::string author;
  TriagePlan plan;
};
base::Result<TriageSession> plan_on_github(Api& api, TriageFacts facts, const std::string& author);

/// What was done, or would be.
struct TriageAction {
  std::int64_t issue = 0;  ///< 0: would be created
  std::string action;      ///< "created", "updated", "closed", "commented"
  std::string commit;
  std::string why;
};

/// Carries the steps out; on an error those before it are done, and the next call does the rest.
base::Result<std::vector<TriageAction>> carry_out(Api& api, TriageSession& session);

/// The same as `carry_out` would answer.
std::vector<TriageAction> would_do(const TriagePlan& plan);

/// `torchgate.triage/1`.
std::string triage_json(const TriagePlan& plan, const std::vector<TriageAction>& actions, bool dry_run);

}  // namespace torchgate::github
