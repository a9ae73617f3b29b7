// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "ci/cli/command_table.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/git/remote.hpp"
#include "ci/git/repository.hpp"
#include "ci/github/client/connection.hpp"
#include "ci/github/client/workflow_run.hpp"
#include "ci/github/comment/tell_pull_request.hpp"
#include "ci/github/comment/verdict_key.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::cli {
namespace {

struct CommentCommand {
  bool begin = false;                 ///< only the check, as in progress
  bool target = false;                ///< only print the measured commit and the base branch
  std::optional<std::string> report;  ///< the JSON report
  std::optional<std::string> markdown;
  std::optional<std::string> failed;  ///< instead of a report: a sentence
  std::optional<std::string> neutral;
  std::optional<std::int64_t> pull_request;  ///< absent: from the event of the job
  std::optional<std::string> head;           ///< the measured commit
  std::optional<std::string> head_repository;
  std::optional<std::string> repository;
  std::optional<std::string> author;
  std::string name = "torchgate";
  std::optional<std::string> key;   ///< absent: of the environment (github::verdict_key)
  bool show_key = false;            ///< only print the key of the workflow that measured
  std::optional<std::int64_t> run;  ///< with show_key, on issue_comment: the workflow run that measured
  bool no_verdict_fails = false;
  bool commands = false;  ///< mention the `/perf` commands
  bool no_comment = false;
  bool no_check = false;
};

using base::Error;
using base::ErrorCode;
using base::Result;

Result<github::MeasuredHead> head_of(const CommentCommand& command) {
  github::MeasuredHead head;
  if (command.head) head.sha = *command.head;
  if (command.head_repository) head.repository = *command.head_repository;
  head.number = command.pull_request.value_or(0);
  const bool named = command.head && (command.pull_request || command.head_repository);
  if (named && !record::is_full_commit(head.sha))
    return Error{ErrorCode::bad_input,
                 fmt::format("--head: {} is not the full hash of a commit; give all of its digits, in lower case",
                             base::in_quotes(head.sha))};
  if (named) return head;
  if (command.head || command.head_repository || command.pull_request)
    return Error{
        ErrorCode::bad_input,
        "--head, --pull-request: incomplete; give --head SHA with --pull-request N or --head-repository OWNER/NAME"};
  const auto event = github::event_text();
  if (!event) return event.error();
  return github::measured_head(*event);
}

// A report that was left from an earlier commit. CI measures HEAD or a merge of it. A commit that is not in this clone may be such a merge.
Result<void> check_commit(const github::Verdict& verdict, const std::string& head) {
  if (!verdict.commit || *verdict.commit == head) return {};
  const auto repository = git::Repository::open(".");
  if (!repository || !repository->has_commit(*verdict.commit)) return {};
  const auto parents = repository->parents(*verdict.commit);
  if (!parents) return parents.error();
  if (std::find(parents->begin(), parents->end(), head) != parents->end()) return {};
  if (const auto base = repository->merge_base(head, *verdict.commit); base && *base == head) return {};
  return Error{
      ErrorCode::bad_input,
      fmt::format("--report: of commit {}, which is neither {} nor a merge of it; measure that commit, and give "
                  "the report of it",
                  record::short_commit(*verdict.commit), record::short_commit(head))};
}

Result<github::Verdict> verdict_of(const CommentCommand& command, const std::string& head) {
  if (command.failed) return github::verdict_without_report(github::Conclusion::failure, *command.failed);
  if (command.neutral) return github::verdict_without_report(github::Conclusion::neutral, *command.neutral);
  if (command.report && command.markdown) {
    auto verdict = github::verdict_of_report(*command.report, *command.markdown);
    if (!verdict) return verdict;
    if (const auto checked = check_commit(*verdict, head); !checked) return checked.error();
    return verdict;
  }
  return Error{ErrorCode::bad_input,
               "no verdict; give --report report.json --markdown report.md (of `torchgate gate "
               "--json report.json --markdown report.md`), --failed, --neutral or --begin"};
}

// Of the job's event, where it has one.
Result<std::string> event_if_any() {
  if (git::environment_variable("GITHUB_EVENT_PATH").empty()) return std::string();
  return github::event_text();
}

ExitCode show_key(const CommentCommand& command, const Console& console) {
  const auto event = event_if_any();
  if (!event) return console.fail(event.error());
  auto key = github::workflow_key(command.key, git::environment_variable, *event);
  if (!key) return console.fail(key.error());
  if (key->text.empty() && command.run && git::environment_variable("GITHUB_EVENT_NAME") == "issue_comment") {
    const auto session = github::open_github(command.repository.value_or(""),
                                             [&](const std::string& note) { console.err << note << '\n'; });
    if (!session) return console.fail(session.error());
    const auto file = github::workflow_file(*session->api, *command.run);
    if (!file) return console.fail(file.error());
    key->text = github::key_of_workflow(*file);
  }
  console.out << (key->text.empty() ? github::default_key : key->text) << '\n';
  return ExitCode::ok;
}

// Name and origin of check and comment.
Result<void> use_key(const CommentCommand& command, github::Destination& destination) {
  const auto event = event_if_any();
  if (!event) return event.error();
  const auto key = github::verdict_key(command.key, git::environment_variable, *event);
  if (!key) return key.error();
  destination.name = github::keyed_name(command.name, key->text);
  destination.origin =
      key->text.empty() ? github::unknown_origin : github::origin_of(git::environment_variable, *event);
  return {};
}

ExitCode comment_command(const CommentCommand& command, const Console& console) {
  if (command.show_key) return show_key(command, console);
  github::Destination destination;
  const auto head = head_of(command);
  if (!head) return console.fail(head.error());
  destination.head = *head;
  if (const auto named = use_key(command, destination); !named) return console.fail(named.error());
  destination.author = command.author.value_or("");
  destination.details_url = github::job_url();
  destination.commands = command.commands;
  destination.comment = !command.no_comment;
  destination.check = !command.no_check;
  // Read before anything is sent.
  auto verdict =
      command.begin || command.target ? Result<github::Verdict>(github::Verdict()) : verdict_of(command, head->sha);
  if (!verdict) return console.fail(verdict.error());
  if (command.no_verdict_fails && verdict->no_verdict) verdict->conclusion = github::Conclusion::failure;
  const auto session = github::open_github(command.repository.value_or(""),
                                           [&](const std::string& note) { console.err << note << '\n'; });
  if (!session) return console.fail(session.error());
  if (command.target) {
    const auto target = github::target_of(*session->api, destination.head);
    if (!target && target.error().code == ErrorCode::not_found && command.pull_request == std::nullopt) {
      console.warn("no target: " + target.error().message);
      return ExitCode::ok;
    }
    if (!target) return console.fail(target.error());
    console.out << *target << '\n';
    return ExitCode::ok;
  }
  if (command.begin) {
    const auto begun = github::begin_pull_request(*session->api, destination);
    if (!begun) return console.fail(begun.error());
    console.out << *begun << '\n';
    return ExitCode::ok;
  }
  const auto told = github::tell_pull_request(*session->api, destination, *verdict);
  if (!told) return console.fail(told.error());
  console.out << *told << '\n';
  return ExitCode::ok;
}

}  // namespace

