// SPDX-License-Identifier: Apache-2.0
// Tells a pull request its verdict: one sticky comment, and one check of its newest commit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ci/github/client/api.hpp"
#include "ci/github/client/check_run.hpp"
#include "ci/github/client/event.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

/// What is told.
struct Verdict {
  Conclusion conclusion = Conclusion::failure;
  std::string title;     ///< one line
  std::string markdown;  ///< the whole report
  /// The judged one; absent where it is unknown, or where its files were or may have been modified.
  std::optional<std::string> commit = {};
  bool no_verdict = false;  ///< none was reached; a weak pass is neutral as well, and is a verdict
};

/// Of the files that `gate --json` and `--markdown` wrote: outcome fail is a failure; no_verdict, and a pass that decided less than half, are neutral.
/// bad_input: the Markdown is the report of another outcome.
base::Result<Verdict> verdict_of_report(const std::string& json_file, const std::string& markdown_file);

/// Without a report: SENTENCE says why and what to do.
Verdict verdict_without_report(Conclusion conclusion, const std::string& sentence);

/// Which pull request, and as whom.
struct Destination {
  MeasuredHead head;
  std::string name = "torchgate";  ///< of the check and of the comment, with the key (keyed_name)
  /// Whose verdict it is, as in CheckRun. A verdict replaces earlier ones of its name, but for those of the same attempt, which another
  /// job reached, and for those of an unknown origin or where its own is unknown: of these the worst stays.
  std::string origin;
  std::string author;       ///< empty: the login of the token
  std::string details_url;  ///< the page of the job; empty: none
  bool commands = false;    ///< a workflow answers `/perf` commands: the comment mentions them
  bool comment = true;
  bool check = true;
};

/// The check as in progress, before anything is measured; its name (check_name), or why there is none.
base::Result<std::string> begin_pull_request(Api& api, const Destination& destination);

/// What happened to the comment, as a sentence: "updated comment 12 in pull request 3", or why there is none (the pull
/// request has a newer commit). The check is completed also when the comment fails; not where no pull request has the commit.
base::Result<std::string> tell_pull_request(Api& api, const Destination& destination, const Verdict& verdict);

/// What a judge has to know of the pull request of HEAD: "HEAD BRANCH BASE", where BRANCH is the one that it goes into and BASE a
/// commit of it that a merge cannot be older than. not_found: no open pull request has that commit; bad_input: BRANCH could
/// not be part of a reference in a command line.
base::Result<std::string> target_of(Api& api, const MeasuredHead& head);

}  // namespace torchgate::github
