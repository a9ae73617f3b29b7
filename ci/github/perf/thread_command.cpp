// SPDX-License-Identifier: Apache-2.0
#include "ci/github/perf/thread_command.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <utility>

#include "ci/github/client/check_run.hpp"
#include "ci/github/client/pull_request.hpp"
#include "ci/github/client/sticky_comment.hpp"
#include "ci/github/client/workflow_run.hpp"
#include "ci/github/comment/verdict_key.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/formats/markdown_escape.hpp"

namespace torchgate::github {
namespace {

using base::Result;
using Kind = SlashCommand::Kind;

constexpr const char* usage =
    "Commands, as the first line of a comment:\n"
    "- `/perf accept CASE REASON` accepts the slow-down of a case in this pull request, up to what was measured; "
    "a name with spaces is put in double quotes\n"
    "- `/perf rerun` measures its newest commit again";

ThreadAnswer refused_command(std::string why) {
  ThreadAnswer answer;
  answer.why = std::move(why);
  return answer;
}

std::string key_of(const ThreadOptions& options, const std::optional<WorkflowRun>& run) {
  if (options.key) return *options.key;
  return run ? key_of_workflow(run->file.empty() ? run->name : run->file) : "";
}

// Why the newest run may not be started again, or absent.
std::optional<std::string> not_to_be_run(const std::optional<WorkflowRun>& run, const IssueComment& comment,
                                         const std::string& commit) {
  if (!run) return fmt::format("the newest commit {} has no workflow run", commit);
  if (!is_before(run->started_at, comment.created_at))
    return fmt::format("the newest commit {} has no run from before your comment; comment again", commit);
  if (run->needs_approval)
    return fmt::format("workflow run {} waits for approval; allow it on the page of its job", run->id);
  if (!run->completed) return fmt::format("workflow run {} of commit {} is still in progress", run->id, commit);
  return std::nullopt;
}

// Why there is no verdict that COMMENT is about. A check of another key does not count; the author of the workflow has to know.
Result<std::string> without_verdict(Api& api, const CheckRun& check, bool exists) {
  const std::string commit = record::short_commit(check.head_sha);
  std::string why =
      fmt::format("the newest commit {} has no verdict from before your comment in the check {}", commit, check.name);
  const auto others =
      exists ? Result<std::set<std::string>>(std::set<std::string>()) : check_names(api, check.head_sha);
  if (!others) return others.error();
  if (others->empty()) return why + "; comment again";
  return fmt::format("{}, only in {}; give `torchgate perf` the --key of `torchgate comment`", why,
                     fmt::join(*others, ", "));
}

// Why the verdict of the newest commit cannot be what COMMENT accepts, or absent.
Result<std::optional<std::string>> not_to_be_accepted(Api& api, const PullRequest& pull,
                                                      const std::optional<WorkflowRun>& run,
                                                      const IssueComment& comment, const ThreadOptions& options) {
  const std::string commit = record::short_commit(pull.head_sha);
  const std::string name = keyed_name(options.check, key_of(options, run));
  const CheckRun asked{check_name(name, pull), pull.head_sha, ""};
  const auto check = newest_check(api, asked);
  if (!check) return check.error();
  const bool seen = *check && (*check)->completed && is_before((*check)->completed_at, comment.created_at) && run &&
                    is_before(run->started_at, comment.created_at);
  if (!seen) {
    auto why = without_verdict(api, asked, check->has_value());
    if (!why) return why.error();
    return std::optional(std::move(why).value());
  }
  if (options.artifact.empty()) return std::optional<std::string>();
  const auto measured = has_artifact(api, *run, options.artifact);
  if (!measured) return measured.error();
  if (*measured) return std::optional<std::string>();
  return std::optional(fmt::format(
      "the measurements of commit {} are gone; measure again with /perf rerun, then comment again", commit));
}

}  // namespace

SlashCommand command_in(const IssueComment& comment) {
  if (!comment.created || !comment.by_person || !comment.on_pull_request) return {};
  return parse_slash_command(comment.body);
}

Result<ThreadAnswer> answer_command(Api& api, const IssueComment& comment, const SlashCommand& command,
                                    const ThreadOptions& options) {
  const auto may_write = author_may_write(api, comment);
  if (!may_write) return may_write.error();
  if (!*may_write) return refused_command("this needs write permission in the repository");
  if (command.kind == Kind::wrong) return refused_command(command.problem);
  const auto pull = pull_request(api, comment.number);
  if (!pull) return pull.error();
  if (!pull->open) return refused_command("the pull request is closed");
  const auto run = newest_run(api, *pull, options.workflow);
  if (!run) return run.error();
  const bool accepts = command.kind == Kind::accept;
  const auto why =
      accepts ? not_to_be_accepted(api, *pull, *run, comment, options)
              : Result<std::optional<std::string>>(not_to_be_run(*run, comment, record::short_commit(pull->head_sha)));
  if (!why) return why.error();
  if (*why) return refused_command(**why);
  if (!accepts) {
    if (const auto started = run_again(api, **run); !started) return started.error();
  }
  return ThreadAnswer{accepts ? ThreadAnswer::What::accept : ThreadAnswer::What::rerun, "", pull->head_sha, (*run)->id,
                      key_of(options, *run)};
}

Result<void> tell_author(Api& api, const IssueComment& comment, const ThreadAnswer& answer,
                         const ThreadOptions& options) {
  const bool is_refused = answer.what == ThreadAnswer::What::refused;
  const auto reacted = react(api, comment, is_refused ? Reaction::confused : Reaction::rocket);
  if (!reacted || !is_refused) return reacted;
  const auto author = options.author.empty() ? own_login(api) : Result<std::string>(options.author);
  if (!author) return author.error();
  StickyComment reply;
  reply.number = comment.number;
  reply.name = keyed_name(options.check + " /perf", options.key.value_or(key_of_workflow(options.workflow)));
  reply.author = *author;
  // Does not begin with a command: the token may be that of a person.
  reply.text = fmt::format("**Not done** for {}: {}.\n\n{}", reports::markdown_name(comment.login, false),
                           reports::markdown_text(answer.why), usage);
  reply.short_text = reply.text;
  const auto kept = keep_comment(api, reply);
  if (!kept) return kept.error();
  return {};
}

}  // namespace torchgate::github
