// SPDX-License-Identifier: Apache-2.0
// What happens to which issue: decided from the issues, a report, pairs and the triage file, without talking to anybody. triage.hpp carries
// it out.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ci/github/client/issue.hpp"
#include "ci/github/comment/last_report.hpp"
#include "ci/github/triage/triage_cause.hpp"
#include "ci/policy/triage_file.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

/// An `ab` report of two commits.
struct Repairs {
  std::string file;
  std::string before;  ///< full hashes
  std::string after;
  std::vector<ReportedFinding> findings;
  std::string host = {};  ///< host key
};

/// bad_input: it was not measured in interleaved pairs, or its sides are not two commits.
base::Result<Repairs> repairs_of(const SavedReport& report, const std::string& file);

/// Whether ANCESTOR is COMMIT or one of its ancestors; absent: git does not know (no repository, a shallow clone).
using Includes = std::function<std::optional<bool>(const std::string& commit, const std::string& ancestor)>;

struct TriageFacts {
  std::string key = {};  ///< only issues of this workflow are changed; empty: the default one
  std::vector<OwnIssue> issues;
  std::optional<Cause> reported;
  std::vector<Repairs> repairs;
  std::vector<policy::TriageEntry> entries;
  std::chrono::year_month_day today;
  Includes includes;
};

struct KeyedComment {
  std::string name;  ///< one comment per name and issue
  std::string text;
};

/// The comments come first: a closed issue already has its reason.
struct IssueStep {
  enum class What { create, update, close, comment };
  What what = What::update;
  std::int64_t number = 0;  ///< 0: to be created
  std::string marker;
  Cause cause;
  std::string title;
  std::string text;
  std::vector<KeyedComment> comments;
  std::optional<CloseReason> close;
  std::string why;  ///< a sentence without a full stop
};

/// An issue that stays open.
struct OpenCause {
  std::int64_t number = 0;  ///< 0: created by this plan
  Cause cause;
  std::optional<policy::TriageEntry> entry;
  bool overdue = false;
};

struct TriagePlan {
  std::vector<IssueStep> steps;
  std::vector<OpenCause> open;
  std::vector<std::string> notes;  ///< what was not done, and why
};

TriagePlan plan_triage(const TriageFacts& facts);

}  // namespace torchgate::github
