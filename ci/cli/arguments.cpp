// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "ci/workflow/recorded_files.hpp"
#include "ci/workflow/version.hpp"

namespace torchgate::cli {
namespace {

constexpr const char* overview = R"(torchgate: did this change make it slower, and can I trust the answer?

  torchgate run --save before        measure all suites and keep the numbers
  torchgate compare before           measure again and compare
  torchgate ab --before A --after B  two builds in alternation: the most trustworthy answer
  torchgate baseline add NAME        keep a run as its commit's baseline
  torchgate gate                     judge the newest run against its baseline, confirm suspects
  torchgate accept CASE --reason WHY let a slow-down pass: for a reason, up to a ceiling, for a time
  torchgate run --resume             go on with a run that was interrupted
  torchgate merge FILE...            one run of the shards of a matrix (run --shard i/n)
  torchgate doctor                   is this machine fit to be measured on, and how to mend it
  torchgate calibrate                what this machine can see, and which rule cries wolf on it
  torchgate explain CASE             why a case's time changed: operators, counters, processes
  torchgate history CASE             where the level of a case changed over the stored runs)";

constexpr const char* exit_codes =
    "Exit codes: 0 no regression; 1 something fails the policy; 2 usage, bad input or internal error; 3 no verdict "
    "possible (no baseline, another host, shards missing).\nSettings: torchgate.toml (found upwards from here), "
    "TORCHGATE_<SECTION>_<KEY>, flags.";

void policy_flag(CLI::App& app, PolicyFlags& flags, const std::string& flag, const char* key, const std::string& help) {
  app.add_option_function<std::string>(
      flag, [&flags, key](const std::string& value) { flags.emplace_back(key, value); }, help);
}

void measure_flags(CLI::App& app, MeasureFlags& flags) {
  app.add_option("--filter", flags.filter, "Measure only cases whose name matches this regular expression (RE2 syntax)")
      ->option_text("REGEX");
  app.add_flag("--quick", flags.quick, "A fifth of the time, with less power");
  app.add_option("--seed", flags.seed, "Seed of all random orders (default: drawn, and recorded)")->option_text("N");
}

void show_flags(CLI::App& app, ShowFlags& flags) {
  app.add_option("--markdown", flags.markdown_file, "Write the report as Markdown too")->option_text("FILE");
  app.add_option("--json", flags.json_file, "Write the report as JSON too")->option_text("FILE");
  app.add_flag("--quiet", flags.quiet, "Print no report");
  app.add_flag("--verbose", flags.verbose, "Name every case, also those within the margin");
}

void noisy_flag(CLI::App& app, PolicyFlags& flags) {
  app.add_flag_callback(
      "--allow-noisy", [&flags] { flags.emplace_back("gate.allow_noisy", "true"); },
      "Judge times although the machine was unfit (torchgate doctor); the report says so. Of `run`: recorded only");
}

void judging_flags(CLI::App& app, PolicyFlags& flags) {
  noisy_flag(app, flags);
  policy_flag(app, flags, "--rule", "gate.rule", "Who judges: default, textbook, welch, history, paired or exact");
  policy_flag(app, flags, "--gate", "gate.latency", "Share from which a regression fails the build (0.05)");
}

void policy_from_flag(CLI::App& app, std::optional<std::string>& policy_from) {
  app.add_option("--policy-from", policy_from,
                 "Judge by torchgate.toml and waivers of this commit (in a pull request: the base branch, unasked)")
      ->option_text("REF");
}

void limit_flags(CLI::App& app, PolicyFlags& flags) {
  policy_flag(app, flags, "--threads", "run.threads", "Intra-operator threads of a suite (1)");
  policy_flag(app, flags, "--group-limit", "run.group_limit_s", "Seconds after which one process is killed (600)");
  policy_flag(app, flags, "--total-limit", "run.total_limit_s", "Seconds after which no more processes start (18000)");
}

// "--resume" takes the only unfinished run, "--resume ID" that one.
void resume_flag(CLI::App& app, std::optional<std::string>& resume, const std::string& help) {
  // CLI11 hands over "true" where an optional value was left out.
  app.add_option_function<std::string>(
         "--resume", [&resume](const std::string& value) { resume = value == "true" ? "" : value; }, help)
      ->expected(0, 1)
      ->option_text("[ID]");
}

void recorded_files_flag(CLI::App& app, bool& run_recorded_files, const std::string& where) {
  app.add_flag(run_recorded_files_flag, run_recorded_files,
               where +
                   "run programs that a record names although this workspace never launched them (default: only what "
                   "it launched, and what the store keeps): for a job that may run any code, and records you trust");
}

// Owns what the options write into while CLI11 parses.
struct Parsed {
  PolicyFlags policy;
  std::optional<std::string> policy_file;
  std::optional<std::string> policy_from;
  RunCommand run;
  CompareCommand compare;
  GateCommand gate;
  AbCommand ab;
  AcceptCommand accept;
  BaselineAdd add;
  BaselineList list;
  BaselineShow show;
  CalibrateCommand calibrate;
  ImportCommand import;
  MergeCommand merge;
  ReportCommand report;
  HistoryCommand history;
  ExplainCommand explain;
  DoctorCommand doctor;
};

void define_run(CLI::App& app, Parsed& parsed) {
  CLI::App& run = *app.add_subcommand("run", "Measure suites and keep the numbers");
  run.add_option("--suite,--suite-dir", parsed.run.suites,
                 "A suite executable, or a folder of them (repeatable; default: run.suites of torchgate.toml)")
      ->option_text("PATH");
  measure_flags(run, parsed.run.measure);
  run.add_option("--save", parsed.run.save, "Keep the run under this name (replaces an older one)")
      ->option_text("NAME");
  policy_flag(run, parsed.policy, "--processes", "run.processes", "Processes per group (5): the unit of evidence");
  limit_flags(run, parsed.policy);
  noisy_flag(run, parsed.policy);
  run.add_option("--shard", parsed.run.shard,
                 "Measure part I of N of the groups (from 1); all N with the same flags, then `torchgate merge`")
      ->option_text("I/N");
  run.add_option("--shards", parsed.run.shards,
                 "Divide the groups among N machines by what they took before, write --plan, and stop")
      ->option_text("N")
      ->check(CLI::Range(2, 256));
  run.add_option("--plan", parsed.run.plan, "The division: written by --shards N, used by --shard I/N")
      ->option_text("FILE");
  resume_flag(run, parsed.run.resume, "Go on with a run that was interrupted or killed: its plan, its seed, its name");
  recorded_files_flag(run, parsed.run.run_recorded_files, "With --resume: ");
  run.add_flag("--list", parsed.run.list, "Say what would run and for how long, and stop");
  run.add_flag("--json", parsed.run.json, "With --list: for a machine");
}

void define_ab(CLI::App& app, Parsed& parsed) {
  AbCommand& command = parsed.ab;
  CLI::App& ab = *app.add_subcommand("ab", "Measure two builds or commits in interleaved pairs and judge them");
  ab.add_option("--before", command.before, "The old side: a suite, a folder of suites (repeatable), or a commit")
      ->option_text("PATH|COMMIT");
  ab.add_option("--after", command.after, "The new side; a path that exists wins over a commit of the same name")
      ->option_text("PATH|COMMIT");
  ab.add_option(
        "--build", command.build,
        "How a commit is built: for /bin/sh, in a work tree below .torchgate that is removed again; {dir} is its "
        "path; submodules are yours to fetch")
      ->option_text("CMD");
  ab.add_option("--suites", command.suites,
                "Where a commit's suites are then, relative to its work tree (repeatable; default: run.suites)")
      ->option_text("PATH");
  ab.add_option("--budget", command.budget,
                "Start no pair after this time (90s, 5m, 1h30m; building not counted), or after so many pairs of all "
                "groups together (\"24 pairs\"): what is not decided then is inconclusive")
      ->option_text("BUDGET");
  ab.add_option("--plan", command.plan,
                "Measure the suspects of `torchgate gate --suspects FILE` instead, and judge nothing")
      ->option_text("FILE");
  policy_flag(ab, parsed.policy, "--store", "baseline.store",
              "With --plan: where baselines are kept (.torchgate/store)");
  resume_flag(ab, command.resume, "Go on with pairs that were interrupted or killed");
  recorded_files_flag(ab, command.run_recorded_files, "With --plan or --resume: ");
  ab.add_flag("--every-pair", command.every_pair, "Measure all pairs, also when the answer is clear: to study pairs");
  ab.add_option("--vary", command.vary, "A fact that differs on purpose, such as libtorch: no doubt (repeatable)")
      ->option_text("NAME")
      ->take_all();
  measure_flags(ab, command.measure);
  policy_flag(ab, parsed.policy, "--pairs", "gate.pairs",
              "Pairs of processes per group, at most (48): a group stops when its cases are decided");
  ab.add_option("--save", command.save, "Keep the pairs under this name")->option_text("NAME");
  limit_flags(ab, parsed.policy);
  judging_flags(ab, parsed.policy);
  policy_from_flag(ab, parsed.policy_from);
  show_flags(ab, command.show);
}

void define_judging(CLI::App& app, Parsed& parsed) {
  CLI::App& compare = *app.add_subcommand("compare", "Compare two runs; with one, measure again and compare");
  compare
      .add_option("before", parsed.compare.before, "A run: its name, its file or its id; or another tool's result file")
      ->required();
  compare.add_option("after", parsed.compare.after, "Another run; absent: measure now what BEFORE measured");
  recorded_files_flag(compare, parsed.compare.run_recorded_files, "Without AFTER: ");
  judging_flags(compare, parsed.policy);
  policy_from_flag(compare, parsed.policy_from);
  show_flags(compare, parsed.compare.show);

  CLI::App& gate = *app.add_subcommand("gate", "Judge a run against its baseline and confirm what it suspects");
  gate.add_option("run", parsed.gate.run, "The run to judge (default: the newest)");
  gate.add_option(
          "--against", parsed.gate.against,
          "Judge against this run instead of the commit's baseline (repeatable: nearest first, the others pooled)")
      ->option_text("RUN");
  policy_flag(gate, parsed.policy, "--store", "baseline.store", "Where baselines are kept (.torchgate/store)");
  policy_flag(gate, parsed.policy, "--confirm", "gate.confirm",
              "none, regressions or all: which suspects to measure again in pairs");
  policy_flag(gate, parsed.policy, "--unconfirmed", "gate.unconfirmed",
              "warn, beyond or fail: what an unconfirmed suspect does");
  policy_flag(gate, parsed.policy, "--pairs", "gate.pairs", "Interleaved pairs of a confirmation, at most (48)");
  gate.add_option("--seed", parsed.gate.seed,
                  "Seed of the confirmation's random order (default: follows from both runs)")
      ->option_text("N");
  CLI::Option* suspects =
      gate.add_option("--suspects", parsed.gate.suspects,
                      "Measure nothing: write what has to be confirmed there, for `torchgate ab --plan` in another job")
          ->option_text("FILE");
  gate.add_option(
          "--pairs-from", parsed.gate.pairs_from,
          "Measure nothing: judge these pairs of `torchgate ab --plan`, after checking that they are this plan's")
      ->option_text("FILE")
      ->excludes(suspects);
  recorded_files_flag(gate, parsed.gate.run_recorded_files, "To confirm suspects, ");
  limit_flags(gate, parsed.policy);
  judging_flags(gate, parsed.policy);
  policy_from_flag(gate, parsed.policy_from);
  show_flags(gate, parsed.gate.show);

  define_ab(app, parsed);
}

void define_accept(CLI::App& app, Parsed& parsed) {
  AcceptCommand& command = parsed.accept;
  CLI::App& accept = *app.add_subcommand("accept", "Let a slow-down pass: append a waiver to the reviewed file");
  accept.add_option("cases", command.cases, "Cases by their full names, as the report has them")
      ->required()
      ->option_text("CASE...");
  accept.add_option("--reason", command.reason, "Why it is accepted, for whoever reads it later")
      ->required()
      ->option_text("TEXT");
  accept.add_option("--metric", command.metric, "Only this metric (default: all of the case that fails)")
      ->option_text("NAME");
  accept
      .add_option("--ceiling", command.ceiling,
                  "Largest slow-down that passes: 12% or 0.12; of an exact metric the largest value (default: what was "
                  "measured, rounded up to a whole per cent)")
      ->option_text("CEILING");
  accept.add_option("--expires", command.expires, "Last day: 90d from today, or 2027-01-31 (90d)")->option_text("WHEN");
  accept.add_option("--report", command.report, "The report to accept from (default: the newest of `torchgate gate`)")
      ->option_text("FILE");
}

void define_keeping(CLI::App& app, Parsed& parsed) {
  CLI::App& baseline = *app.add_subcommand("baseline", "Keep runs as baselines, and look at them");
  baseline.require_subcommand(1);
  CLI::App& add = *baseline.add_subcommand("add", "Keep a run and what it ran as the baseline of its commit");
  add.add_option("run", parsed.add.run, "The run: name, file or id")->required();
  add.add_flag("--uncommitted", parsed.add.uncommitted, "Keep a run of a modified tree too, as no commit's baseline");
  add.add_flag("--without-objects", parsed.add.without_objects,
               "Do not keep executables and libraries: suspects cannot be confirmed later");
  CLI::App& list = *baseline.add_subcommand("list", "The runs of this host, oldest first");
  list.add_flag("--all-hosts", parsed.list.all_hosts, "List runs of all hosts (the default)");
  list.add_flag("--json", parsed.list.json, "For a machine");
  CLI::App& show = *baseline.add_subcommand("show", "What one stored run measured");
  show.add_option("run", parsed.show.run, "Its id, or the beginning of it")->required();
  show_flags(show, parsed.show.show);
  for (CLI::App* command : {&add, &list, &show}) {
    policy_flag(*command, parsed.policy, "--store", "baseline.store", "Where baselines are kept (.torchgate/store)");
  }

  CLI::App& importing = *app.add_subcommand("import", "Keep other tools' result files as one run");
  importing
      .add_option("files", parsed.import.files,
                  "Google Benchmark's JSON, one file per process (--benchmark_out=FILE --benchmark_repetitions=N)")
      ->required()
      ->option_text("FILE...");
  importing.add_option("--save", parsed.import.save, "Keep the run under this name (replaces an older one)")
      ->option_text("NAME");

  CLI::App& merge = *app.add_subcommand("merge", "One run of the shards of one plan (run --shard i/n)");
  merge.add_option("files", parsed.merge.files, "The shards: names, files or ids, in any order")
      ->required()
      ->option_text("FILE...");
  merge.add_option("--save", parsed.merge.save, "Keep the run under this name (replaces an older one)")
      ->option_text("NAME");
  merge.footer(
      "Exit codes: 0 complete; 2 the files do not belong together; 3 shards are missing (what is there is kept, "
      "and never passes), or were measured on different hosts.");

  CLI::App& report = *app.add_subcommand("report", "Show a run, or two runs compared, in another format");
  report.add_option("run", parsed.report.run, "A run (of one side, or pairs): name, file or id")->required();
  report.add_option("other", parsed.report.other, "Compare: RUN is before, OTHER after");
  report.add_option("--format", parsed.report.format, "terminal, markdown or json")->option_text("NAME");
  report.add_option("--output,-o", parsed.report.output, "Write to this file")->option_text("FILE");
  report.add_flag("--verbose", parsed.report.verbose, "Name every case");
  judging_flags(report, parsed.policy);
}

void define_calibrate(CLI::App& app, Parsed& parsed) {
  CLI::App& calibrate =
      *app.add_subcommand("calibrate", "Measure the same build again and again: what this machine can see");
  calibrate
      .add_option("--suite,--suite-dir", parsed.calibrate.suites,
                  "A suite executable, or a folder of them (repeatable; default: run.suites of torchgate.toml)")
      ->option_text("PATH");
  calibrate.add_option("--runs", parsed.calibrate.runs, "Runs to measure (6)")
      ->option_text("N")
      ->check(CLI::Range(3, 1000));
  calibrate.add_option("--from", parsed.calibrate.from, "Use these runs, oldest first, instead of measuring")
      ->option_text("RUN");
  calibrate.add_option("--run-cost", parsed.calibrate.run_cost_s, "Seconds a run costs before its first process (30)")
      ->option_text("SECONDS")
      ->check(CLI::PositiveNumber);
  calibrate.add_option("--json", parsed.calibrate.json_file, "Write the calibration as JSON too")->option_text("FILE");
  measure_flags(calibrate, parsed.calibrate.measure);
  policy_flag(calibrate, parsed.policy, "--processes", "run.processes", "Processes per group (5)");
  policy_flag(calibrate, parsed.policy, "--store", "baseline.store", "Where it is kept (.torchgate/store)");
  limit_flags(calibrate, parsed.policy);
}

void define_history(CLI::App& app, Parsed& parsed) {
  HistoryCommand& command = parsed.history;
  CLI::App& history = *app.add_subcommand("history", "One case over the stored runs: where its level changed");
  history.add_option("case", command.case_name, "The case, by its full name")->required();
  policy_flag(history, parsed.policy, "--store", "baseline.store", "Where baselines are kept (.torchgate/store)");
  history.add_option("--alpha", command.alpha,
                     "Chance of any change of level in a series without one (0.001; 0.01 to look around)");
  policy_flag(history, parsed.policy, "--margin", "gate.margin", "Smallest relative change of level to report (0.01)");
  history.add_option("--host", command.host, "Runs of this host key instead of this machine's")->option_text("KEY");
  history.add_flag("--uncommitted", command.uncommitted, "Take runs of modified trees, and of no commit, too");
  history.add_option("--json", command.json_file, "Write it as JSON too")->option_text("FILE");
  history.add_flag("--quiet", command.quiet, "Print nothing");
  history.add_flag("--verbose", command.verbose, "List every run");
}

void define_explain(CLI::App& app, Parsed& parsed) {
  ExplainCommand& command = parsed.explain;
  CLI::App& explain = *app.add_subcommand("explain", "Why a case's time changed: operators, counters, processes");
  explain.add_option("case", command.case_name, "The case, by its full name")->required();
  explain.add_option("before", command.before,
                     "A run, or pairs that `ab` kept (default: the newest run against its baseline)");
  explain.add_option("after", command.after, "A second run; absent: both sides of BEFORE, which are pairs");
  policy_flag(explain, parsed.policy, "--store", "baseline.store", "Where baselines are kept (.torchgate/store)");
  explain.add_option("--json", command.json_file, "Write it as JSON too")->option_text("FILE");
  explain.add_flag("--quiet", command.quiet, "Print nothing");
  explain.add_flag("--verbose", command.verbose, "List every operator");
}

void define_doctor(CLI::App& app, Parsed& parsed) {
  CLI::App& doctor = *app.add_subcommand("doctor", "Is this machine fit to be measured on, and how to mend it");
  doctor.add_flag("--json", parsed.doctor.json, "For a machine");
  policy_flag(doctor, parsed.policy, "--threads", "run.threads", "Intra-operator threads of a suite (1)");
  doctor.footer("Exit codes: 0 nothing is fatal; 3 something is: times measured here would not be judged; 2 usage.");
}

Command chosen(const CLI::App& app, const Parsed& parsed) {
  if (app.got_subcommand("run")) return parsed.run;
  if (app.got_subcommand("compare")) return parsed.compare;
  if (app.got_subcommand("gate")) return parsed.gate;
  if (app.got_subcommand("ab")) return parsed.ab;
  if (app.got_subcommand("accept")) return parsed.accept;
  if (app.got_subcommand("calibrate")) return parsed.calibrate;
  if (app.got_subcommand("import")) return parsed.import;
  if (app.got_subcommand("merge")) return parsed.merge;
  if (app.got_subcommand("report")) return parsed.report;
  if (app.got_subcommand("history")) return parsed.history;
  if (app.got_subcommand("explain")) return parsed.explain;
  if (app.got_subcommand("doctor")) return parsed.doctor;
  const CLI::App* baseline = app.get_subcommand("baseline");
  if (baseline->got_subcommand("add")) return BaselineCommand{parsed.add};
  if (baseline->got_subcommand("list")) return BaselineCommand{parsed.list};
  return BaselineCommand{parsed.show};
}

}  // namespace

Arguments parse_arguments(const std::vector<std::string>& arguments) {
  const auto parsed = std::make_unique<Parsed>();
  CLI::App app{overview, "torchgate"};
  app.set_version_flag("--version", std::string("torchgate ") + workflow::version);
  app.footer(exit_codes);
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option("--config", parsed->policy_file, "Policy file instead of the torchgate.toml found upwards from here")
      ->option_text("FILE");
  define_run(app, *parsed);
  define_judging(app, *parsed);
  define_accept(app, *parsed);
  define_keeping(app, *parsed);
  define_calibrate(app, *parsed);
  define_history(app, *parsed);
  define_explain(app, *parsed);
  define_doctor(app, *parsed);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // what CLI11's vector overload takes
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream err;
    const int code = app.exit(error, out, err);
    return {Message{code == 0 ? out.str() : err.str(), code != 0}, {}, {}, {}};
  }
  return {chosen(app, *parsed), parsed->policy, parsed->policy_file, parsed->policy_from};
}

}  // namespace torchgate::cli
