// SPDX-License-Identifier: Apache-2.0
// The check of a commit: `in_progress` before anything is measured, completed with the verdict. A job that dies leaves it in
// progress, which a required check does not accept.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ci/github/client/api.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

enum class Conclusion { success, failure, neutral };

struct CheckRun {
  std::string name;         ///< the same in each run: required checks are matched by their name
  std::string head_sha;     ///< the pull request's own commit; a check on its merge commit is not shown
  std::string details_url;  ///< the page of the job; empty: none

  /// Who reached the verdict: "RUN.ATTEMPT" of a workflow, `unknown_origin`, or empty. Where another workflow measured, "/RUN.ATTEMPT" of that
  /// follows. Kept with the check; checks of all origins are from torchgate.
  std::string origin = {};
};

/// The origin of a verdict whose workflow and job are unknown.
inline constexpr const char* unknown_origin = "unknown";

struct CheckResult {
  Conclusion conclusion = Conclusion::failure;
  std::string title;
  std::string summary;  ///< Markdown, at most 65,535 characters
};

/// Creates the check as `in_progress`, unless torchgate's is in progress already. False: it is completed, because the verdict on what this
/// attempt of another workflow measured has been told; events of one workflow start others in any order.
base::Result<bool> begin_check(Api& api, const CheckRun& check);

/// The newest check of torchgate on that commit.
struct KnownCheck {
  bool completed = false;
  std::string completed_at;  ///< "2026-03-01T09:30:00Z"
};

/// Absent: the commit has none.
base::Result<std::optional<KnownCheck>> newest_check(Api& api, const CheckRun& check);

/// The names of all checks of torchgate on COMMIT.
base::Result<std::set<std::string>> check_names(Api& api, const std::string& commit);

/// A verdict that this check has had on its commit.
struct EarlierVerdict {
  std::string origin;
  CheckResult result;
  std::int64_t id = 0;  ///< of its run of the check
};

/// The completed checks of torchgate on that commit, newest first.
base::Result<std::vector<EarlierVerdict>> earlier_verdicts(Api& api, const CheckRun& check);

/// Completes the check; creates it where begin_check was not called (a run of it is then in progress for a moment).
/// The runs of the check that have RESULT now.
base::Result<std::vector<std::int64_t>> complete_check(Api& api, const CheckRun& check, const CheckResult& result);

/// Gives RESULT to completed runs of the check.
base::Result<void> change_checks(Api& api, const CheckRun& check, const std::vector<std::int64_t>& ids,
                                 const CheckResult& result);

}  // namespace torchgate::github
