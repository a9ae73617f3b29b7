// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/bisect/bisect.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ci/cli/command_table.hpp"
#include "ci/cli/progress.hpp"
#include "ci/cli/shared_options.hpp"
#include "ci/github/comment/last_report.hpp"
#include "ci/workflow/bisect/bisect_state.hpp"
#include "ci/workflow/measure/effort.hpp"
#include "harness/base/named_output.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/record/sampling.hpp"

namespace torchgate::cli {
namespace {

struct BisectCommand {
  std::vector<std::string> cases;
  std::optional<std::string> from;
  std::optional<std::string> good;
  std::optional<std::string> bad;
  std::optional<std::string> build;
  std::vector<std::string> suites;
  bool first_parent = false;
  std::int64_t most_pairs = 24;
  workflow::Effort measure;
  bool resume = false;
  std::optional<std::string> json;
};

// The cases of a JSON report that fail the gate because they became slower.
base::Result<std::vector<std::string>> failing_cases(const github::SavedReport& report, const std::string& file) {
  std::vector<std::string> cases;
  for (const github::ReportedFinding& finding : report.findings) {
    const bool slower = finding.verdict == reports::to_string(reports::Verdict::regressed) ||
                        finding.verdict == reports::to_string(reports::Verdict::suspected);
    // What is searched for is a time: memory and counters that grew have no pairs.
    if (slower && !finding.exact && finding.action == reports::to_string(reports::GateAction::fail))
      cases.push_back(finding.case_name);
  }
  if (!cases.empty()) return cases;
  return base::Error{base::ErrorCode::bad_input,
                     file + ": no case of this report fails because it became slower; name the cases"};
}

base::Result<workflow::BisectResult> bisect(const BisectCommand& command, const policy::Policy& policy,
                                            workflow::Narrator& narrator) {
  if (command.resume && !command.cases.empty())
    return base::Error{base::ErrorCode::bad_input,
                       "--resume continues with the cases of the interrupted bisection; name no cases"};
  if (command.resume) return workflow::resume_bisection(policy, narrator);
  if (!command.good || !command.bad || !command.build)
    return base::Error{base::ErrorCode::bad_input, "bisect needs --good, --bad and --build, or --resume"};
  workflow::BisectChoice choice{*command.good,           *command.bad,       *command.build,
                                command.suites,          command.cases,      command.first_parent,
                                command.measure.profile, command.most_pairs, command.measure.warmup_calls,
                                command.measure.samples};
  if (command.from) {
    const auto report = github::load_report(*command.from, "--from");
    if (!report) return report.error();
    auto cases = failing_cases(*report, *command.from);
    if (!cases) return cases.error();
    choice.cases.insert(choice.cases.end(), cases->begin(), cases->end());
    // What only few calls of warm-up show, pairs with more of them do not; and the longest cases exist with --full only.
    if (choice.profile == record::Sampling{}.profile) choice.profile = report->sampling.profile;
    if (!choice.warmup_calls) choice.warmup_calls = report->sampling.warmup_calls;
    if (!choice.samples) choice.samples = report->sampling.samples;
  }
  return workflow::bisect(choice, policy, narrator);
}

ExitCode bisect_command(const BisectCommand& command, const policy::Policy& policy, const Console& console) {
  if (command.json) {
    if (const auto writable = base::check_output_writable(*command.json); !writable)
      return console.fail(writable.error());
  }
  ConsoleNarrator narrator(console);
  // Before the first work tree, and until the last one is gone: Ctrl-C asks to stop, and leaves time to clean up.
  const process::InterruptScope interruptible;
  const auto result = bisect(command, policy, narrator);
  if (!result) {
    base::Error error = result.error();
    const auto state = workflow::load_bisect_state();
    const bool kept = state && *state && !(*state)->finished && !(*state)->changed.empty();
    if (kept || error.code == base::ErrorCode::interrupted)
      error.message +=
          "; continue with `torchgate bisect --resume`, which builds both ends again and keeps what was measured";
    return console.fail(error);
  }
  console.out << workflow::bisect_text(*result);
  if (command.json) {
    const auto written = base::write_output_file(*command.json, workflow::bisect_json(*result));
    if (!written) return console.fail(written.error());
  }
  return result->decided() ? ExitCode::ok : ExitCode::no_verdict;
}

}  // namespace

Invocation define_bisect(Options& options) {
  const auto command = std::make_shared<BisectCommand>();
  options.add(
      "case", &command->cases,
      "Full case names, or regular expressions (RE2 syntax) that are searched in case names (default: all cases)");
  options.add(
      "--from FILE", &command->from,
      "The cases that fail in a JSON report because they became slower, measured with the profile, --warmup and "
      "--samples of its run");
  options.add("--good COMMIT", &command->good, "A commit before the slow-down: an ancestor of --bad");
  options.add("--bad COMMIT", &command->bad, "A commit with the slow-down");
  options.add("--build CMD", &command->build,
              "Shell command that builds a commit, run in a temporary work tree below .torchgate; {dir} is its path, "
              "quoted for the shell; a commit whose build fails is skipped; submodules are not fetched");
  options
      .add("--suites PATH", &command->suites,
           "The built suites, relative to the work tree (repeatable; default: run.suites)")
      .one_value_each();
  options.add("--first-parent", &command->first_parent, "Do not look into merged branches");
  profile_options(options, command->measure);
  sampling_options(options, command->measure);
  options
      .add("--step-pairs N", &command->most_pairs,
           "Pairs of a step with one end, at most (default 24); a commit that is not decided then is skipped")
      .from_to(4, 1000);
  Option resume =
      options.add("--resume", &command->resume, "Continue the bisection that was interrupted, with its options");
  for (const char* const other : {"--from", "--good", "--bad", "--build", "--suites", "--first-parent", "--quick",
                                  "--full", "--warmup", "--samples", "--step-pairs"})
    resume.excludes(other);
  options.add("--json FILE", &command->json, "Also write the answer as JSON");
  options.key("--pairs N", "gate.pairs", "Maximum number of pairs of both ends, and of the last check (default 48)");
  limit_options(options);
  resume.excludes("--device-metric");
  judging_options(options);
  policy_from_option(options);
  options.footer(
      "Exit codes: 0 found, 2 bad input or internal error, 3 not decided, or no slow-down between the ends, 130 "
      "interrupted (--resume continues)");
  return invocation(command, bisect_command);
}

}  // namespace torchgate::cli
