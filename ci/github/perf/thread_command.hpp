// SPDX-License-Identifier: Apache-2.0
// Carries out what a comment in a pull request's thread asks for, if its author may write to the repository and has seen the verdict of
// the newest commit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ci/github/client/api.hpp"
#include "ci/github/client/issue_comment.hpp"
#include "ci/github/perf/slash_command.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

struct ThreadOptions {
  std::string check = "torchgate";  ///< name of the check whose verdict the author has seen
  std::string workflow;             ///< the one that measures: its file or name; empty: the only one that ran
  std::string artifact;             ///< of its run, with the measurements: must be there to accept; empty: not asked
  std::string author;               ///< the login of the token, for the reply; empty: asked from GitHub
  std::optional<std::string> key =
      {};  ///< of the verdict; absent: that of the workflow that measured (verdict_key.hpp)
};

/// Whether the comment may ask for anything: created, by a person, in a pull request, with a command. `none` where not.
SlashCommand command_in(const IssueComment& comment);

struct ThreadAnswer {
  enum class What { refused, accept, rerun } what = What::refused;
  std::string why;       ///< refused: one sentence
  std::string head;      ///< the commit that it is for
  std::int64_t run = 0;  ///< the workflow run whose artifacts have the measurements, or that was started again
  std::string key = {};  ///< of the verdict of that run
};

/// Decides, and starts the run again for `rerun`; `accept` changes nothing. Two steps bind it to what the author has seen: the newest
/// attempt of the run of the newest commit began before the comment (a push, also of an old commit, begins another one), and for
/// `accept` the check was completed before it. REQUIRES: COMMAND is not `none`.
base::Result<ThreadAnswer> answer_command(Api& api, const IssueComment& comment, const SlashCommand& command,
                                          const ThreadOptions& options);

/// Tells the author: a reaction, and if refused, one reply that is updated by the next refusal in this pull request.
base::Result<void> tell_author(Api& api, const IssueComment& comment, const ThreadAnswer& answer,
                               const ThreadOptions& options);

}  // namespace torchgate::github
