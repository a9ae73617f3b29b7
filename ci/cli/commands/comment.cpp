// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/commands/commands.hpp"
#include "ci/git/remote.hpp"
#include "ci/github/client/connection.hpp"
#include "ci/github/client/workflow_run.hpp"
#include "ci/github/comment/tell_pull_request.hpp"
#include "ci/github/comment/verdict_key.hpp"

namespace torchgate::cli {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

Result<github::MeasuredHead> head_of(const CommentCommand& command) {
  github::MeasuredHead head;
  if (command.head) head.sha = *command.head;
  if (command.head_repository) head.repository = *command.head_repository;
  head.number = command.pull_request.value_or(0);
  const bool named = command.head && (command.pull_request || command.head_repository);
  if (named) return head;
  if (command.head || command.head_repository || command.pull_request)
    return Error{
        ErrorCode::bad_input,
        "--head, --pull-request: incomplete; give --head SHA with --pull-request N or --head-repository OWNER/NAME"};
  const auto event = github::event_text();
  if (!event) return event.error();
  return github::measured_head(*event);
}

Result<github::Verdict> verdict_of(const CommentCommand& command) {
  if (command.failed) return github::verdict_without_report(github::Conclusion::failure, *command.failed);
  if (command.neutral) return github::verdict_without_report(github::Conclusion::neutral, *command.neutral);
  if (command.report && command.markdown) return github::verdict_of_report(*command.report, *command.markdown);
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
  destination.origin = key->text.empty() ? github::unknown_origin : github::origin_of(git::environment_variable);
  return {};
}

}  // namespace

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
  auto verdict = command.begin || command.target ? Result<github::Verdict>(github::Verdict()) : verdict_of(command);
  if (!verdict) return console.fail(verdict.error());
  if (command.no_verdict_fails && verdict->conclusion == github::Conclusion::neutral)
    verdict->conclusion = github::Conclusion::failure;
  const auto session = github::open_github(command.repository.value_or(""),
                                           [&](const std::string& note) { console.err << note << '\n'; });
  if (!session) return console.fail(session.error());
  if (command.target) {
    const auto target = github::target_of(*session->api, destination.head);
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

}  // namespace torchgate::cli
