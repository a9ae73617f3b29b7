// SPDX-License-Identifier: Apache-2.0
// A comment in a pull request's thread: the event that a job gets of it, and whether its author may write to the repository.
#pragma once

#include <cstdint>
#include <string>

#include "ci/github/client/api.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

struct IssueComment {
  std::int64_t id = 0;
  std::int64_t number = 0;       ///< of the issue or pull request
  bool created = false;          ///< false: edited or deleted. Others than the author may edit a comment
  bool on_pull_request = false;  ///< false: on an issue
  bool by_person = false;        ///< false: a bot, an organisation
  std::string login;
  std::int64_t user_id = 0;  ///< a login may be given to another person, this never is
  std::string body;
  std::string created_at;  ///< is_utc_second() holds
};

/// Of an `issue_comment` event. bad_input: another event, or not an event.
base::Result<IssueComment> issue_comment(const std::string& event);

/// Whether the author of COMMENT may push to the repository: write, maintain or admin. The event's author_association does not say
/// that: members of an organisation may have read permission only.
base::Result<bool> author_may_write(Api& api, const IssueComment& comment);

enum class Reaction { rocket, confused };

/// A second one of the same kind changes nothing.
base::Result<void> react(Api& api, const IssueComment& comment, Reaction reaction);

/// TEXT is "2026-03-01T09:30:00Z", as GitHub writes times; two of them are compared as text.
bool is_utc_second(const std::string& text);

/// Both are of that form, and A is at least a second before B. False where it is not known.
bool is_before(const std::string& a, const std::string& b);

}  // namespace torchgate::github