Invocation define_comment(Options& options) {
  const auto command = std::make_shared<CommentCommand>();
  options.add("--begin", &command->begin,
              "Create the check as in progress, before anything is measured, so a job that ends early does not "
              "pass a required check");
  options.add("--target", &command->target,
              "Print the measured commit, the base branch and a commit of that, separated by spaces, and exit");
  options.add("--report FILE", &command->report, "The report of `torchgate gate --json`");
  options.add("--markdown FILE", &command->markdown, "The report of `torchgate gate --markdown`");
  options.add("--failed SENTENCE", &command->failed, "Without a report: a failure, and why");
  options.add("--neutral SENTENCE", &command->neutral, "Without a report: no verdict, and what to do");
  options
      .add("--pull-request N", &command->pull_request,
           "Its number (default: from the event of the job, GITHUB_EVENT_PATH)")
      .positive();
  options.add("--head SHA", &command->head, "The measured commit of the pull request");
  options.add("--head-repository OWNER/NAME", &command->head_repository,
              "Instead of the number: the repository of that commit");
  repository_option(options, command->repository, "Where the pull request is");
  author_option(options, command->author);
  options.add("--name NAME", &command->name,
              "Name of the check and of the comment, constant over runs (default torchgate)");
  options.add("--key KEY", &command->key,
              "Which workflow or job it is of, constant over runs: with gpu, check and comment are NAME/gpu "
              "(default: GITHUB_WORKFLOW_REF and GITHUB_JOB; with performance, NAME alone)");
  options.add("--show-key", &command->show_key, "Print the key of the workflow that measured, then exit");
  options.add("--run-id N", &command->run, "With --show-key in a job for issue_comment: the run that measured")
      .positive();
  options.add("--no-verdict-fails", &command->no_verdict_fails,
              "Without a verdict the check is a failure instead of neutral, which does not block a merge");
  options.add("--commands", &command->commands, "Mention the /perf commands, where a workflow answers them");
  options.add("--no-comment", &command->no_comment, "Only the check");
  options.add("--no-check", &command->no_check, "Only the comment");
  options.footer(
      "Needs GITHUB_REPOSITORY and GITHUB_TOKEN (or TORCHGATE_GITHUB_TOKEN) with pull-requests: write and checks: "
      "write; --begin needs checks: write only. Exit codes: 0 done, or skipped because the pull request has a newer "
      "commit; 2 usage, bad input, or GitHub refused.");
  return invocation(command, comment_command);
}

}  // namespace torchgate::cli
