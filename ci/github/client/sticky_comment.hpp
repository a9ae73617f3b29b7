// SPDX-License-Identifier: Apache-2.0
// One comment per pull request, updated in place.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ci/github/client/api.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

/// GitHub documents 65,536 characters; larger bodies are refused with 422. A report of reports::MarkdownOptions::limit_bytes, its footer and
/// the marker fit.
inline constexpr std::size_t most_comment_bytes = 65'000;

struct StickyComment {
  std::int64_t number = 0;  ///< of the pull request or issue
  std::string name;         ///< of several comments in one pull request
  std::string author;       ///< our own login ("github-actions[bot]"): anyone may copy the marker into a comment
  std::string text;         ///< Markdown
  std::string short_text;   ///< instead of it where GitHub refuses the length
  /// Whether the text of an existing comment is kept instead; empty: it never is.
  std::function<bool(const std::string& existing)> stays = {};
};

struct KeptComment {
  std::int64_t id = 0;
  enum class What { created, updated, unchanged, stayed } what = What::created;
  std::string author = {};  ///< as whom the token wrote, where that is not the assumed author; else empty
};

/// Updates the comment with the marker and the author of torchgate, or creates it: exactly one remains, the oldest. Others
/// (of two jobs at the same time) are deleted. Where GitHub names another author of a new comment, the older ones are that author's.
base::Result<KeptComment> keep_comment(Api& api, const StickyComment& comment);

/// The last line of our comments: an HTML comment with a hash of NAME, so that nothing of a name gets into it.
std::string comment_marker(const std::string& name);

/// The login that this token writes comments as: GET /user, or, for the token of an app, which may not ask that, "github-actions[bot]",
/// that of a GitHub Actions job.
base::Result<std::string> own_login(Api& api);

}  // namespace torchgate::github
