// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "ci/cli/command_table.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/github/client/connection.hpp"
#include "ci/github/client/issue_comment.hpp"
#include "ci/github/perf/thread_command.hpp"
#include "ci/workflow/workspace/step_outputs.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::cli {
namespace {

struct PerfCommand {
  std::optional<std::string> output;    ///< a file like GITHUB_OUTPUT
  std::optional<std::string> workflow;  ///< the one that measures
  std::optional<std::string> artifact;  ///< of that, with the measurements
  std::optional<std::string> repository;
  std::optional<std::string> author;
  std::string name = "torchgate";
  std::optional<std::string> key;      ///< absent: of the workflow that measures
  std::optional<std::string> refused;  ///< only tell the author that a later step refused the command, and why
};

using base::Result;
using github::ThreadAnswer;

Result<github::IssueComment> read_comment() {
  const auto event = github::event_text("run `torchgate perf` in a job of GitHub Actions");
  if (!event) return event.error();
  return github::issue_comment(*event);
}

const char* word_of(ThreadAnswer::What what) {
  switch (what) {
    case ThreadAnswer::What::accept:
      return "accept";
    case ThreadAnswer::What::rerun:
      return "rerun";
    case ThreadAnswer::What::refused:
      break;
  }
  return "refused";
}

workflow::StepOutputs outputs_of(const github::IssueComment& comment, const github::SlashCommand& asked,
                                 const ThreadAnswer& answer) {
  workflow::StepOutputs outputs{{"command", word_of(answer.what)},
                                {"number", std::to_string(comment.number)},
                                {"login", comment.login},
                                {"comment", std::to_string(comment.id)}};
  if (answer.what == ThreadAnswer::What::refused) return outputs;
  outputs.emplace_back("head", answer.head);
  outputs.emplace_back("run", std::to_string(answer.run));
  outputs.emplace_back("key", answer.key);
  if (answer.what == ThreadAnswer::What::rerun) return outputs;
  outputs.emplace_back("case", asked.case_name);
  outputs.emplace_back("reason", asked.reason);
  return outputs;
}

Result<void> write_outputs(const PerfCommand& command, const workflow::StepOutputs& outputs) {
  return command.output ? workflow::append_step_outputs(*command.output, outputs) : Result<void>();
}

ExitCode perf_command(const PerfCommand& command, const Console& console) {
  const auto comment = read_comment();
  if (!comment) return console.fail(comment.error());
  const github::SlashCommand asked = github::command_in(*comment);
  const bool is_none = asked.kind == github::SlashCommand::Kind::none;
  // Before anything is done that the next steps have to know of.
  const workflow::StepOutputs none{{"command", "none"}};
  if (const auto written = write_outputs(command, is_none ? none : workflow::StepOutputs()); !written)
    return console.fail(written.error());
  if (is_none) {
    console.out << "no command in this comment\n";
    return ExitCode::ok;
  }
  const auto session = github::open_github(command.repository.value_or(""),
                                           [&](const std::string& note) { console.err << note << '\n'; });
  if (!session) return console.fail(session.error());
  const github::ThreadOptions options{command.name, command.workflow.value_or(""), command.artifact.value_or(""),
                                      command.author.value_or(""), command.key};
  if (command.refused) {
    ThreadAnswer refused;
    refused.why = *command.refused;
    const auto told = github::tell_author(*session->api, *comment, refused, options);
    if (!told) return console.fail(told.error());
    console.out << "refused: " << reports::one_line(refused.why) << '\n';
    return ExitCode::ok;
  }
  const auto answer = github::answer_command(*session->api, *comment, asked, options);
  if (!answer) {
    ThreadAnswer failed;
    failed.why = "error; see the log of the job";
    // The person who asked does not see the job; that GitHub refuses this, too, changes nothing.
    if (answer.error().code != base::ErrorCode::io)
      static_cast<void>(github::tell_author(*session->api, *comment, failed, options));
    return console.fail(answer.error());
  }
  if (const auto written = write_outputs(command, outputs_of(*comment, asked, *answer)); !written)
    return console.fail(written.error());
  console.out << word_of(answer->what) << (answer->why.empty() ? "" : ": " + answer->why) << '\n';
  const auto told = github::tell_author(*session->api, *comment, *answer, options);
  if (told) return ExitCode::ok;
  if (answer->what == ThreadAnswer::What::refused) return console.fail(told.error());
  console.warn(told.error().message);
  return ExitCode::ok;
}

}  // namespace

Invocation define_perf(Options& options) {
  const auto command = std::make_shared<PerfCommand>();
  options.add("--output FILE", &command->output,
              "Append command, case, reason, head, number, login, comment, run and key for the next steps, as in "
              "GITHUB_OUTPUT; command is accept, rerun, refused or none");
  options.add("--workflow FILE|NAME", &command->workflow,
              "The workflow that measures: its file or name (default: the only one that ran for the commit)");
  options.add("--artifact NAME", &command->artifact,
              "Accept only while its run has this artifact, with the measurements");
  repository_option(options, command->repository, "Where the pull request is");
  author_option(options, command->author);
  options.add("--name NAME", &command->name, "Name of the check (torchgate comment --name; default torchgate)");
  options.add("--key KEY", &command->key, "Key of the verdict (torchgate comment --key; default: of the workflow)");
  options
      .add("--refused SENTENCE", &command->refused,
           "Only tell the author that the command was not carried out, and why: where a later step refuses it")
      .excludes("--output");
  options.footer(
      "Only of people with write permission, for the commit whose verdict they have seen. Needs GITHUB_EVENT_PATH, "
      "GITHUB_REPOSITORY and GITHUB_TOKEN (or TORCHGATE_GITHUB_TOKEN) with pull-requests: write, checks: read and "
      "actions: write. Exit codes: 0 done, refused, or no command; 2 usage, bad input, or GitHub refused.");
  return invocation(command, perf_command);
}

}  // namespace torchgate::cli
