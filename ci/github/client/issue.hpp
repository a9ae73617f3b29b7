// SPDX-License-Identifier: Apache-2.0
// Issues that torchgate keeps: one per key, found again by marker, author and label.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ci/github/client/api.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

/// GitHub documents 65,536 characters, as for comments.
inline constexpr std::size_t most_issue_bytes = 60'000;

/// Whose issues: all others are never touched.
struct IssueOwner {
  std::string author;  ///< our own login: anyone may copy a marker into an issue
  std::string label;
};

struct OwnIssue {
  std::int64_t number = 0;
  bool open = true;
  std::string title;
  std::string text;    ///< Markdown, without the marker
  std::string marker;  ///< its last line
};

/// The last line of our issues: an HTML comment with a hash of KEY.
std::string issue_marker(const std::string& key);

/// Every issue of this owner that ends with a marker, open and closed, the oldest first. Pull requests are not issues.
base::Result<std::vector<OwnIssue>> own_issues(Api& api, const IssueOwner& owner);

/// The issue of KEY, created unless it exists: also if the answer to the first try got lost. Of two that two jobs created at the same time
/// the oldest remains open. bad_input: GitHub dropped the label, without which the issue would not be found again, or the token writes as
/// another author.
base::Result<OwnIssue> create_issue(Api& api, const IssueOwner& owner, const std::string& key, const std::string& title,
                                    const std::string& text);

enum class CloseReason { completed, not_planned };

/// What an issue shall be.
struct IssueChange {
  std::string title;
  std::string text;
  std::optional<CloseReason> close;  ///< absent: its state stays
};

/// Title, text and state in one request. MARKER is the issue's own.
base::Result<void> change_issue(Api& api, std::int64_t number, const std::string& marker, const IssueChange& change);

}  // namespace torchgate::github
