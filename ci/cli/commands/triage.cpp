// SPDX-License-Identifier: Apache-2.0
#include "ci/github/triage/triage.hpp"

#include <fmt/format.h>

#include <memory>

#include "ci/cli/command_table.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/github/client/connection.hpp"
#include "ci/github/comment/verdict_key.hpp"
#include "ci/github/triage/triage_text.hpp"
#include "harness/base/named_output.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::cli {
namespace {

struct TriageCommand {
  bool open = false;                  ///< print the open causes
  std::optional<std::string> report;  ///< the JSON report of the default branch
  std::vector<std::string> repairs;   ///< JSON reports of pairs
  std::optional<std::string> states;  ///< absent: the nearest torchgate-triage.toml, if there is one
  std::optional<std::string> json_file;
  std::optional<std::string> repository;
  std::optional<std::string> author;
  std::optional<std::string> key;  ///< absent: the default workflow's
  bool dry_run = false;
};

using Actions = std::vector<github::TriageAction>;

// For `while read -r issue before filter`: the filter has no space in it.
void print_open(const github::TriagePlan& plan, const Console& console) {
  for (const github::OpenCause& each : plan.open) {
    for (const github::Cause& part : github::by_base_commit(each.cause)) {
      if (part.before) {
        console.out << fmt::format("{} {} {}\n", each.number, *part.before, github::case_filter(part));
      } else {
        console.warn(fmt::format("issue {}: the commit before its cause is unknown, so pairs cannot confirm a repair",
                                 each.number));
      }
    }
  }
}

void print_actions(const Actions& actions, bool dry_run, const Console& console) {
  for (const github::TriageAction& each : actions) {
    const std::string issue = each.issue == 0 ? "an issue" : fmt::format("issue {}", each.issue);
    console.out << fmt::format("{}{} {} for {}{}{}\n", dry_run ? "would have " : "", each.action, issue,
                               record::short_commit(each.commit), each.why.empty() ? "" : ": ",
                               reports::one_line(each.why));
  }
  if (actions.empty()) console.out << (dry_run ? "nothing would be done\n" : "nothing to do\n");
}

ExitCode triage_command(const TriageCommand& command, const policy::Policy& policy, const Console& console) {
  // Read, and known to be writable, before anything is sent.
  if (command.json_file) {
    if (const auto writable = base::check_output_writable(*command.json_file); !writable)
      return console.fail(writable.error());
  }
  if (command.key) {
    const auto valid = github::workflow_key(command.key, {}, "");
    if (!valid) return console.fail(valid.error());
  }
  auto facts = github::read_triage({command.report, command.repairs, command.states, command.key}, *policy.today);
  if (!facts) return console.fail(facts.error());
  const auto github = github::open_github(command.repository.value_or(""),
                                          [&](const std::string& note) { console.err << note << '\n'; });
  if (!github) return console.fail(github.error());
  auto session = github::plan_on_github(*github->api, std::move(facts).value(), command.author.value_or(""));
  if (!session) return console.fail(session.error());
  const bool only_look = command.open || command.dry_run;
  Actions actions;
  if (command.open) {
    print_open(session->plan, console);
  } else if (command.dry_run) {
    actions = github::would_do(session->plan);
  } else {
    auto done = github::carry_out(*github->api, *session);
    if (!done) return console.fail(done.error());
    actions = std::move(done).value();
  }
  for (const std::string& note : session->plan.notes) console.err << "note: " << reports::one_line(note) << '\n';
  if (!command.open) print_actions(actions, command.dry_run, console);
  if (command.json_file) {
    const auto written =
        base::write_output_file(*command.json_file, github::triage_json(session->plan, actions, only_look));
    if (!written) return console.fail(written.error());
  }
  return ExitCode::ok;
}

}  // namespace

Invocation define_triage(Options& options) {
  const auto command = std::make_shared<TriageCommand>();
  options.add("--report FILE", &command->report,
              "The report of `torchgate gate --json` of a commit of the default branch");
  options.add("--repairs FILE", &command->repairs,
              "The report of `torchgate ab --json` with the commit before a cause and a later one (repeatable); an "
              "issue whose cases are all repaired is closed");
  options
      .add("--open", &command->open,
           "Print the open causes, then exit: one per line with issue, commit before it and --filter of its cases")
      .excludes("--report")
      .excludes("--repairs");
  options.add("--states FILE", &command->states,
              "The reviewed triage file (default: the nearest torchgate-triage.toml upwards, if there is one)");
  options.add("--json FILE", &command->json_file, "Also write what was done and what is open as JSON");
  repository_option(options, command->repository, "Where the issues are");
  author_option(options, command->author);
  options.add("--key KEY", &command->key,
              "Of two workflows that measure: whose issues (torchgate comment --key; default performance)");
  options.add("--dry-run", &command->dry_run, "Only print what would be done");
  options.footer(
      "Needs GITHUB_TOKEN (or TORCHGATE_GITHUB_TOKEN) with issues: write (read with --open and --dry-run), and "
      "GITHUB_REPOSITORY. Exit codes: 0 done; 2 usage, bad input, or GitHub refused.");
  return invocation(command, triage_command);
}

}  // namespace torchgate::cli
