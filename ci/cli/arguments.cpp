// SPDX-License-Identifier: Apache-2.0
// The options of every command. Over 400 lines because CLI11 is slow to compile: one file includes it.
#include "ci/cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "ci/cli/help_text.hpp"
#include "ci/workflow/version.hpp"
#include "ci/workflow/workspace/recorded_files.hpp"
#include "harness/base/limits.hpp"
#include "reports/formats/registry.hpp"

namespace torchgate::cli {
namespace {

void policy_flag(CLI::App& app, PolicyFlags& flags, const std::string& flag, const char* key, const std::string& help) {
  app.add_option_function<std::string>(
      flag, [&flags, key](const std::string& value) { flags.emplace_back(key, value); }, help);
}

// 0.1.0 is unreleased: an old name is an error that names the new one, not an alias.
void retired_flag(CLI::App& app, const std::string& old_name, const std::string& new_name) {
  app.add_option_function<std::string>(old_name,
                                       [old_name, new_name](const std::string&) {
                                         throw CLI::ValidationError(old_name + " was renamed; use " + new_name);
                                       })
      ->group("");
}

// Which cases to measure, and how thoroughly.
void effort_flags(CLI::App& app, MeasureFlags& flags) {
  app.add_option("--filter", flags.filter, "Measure only cases whose name matches this regular expression (RE2 syntax)")
      ->option_text("REGEX");
  CLI::Option* const quick = app.add_flag_callback(
      "--quick", [&flags] { flags.profile = "quick"; }, "Take a fifth of the time, with less statistical power");
  app.add_flag_callback(
         "--full", [&flags] { flags.profile = "full"; },
         "Measure also the cases that are too long for every run (those that suites mark with only_in(\"full\"))")
      ->excludes(quick);
  app.add_flag("--instructions", flags.instructions,
               "Also count the instructions of each case, in processes that time nothing (with the CPU's counter, or "
               "Callgrind); "
               "--quick counts one call");
  app.add_option("--counter", flags.counter, "With --instructions: any, callgrind or hardware")
      ->option_text("NAME")
      ->check(CLI::IsMember({"any", "callgrind", "hardware"}));
}

void measure_flags(CLI::App& app, MeasureFlags& flags) {
  effort_flags(app, flags);
  app.add_option("--seed", flags.seed, "Seed of all random orders (default: random; it is recorded)")->option_text("N");
}

// "terminal, markdown or json".
template <class Model>
std::string format_names() {
  const auto formats = reports::formats_of<Model>();
  std::string names;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    names += i == 0 ? "" : i + 1 == formats.size() ? " or " : ", ";
    names += formats[i].name;
  }
  return names;
}

void write_flag(CLI::App& app, ShowFlags& flags, const std::string& format, const std::string& words) {
  app.add_option_function<std::string>(
         "--" + format, [&flags, format](const std::string& file) { flags.write.push_back(format + "=" + file); },
         words)
      ->option_text("FILE");
}

// What every command that ends with a result takes. `--json FILE` and its like are short for `--write json=FILE`.
template <class Model>
void show_flags(CLI::App& app, ShowFlags& flags, const std::string& what, const std::string& verbose) {
  app.add_option("--format", flags.format, "Print this format (default terminal): " + format_names<Model>())
      ->option_text("NAME");
  app.add_option("--write", flags.write, "Also write a file in one of these formats (repeatable)")
      ->option_text("NAME=FILE");
  write_flag(app, flags, "json", "Also write " + what + " as JSON");
  if (reports::find_format<Model>("markdown") != nullptr)
    write_flag(app, flags, "markdown", "Also write " + what + " as Markdown");
  if (reports::find_format<Model>("html") != nullptr)
    write_flag(app, flags, "html", "Also write " + what + " as one HTML page");
  app.add_flag("--quiet", flags.quiet, "Do not print " + what);
  if (!verbose.empty()) app.add_flag("--verbose", flags.verbose, verbose);
}

void show_report_flags(CLI::App& app, ShowFlags& flags) {
  show_flags<reports::Report>(app, flags, "the report", "List every case, including those within the margin");
}

void noisy_flag(CLI::App& app, PolicyFlags& flags) {
  app.add_flag_callback(
      "--allow-noisy", [&flags] { flags.emplace_back("gate.allow_noisy", "true"); },
      "Judge times even if the machine was unfit (torchgate doctor); the report shows it. With `run`: recorded only");
}

void better_flag(CLI::App& app, PolicyFlags& flags) {
  app.add_option_function<std::vector<std::string>>(
         "--better",
         [&flags](const std::vector<std::string>& words) {
           for (const std::string& word : words) flags.emplace_back("import.better", word);
         },
         "Direction of a metric, unit or benchmark that the file leaves open (repeatable; \"*\" is all others; also "
         "import.better)")
      ->option_text("NAME=higher|lower")
      ->allow_extra_args(false);
}

void judging_flags(CLI::App& app, PolicyFlags& flags) {
  better_flag(app, flags);
  noisy_flag(app, flags);
  policy_flag(app, flags, "--rule", "gate.rule",
              "Statistical rule: default, textbook, welch, history, paired or exact");
  policy_flag(app, flags, "--gate", "gate.latency",
              "Fail the build on a confirmed slow-down of at least this fraction (default 0.05)");
}

void policy_from_flag(CLI::App& app, std::optional<std::string>& policy_from) {
  app.add_option("--policy-from", policy_from,
                 "Read torchgate.toml and waivers from this commit (default in a pull request: the base branch)")
      ->option_text("REF");
}

void waivers_flag(CLI::App& app, std::vector<std::string>& files) {
  app.add_option("--waivers", files,
                 "Also apply the waivers of this file (repeatable); one of the same case and metric replaces the "
                 "policy's. Trusted, also in a pull request: name no file of the change")
      ->option_text("FILE")
      ->allow_extra_args(false);
}

void limit_flags(CLI::App& app, PolicyFlags& flags) {
  policy_flag(app, flags, "--threads", "run.threads", "Intra-operator threads of a suite (default 1)");
  policy_flag(app, flags, "--allocator", "run.allocator",
              "malloc of the suites: steady (default) or system (as the C library does it)");
  policy_flag(app, flags, "--group-limit", "run.group_limit_s", "Kill a process after this many seconds (default 600)");
  policy_flag(app, flags, "--total-limit", "run.total_limit_s",
              "Start no more processes after this many seconds (default 18000)");
}

void budget_flag(CLI::App& app, PolicyFlags& flags) {
  policy_flag(
      app, flags, "--budget", "gate.budget",
      "Time for interleaved pairs of suspects and undecided cases: 5m, \"200 pairs\", none (suspects only), or run "
      "(default: suspects first, then as long as the run took)");
}

// "--resume" resumes the only unfinished run, "--resume ID" that one.
void resume_flag(CLI::App& app, std::optional<std::string>& resume, const std::string& help) {
  // CLI11 hands over "true" where an optional value was left out.
  app.add_option_function<std::string>(
         "--resume", [&resume](const std::string& value) { resume = value == "true" ? "" : value; }, help)
      ->expected(0, 1)
      ->option_text("[ID]");
}

void recorded_files_flag(CLI::App& app, bool& run_recorded_files, const std::string& where) {
  app.add_flag(workflow::run_recorded_files_flag, run_recorded_files,
               where +
                   "run recorded programs that this workspace has not launched before (default: only those, and the "
                   "copies in the store); use it only in a job that may run any code, with records that you trust");
}

// Owns what the options write into while CLI11 parses.
struct Parsed {
  PolicyFlags policy;
  std::optional<std::string> policy_file;
  std::optional<std::string> policy_from;
  std::vector<std::string> waiver_files;
  RunCommand run;
  CompareCommand compare;
  GateCommand gate;
  AbCommand ab;
  AcceptCommand accept;
  BaselineAdd add;
  BaselineList list;
  BaselineShow show;
  BaselinePull pull;
  BaselinePush push;
  BaselinePin pin;
  BaselineUnpin unpin;
  CalibrateCommand calibrate;
  CommentCommand comment;
  ImportCommand import;
  MergeCommand merge;
  PerfCommand perf;
  ReportCommand report;
  HistoryCommand history;
  ExplainCommand explain;
  AdviseCommand advise;
  DoctorCommand doctor;
  UnpackCommand unpack;
  TriageCommand triage;
};

void define_run(CLI::App& app, Parsed& parsed) {
  CLI::App& run = *app.add_subcommand("run", "Measure suites and save the results");
  run.add_option("--suite,--suite-dir", parsed.run.suites,
                 "Suite executable, or folder of suites (repeatable; default: run.suites in torchgate.toml)")
      ->option_text("PATH");
  measure_flags(run, parsed.run.measure);
  run.add_option("--save", parsed.run.save, "Save the run under this name (replaces an existing one)")
      ->option_text("NAME");
  policy_flag(run, parsed.policy, "--processes", "run.processes", "Processes per group (default 5)");
  limit_flags(run, parsed.policy);
  policy_from_flag(run, parsed.policy_from);
  noisy_flag(run, parsed.policy);
  better_flag(run, parsed.policy);
  run.add_option("--shard", parsed.run.shard,
                 "Measure shard I of N (from 1); run all N with the same flags, then `torchgate merge`")
      ->option_text("I/N");
  run.add_option("--shards", parsed.run.shards,
                 "Write a --shard-plan that splits the groups into N shards by their previous run time, then exit")
      ->option_text("N")
      ->check(CLI::Range(std::int64_t{2}, base::max_shards));
  run.add_option("--shard-plan", parsed.run.plan, "Shard plan: written with --shards N, read with --shard I/N")
      ->option_text("FILE");
  retired_flag(run, "--plan", "--shard-plan FILE");
  resume_flag(run, parsed.run.resume, "Resume an interrupted or killed run with its plan, seed and name");
  recorded_files_flag(run, parsed.run.run_recorded_files, "With --resume: ");
  run.add_flag(
      "--skip-unchanged", parsed.run.skip_unchanged,
      "Do not measure groups whose executable, libraries and files read are the same as in the baseline of this "
      "commit; `torchgate gate` calls their cases unchanged");
  policy_flag(run, parsed.policy, "--store", "baseline.store",
              "With --skip-unchanged: the baseline store (default .torchgate/store)");
  run.add_option(
         "--log", parsed.run.log,
         "Append a JSON line for each process and case to FILE while measuring (reports/schemas/log.schema.json)")
      ->option_text("FILE");
  run.add_flag("--list", parsed.run.list, "List what would run and how long it would take, then exit");
  run.add_flag("--json", parsed.run.json, "With --list: print JSON");
}

void define_ab(CLI::App& app, Parsed& parsed) {
  AbCommand& command = parsed.ab;
  CLI::App& ab = *app.add_subcommand("ab", "Measure two builds or commits in interleaved pairs and compare them");
  ab.add_option("--before", command.before, "Old side: a suite, a folder of suites (repeatable), or a commit")
      ->option_text("PATH|COMMIT");
  ab.add_option("--after", command.after, "New side; an existing path wins over a commit of the same name")
      ->option_text("PATH|COMMIT");
  ab.add_option("--build", command.build,
                "Shell command that builds a commit, run in a temporary work tree below .torchgate; {dir} is its path; "
                "submodules are not fetched")
      ->option_text("CMD");
  ab.add_option("--suites", command.suites,
                "The built suites, relative to the work tree (repeatable; default: run.suites)")
      ->option_text("PATH");
  ab.add_option("--budget", command.budget,
                "Start no pair after this time (90s, 5m, 1h30m; without building), or after this many pairs in total "
                "(\"24 pairs\"); undecided cases are inconclusive")
      ->option_text("BUDGET");
  ab.add_option("--pair-plan", command.plan,
                "Measure the pairs listed by `torchgate gate --pair-plan FILE`, without a verdict")
      ->option_text("FILE");
  retired_flag(ab, "--plan", "--pair-plan FILE");
  policy_flag(ab, parsed.policy, "--store", "baseline.store",
              "With --pair-plan: the baseline store (default .torchgate/store)");
  resume_flag(ab, command.resume, "Resume interrupted or killed pairs");
  recorded_files_flag(ab, command.run_recorded_files, "With --pair-plan or --resume: ");
  ab.add_flag("--every-pair", command.every_pair, "Measure all pairs even after the verdict is clear (for studies)");
  ab.add_option(
        "--vary", command.vary,
        "A difference between the sides that is intended, e.g. libtorch; it is not reported as a doubt (repeatable)")
      ->option_text("NAME")
      ->take_all();
  measure_flags(ab, command.measure);
  policy_flag(ab, parsed.policy, "--pairs", "gate.pairs",
              "Maximum number of pairs per group (default 48); a group stops when its cases are decided");
  ab.add_option("--save", command.save, "Save the pairs under this name")->option_text("NAME");
  limit_flags(ab, parsed.policy);
  judging_flags(ab, parsed.policy);
  policy_from_flag(ab, parsed.policy_from);
  waivers_flag(ab, parsed.waiver_files);
  show_report_flags(ab, command.show);
}

// Pairs from the start, in the place of a run.
void define_gate_now(CLI::App& gate, GateCommand& command, CLI::Option* run) {
  gate.add_option(
          "--suite,--suite-dir", command.suites,
          "Measure this suite, or folder of suites, in pairs with the baseline's binaries from the start, without "
          "a run before (repeatable)")
      ->option_text("PATH")
      ->excludes(run);
  gate.add_flag(
          "--now", command.now,
          "The same for run.suites of torchgate.toml; also implied by --filter, --quick, --full and --instructions")
      ->excludes(run);
  effort_flags(gate, command.measure);
  gate.add_option("--save", command.save, "Save what is measured under this name (replaces an existing one)")
      ->option_text("NAME")
      ->excludes(run);
}

constexpr const char* common_text =
    "Judge only the cases of both sides, where one of them is a part of the other: what one side alone has is counted "
    "in a note";

void define_judging(CLI::App& app, Parsed& parsed) {
  CLI::App& compare = *app.add_subcommand("compare", "Compare two runs, or measure again and compare with one run");
  compare.add_option("before", parsed.compare.before, "A run (name, file or id), or a result file of another tool")
      ->required();
  compare.add_option("after", parsed.compare.after, "A second run (default: measure now what BEFORE measured)");
  recorded_files_flag(compare, parsed.compare.run_recorded_files, "Without AFTER: ");
  compare.add_flag(
      "--skip-unchanged", parsed.compare.skip_unchanged,
      "Without AFTER: do not measure groups whose executable, libraries and files read are the same as in BEFORE");
  compare.add_flag("--common", parsed.compare.common_only, common_text);
  judging_flags(compare, parsed.policy);
  policy_from_flag(compare, parsed.policy_from);
  waivers_flag(compare, parsed.waiver_files);
  budget_flag(compare, parsed.policy);
  show_report_flags(compare, parsed.compare.show);

  CLI::App& gate = *app.add_subcommand(
      "gate",
      "Compare this build with its baseline: in pairs from the start (--suite), or a run that was measured before");
  CLI::Option* const judged = gate.add_option(
      "run", parsed.gate.run, "The run to judge (default: the newest), with its suspects confirmed in pairs");
  define_gate_now(gate, parsed.gate, judged);
  CLI::Option* against =
      gate.add_option(
              "--against", parsed.gate.against,
              "Compare with this run instead of the baseline (repeatable: nearest first, the others are pooled)")
          ->option_text("RUN");
  gate.add_flag("--common", parsed.gate.common_only, common_text)->needs(against);
  gate.add_option(
          "--since", parsed.gate.since,
          "Judge the change since this pin (`torchgate baseline pin`) in interleaved pairs of all cases; --gate "
          "and --budget then set gate.since (0.05) and gate.since_budget (1h)")
      ->option_text("PIN")
      ->excludes(against);
  policy_flag(gate, parsed.policy, "--store", "baseline.store", "Baseline store (default .torchgate/store)");
  policy_flag(gate, parsed.policy, "--confirm", "gate.confirm",
              "Suspects to measure again in pairs: none, regressions or all");
  policy_flag(gate, parsed.policy, "--unconfirmed", "gate.unconfirmed",
              "Action for an unconfirmed suspect: warn, beyond or fail");
  policy_flag(gate, parsed.policy, "--pairs", "gate.pairs", "Maximum number of interleaved pairs (default 48)");
  gate.add_option("--commit", parsed.gate.commit,
                  "Refuse a run of another commit (exit code 2): in a job that judges what another one measured")
      ->option_text("SHA");
  gate.add_option("--seed", parsed.gate.seed, "Seed of the random order of the pairs (default: derived from both runs)")
      ->option_text("N");
  CLI::Option* pair_plan =
      gate.add_option("--pair-plan", parsed.gate.suspects,
                      "Write the suspects to FILE instead of measuring them; run `torchgate ab --pair-plan FILE` in "
                      "another job")
          ->option_text("FILE");
  retired_flag(gate, "--suspects", "--pair-plan FILE");
  gate.add_option(
          "--pairs-from", parsed.gate.pairs_from,
          "Judge these pairs of `torchgate ab --pair-plan` instead of measuring; they are checked against the plan")
      ->option_text("FILE")
      ->excludes(pair_plan);
  gate.add_option("--without-pairs", parsed.gate.without_pairs,
                  "Judge without pairs, for this reason: what needs them does not pass (exit code 3, or 1 where the "
                  "screen alone fails)")
      ->option_text("REASON")
      ->excludes(pair_plan);
  gate.add_option("--baseline-of", parsed.gate.baseline_of,
                  "Compare with the baseline of this pair plan, as long as its runs are stored for ancestors, although "
                  "nearer ones were stored since")
      ->option_text("FILE")
      ->excludes(against);
  gate.add_flag(
      "--skip-own-commit", parsed.gate.skip_own_commit,
      "Do not compare with earlier runs of the same commit (default on a push in GitHub Actions and GitLab CI)");
  recorded_files_flag(gate, parsed.gate.run_recorded_files, "To confirm suspects: ");
  budget_flag(gate, parsed.policy);
  gate.add_flag(
      "--measure-unchanged", parsed.gate.measure_unchanged,
      "Judge groups, too, whose executable, libraries and files are byte-identical on both sides (default: their "
      "cases are unchanged): shows what this machine can see");
  limit_flags(gate, parsed.policy);
  judging_flags(gate, parsed.policy);
  policy_from_flag(gate, parsed.policy_from);
  waivers_flag(gate, parsed.waiver_files);
  show_report_flags(gate, parsed.gate.show);

  define_ab(app, parsed);
}

void define_accept(CLI::App& app, Parsed& parsed) {
  AcceptCommand& command = parsed.accept;
  CLI::App& accept = *app.add_subcommand("accept", "Accept a slow-down: add a waiver to torchgate-waivers.toml");
  accept.add_option("cases", command.cases, "Full case names, as in the report")->required()->option_text("CASE...");
  accept.add_option("--reason", command.reason, "Why the slow-down is accepted")->required()->option_text("TEXT");
  accept.add_option("--metric", command.metric, "Only this metric (default: all failing metrics of the case)")
      ->option_text("NAME");
  accept
      .add_option("--ceiling", command.ceiling,
                  "Largest slow-down that passes: 12% or 0.12; for an exact metric the largest value (default: the "
                  "measured change, rounded up to a whole per cent)")
      ->option_text("CEILING");
  accept
      .add_option("--expires", command.expires, "Last day: 90d from today, or a date such as 2027-01-31 (default 90d)")
      ->option_text("WHEN");
  accept
      .add_option("--report", command.report,
                  "Report with the failing cases (default: the newest report of `torchgate gate`)")
      ->option_text("FILE");
  accept.add_option("--by", command.by, "Record who accepts it")->option_text("LOGIN");
  accept.add_option("--commit", command.commit, "Record this commit (default: that of the report)")->option_text("SHA");
  accept
      .add_option("--waivers", command.waivers,
                  "Add to this file (default: gate.waivers, torchgate-waivers.toml); see `torchgate gate --waivers`")
      ->option_text("FILE");
}

void define_keeping(CLI::App& app, Parsed& parsed) {
  CLI::App& baseline = *app.add_subcommand("baseline", "Add, list, show, pin and share baselines");
  baseline.require_subcommand(1);
  CLI::App& add = *baseline.add_subcommand("add", "Add a run and its binaries as the baseline of its commit");
  add.add_option("run", parsed.add.run, "Name, file or id of the run")->required();
  add.add_flag("--uncommitted", parsed.add.uncommitted,
               "Also accept a run of a modified work tree; it is not tied to a commit");
  CLI::Option* const without = add.add_flag(
      "--without-objects", parsed.add.without_objects,
      "Do not store executables and libraries; suspects can be confirmed only where these are found or rebuilt");
  add.add_flag("--objects-only", parsed.add.objects_only,
               "Store only the executables and libraries of this run, which may be one shard")
      ->excludes(without);
  CLI::App& list = *baseline.add_subcommand("list", "List the stored runs, oldest first, and the pins");
  list.add_flag("--all-hosts", parsed.list.all_hosts, "List runs of all hosts (the default)");
  list.add_flag("--json", parsed.list.json, "Print JSON");
  CLI::App& show = *baseline.add_subcommand("show", "Show one stored run, or that of a pin");
  show.add_option("run", parsed.show.run, "Run id, the beginning of it, or the name of a pin")->required();
  show_report_flags(show, parsed.show.show);
  CLI::App& pin =
      *baseline.add_subcommand("pin", "Name the stored runs of a commit, such as a release, for `gate --since`");
  pin.add_option("name", parsed.pin.name, "Name of the pin, such as v1.2")->required();
  CLI::Option* const pinned_run =
      pin.add_option("run", parsed.pin.run, "Id of a stored run (default: all of the commit)");
  pin.add_option("--commit", parsed.pin.commit, "Pin the stored runs of this commit (default HEAD)")
      ->option_text("COMMIT")
      ->excludes(pinned_run);
  pin.add_flag("--move", parsed.pin.move, "Replace an existing pin of this name");
  CLI::App& unpin = *baseline.add_subcommand("unpin", "Remove a pin; its runs stay");
  unpin.add_option("name", parsed.unpin.name, "Name of the pin")->required();
  CLI::App& pull = *baseline.add_subcommand("pull", "Copy what the data branch has and the store lacks");
  CLI::App& push = *baseline.add_subcommand("push", "Append to the data branch what it lacks, never by force");
  pull.add_option("--remote", parsed.pull.remote, "Remote of this repository, URL or folder (default origin)");
  push.add_option("--remote", parsed.push.remote, "Remote of this repository, URL or folder (default origin)");
  push.add_option("--objects-up-to", parsed.push.objects_up_to,
                  "Also push executables and libraries of at most this many bytes (default 0: none)")
      ->option_text("BYTES");
  for (CLI::App* command : {&pull, &push}) {
    policy_flag(*command, parsed.policy, "--branch", "baseline.branch",
                "The data branch (default torchgate-baselines)");
  }
  for (CLI::App* command : {&add, &list, &show, &pin, &unpin, &pull, &push}) {
    policy_flag(*command, parsed.policy, "--store", "baseline.store", "Baseline store (default .torchgate/store)");
  }

  CLI::App& importing = *app.add_subcommand("import", "Import result files of other tools as one run");
  importing
      .add_option("files", parsed.import.files,
                  "Result files of one side, one file per process where the tool has one process per file: Google "
                  "Benchmark (JSON, CSV), NVBench, Go benchmarks, pytest-benchmark, pyperf, hyperfine, Catch2 (XML, "
                  "console), Criterion (files or the folder target/criterion), github-action-benchmark; recognised by "
                  "their content")
      ->required()
      ->option_text("FILE...");
  importing.add_option("--save", parsed.import.save, "Save the run under this name (replaces an existing one)")
      ->option_text("NAME");
  better_flag(importing, parsed.policy);

  CLI::App& merge = *app.add_subcommand("merge", "Combine shard results into one run (run --shard i/n)");
  merge.add_option("files", parsed.merge.files, "Shards: names, files or ids, in any order")
      ->required()
      ->option_text("FILE...");
  merge.add_option("--save", parsed.merge.save, "Save the run under this name (replaces an existing one)")
      ->option_text("NAME");
  merge.footer(
      "Exit codes: 0 complete; 2 the files are not shards of one run; 3 shards are missing (the rest is kept but never "
      "passes) or were measured on different hosts.");

  CLI::App& report = *app.add_subcommand(
      "report", "Show one run or the comparison of two in a chosen format, or a store as web pages");
  CLI::Option* const run = report.add_option("run", parsed.report.run, "A run or pairs: name, file or id");
  CLI::Option* const site =
      report
          .add_option("--site", parsed.report.site,
                      "Write or update a folder of web pages: the history of each case of the store, and what changed")
          ->option_text("DIR")
          ->excludes(run);
  report.add_option("--host", parsed.report.host, "With --site: only the runs of this host key (default: all hosts)")
      ->option_text("KEY")
      ->needs(site);
  policy_flag(report, parsed.policy, "--store", "baseline.store", "With --site: the store (default .torchgate/store)");
  report.add_option("other", parsed.report.other, "Compare RUN (before) with OTHER (after)");
  report.add_option("--output,-o", parsed.report.output, "Write the report to this file instead of printing it")
      ->option_text("FILE");
  show_report_flags(report, parsed.report.show);
  judging_flags(report, parsed.policy);
  report.footer(
      "Exit codes: 0 the report was written, also one that says FAIL (compare, ab and gate exit with 1 then); 2 usage "
      "or bad input.");
}

void define_calibrate(CLI::App& app, Parsed& parsed) {
  CLI::App& calibrate = *app.add_subcommand(
      "calibrate", "Measure one build repeatedly: noise, smallest detectable slow-down, false alarms per rule");
  calibrate
      .add_option("--suite,--suite-dir", parsed.calibrate.suites,
                  "Suite executable, or folder of suites (repeatable; default: run.suites in torchgate.toml)")
      ->option_text("PATH");
  calibrate.add_option("--runs", parsed.calibrate.runs, "Number of runs (default 6)")
      ->option_text("N")
      ->check(CLI::Range(3, 1000));
  calibrate.add_option("--from", parsed.calibrate.from, "Use these runs (oldest first) instead of measuring")
      ->option_text("RUN");
  calibrate
      .add_option("--run-cost", parsed.calibrate.run_cost_s,
                  "Fixed cost of a run in seconds, before its first process (default 30)")
      ->option_text("SECONDS")
      ->check(CLI::PositiveNumber);
  show_flags<record::Calibration>(calibrate, parsed.calibrate.show, "the calibration", "");
  measure_flags(calibrate, parsed.calibrate.measure);
  policy_flag(calibrate, parsed.policy, "--processes", "run.processes", "Processes per group (5)");
  policy_flag(calibrate, parsed.policy, "--store", "baseline.store", "Baseline store (default .torchgate/store)");
  limit_flags(calibrate, parsed.policy);
}

void define_history(CLI::App& app, Parsed& parsed) {
  HistoryCommand& command = parsed.history;
  CLI::App& history = *app.add_subcommand("history", "Show where a case's level changed over the stored runs");
  history.add_option("case", command.case_name, "Full case name")->required();
  policy_flag(history, parsed.policy, "--store", "baseline.store", "Baseline store (default .torchgate/store)");
  history.add_option("--alpha", command.alpha, "False-alarm probability for a whole series (default 0.001)");
  policy_flag(history, parsed.policy, "--margin", "gate.margin",
              "Smallest relative level change to report (default 0.01)");
  history.add_option("--host", command.host, "Use the runs of this host key (default: this machine)")
      ->option_text("KEY");
  history.add_flag("--uncommitted", command.uncommitted, "Include runs of modified work trees and without a commit");
  show_flags<reports::History>(history, command.show, "the result", "List every run");
}

void define_explain(CLI::App& app, Parsed& parsed) {
  ExplainCommand& command = parsed.explain;
  CLI::App& explain = *app.add_subcommand("explain", "Show why a case's time changed: operators, counters, processes");
  explain.add_option("case", command.case_name, "Full case name")->required();
  explain.add_option("before", command.before,
                     "A run, or pairs saved by `ab` (default: the newest run and its baseline)");
  explain.add_option("after", command.after, "A second run (default: both sides of BEFORE, if it contains pairs)");
  policy_flag(explain, parsed.policy, "--store", "baseline.store", "Baseline store (default .torchgate/store)");
  show_flags<reports::Explanation>(explain, command.show, "the result", "List every operator");
}

void define_advise(CLI::App& app, Parsed& parsed) {
  AdviseCommand& command = parsed.advise;
  CLI::App& advise =
      *app.add_subcommand("advise", "Show which optimisations the models of a run leave out, by what the run recorded");
  advise.add_option("run", command.run, "A run: name, file or id (default: the newest run)");
  policy_flag(advise, parsed.policy, "--store", "baseline.store", "Baseline store (default .torchgate/store)");
  advise
      .add_option("--fail-under", command.fail_under,
                  "Exit with 1 if the score is below this many per cent, or unknown")
      ->option_text("PERCENT")
      ->check(CLI::Range(0.0, 100.0));
  show_flags<reports::ModelAdvice>(advise, command.show, "the result", "The same");
}

void define_doctor(CLI::App& app, Parsed& parsed) {
  CLI::App& doctor =
      *app.add_subcommand("doctor", "Check whether this machine is quiet enough to benchmark on, and how to fix it");
  ShowFlags& show = parsed.doctor.show;
  doctor
      .add_option("--format", show.format,
                  "Print this format (default terminal): " + format_names<reports::DoctorReport>())
      ->option_text("NAME");
  doctor.add_flag_callback(
      "--json", [&show] { show.format = "json"; }, "Print JSON");
  doctor.add_option("--write", show.write, "Also write a file in one of these formats (repeatable)")
      ->option_text("NAME=FILE");
  policy_flag(doctor, parsed.policy, "--threads", "run.threads", "Intra-operator threads of a suite (default 1)");
  doctor.footer(
      "Exit codes: 0 no fatal condition; 2 usage error; 3 a fatal condition: times measured now would not be judged.");
}

void define_comment(CLI::App& app, Parsed& parsed) {
  CommentCommand& command = parsed.comment;
  CLI::App& comment = *app.add_subcommand(
      "comment", "Post the verdict on a pull request on GitHub: one comment, updated in place, and one check");
  comment.add_flag("--begin", command.begin,
                   "Create the check as in progress, before anything is measured, so a job that ends early does not "
                   "pass a required check");
  comment.add_flag("--target", command.target,
                   "Print the measured commit, the base branch and a commit of that, separated by spaces, and exit");
  comment.add_option("--report", command.report, "The report of `torchgate gate --json`")->option_text("FILE");
  comment.add_option("--markdown", command.markdown, "The report of `torchgate gate --markdown`")->option_text("FILE");
  comment.add_option("--failed", command.failed, "Without a report: a failure, and why")->option_text("SENTENCE");
  comment.add_option("--neutral", command.neutral, "Without a report: no verdict, and what to do")
      ->option_text("SENTENCE");
  comment
      .add_option("--pull-request", command.pull_request,
                  "Its number (default: from the event of the job, GITHUB_EVENT_PATH)")
      ->option_text("N")
      ->check(CLI::PositiveNumber);
  comment.add_option("--head", command.head, "The measured commit of the pull request")->option_text("SHA");
  comment
      .add_option("--head-repository", command.head_repository, "Instead of the number: the repository of that commit")
      ->option_text("OWNER/NAME");
  comment.add_option("--repository", command.repository, "Where the pull request is (default: GITHUB_REPOSITORY)")
      ->option_text("OWNER/NAME");
  comment.add_option("--author", command.author, "The login that the token writes as (default: asked from GitHub)")
      ->option_text("LOGIN");
  comment
      .add_option("--name", command.name,
                  "Name of the check and of the comment, constant over runs (default torchgate)")
      ->option_text("NAME");
  comment
      .add_option("--key", command.key,
                  "Which workflow or job it is of, constant over runs: with gpu, check and comment are NAME/gpu "
                  "(default: GITHUB_WORKFLOW_REF and GITHUB_JOB; with performance, NAME alone)")
      ->option_text("KEY");
  comment.add_flag("--show-key", command.show_key, "Print the key of the workflow that measured, then exit");
  comment.add_option("--run-id", command.run, "With --show-key in a job for issue_comment: the run that measured")
      ->option_text("N")
      ->check(CLI::PositiveNumber);
  comment.add_flag("--no-verdict-fails", command.no_verdict_fails,
                   "Without a verdict the check is a failure instead of neutral, which does not block a merge");
  comment.add_flag("--commands", command.commands, "Mention the /perf commands, where a workflow answers them");
  comment.add_flag("--no-comment", command.no_comment, "Only the check");
  comment.add_flag("--no-check", command.no_check, "Only the comment");
  comment.footer(
      "Needs GITHUB_REPOSITORY and GITHUB_TOKEN (or TORCHGATE_GITHUB_TOKEN) with pull-requests: write and checks: "
      "write; "
      "--begin needs checks: write only. Exit codes: 0 done, or skipped because the pull request has a newer commit; 2 "
      "usage, bad input, or GitHub refused.");
}

void define_unpack(CLI::App& app, Parsed& parsed) {
  CLI::App& unpack = *app.add_subcommand(
      "unpack", "Unpack the artifact (a zip file) of an untrusted job; whatever is not a plain result file is refused");
  unpack.add_option("artifact", parsed.unpack.artifact, "Zip file of GitHub's upload-artifact, at most 64 MiB")
      ->option_text("FILE.zip");
  unpack.add_option("--run-id", parsed.unpack.run, "Instead of a file: download the artifact of this workflow run")
      ->option_text("N")
      ->check(CLI::PositiveNumber);
  unpack.add_option("--artifact", parsed.unpack.name, "With --run-id: its name")->option_text("NAME");
  unpack
      .add_option("--into", parsed.unpack.folder,
                  "New or empty folder; it gets all files, or none if any of them is refused")
      ->required()
      ->option_text("DIR");
  unpack.footer(
      "--run-id needs GITHUB_REPOSITORY and GITHUB_TOKEN (or TORCHGATE_GITHUB_TOKEN) with actions: read. Exit codes: 0 "
      "all files unpacked; 2 usage, GitHub refused, not a zip file, or beyond a limit: 200 files, 64 MiB inflated, 100 "
      "to "
      "1, names NAME.json, SHA256.samples and commit.");
}

void define_perf(CLI::App& app, Parsed& parsed) {
  PerfCommand& command = parsed.perf;
  CLI::App& perf = *app.add_subcommand(
      "perf", "Answer /perf accept CASE REASON and /perf rerun in a pull request's thread (event issue_comment)");
  perf.add_option("--output", command.output,
                  "Append command, case, reason, head, number, login, comment, run and key for the next steps, as in "
                  "GITHUB_OUTPUT; command is accept, rerun, refused or none")
      ->option_text("FILE");
  perf.add_option("--workflow", command.workflow,
                  "The workflow that measures: its file or name (default: the only one that ran for the commit)")
      ->option_text("FILE|NAME");
  perf.add_option("--artifact", command.artifact, "Accept only while its run has this artifact, with the measurements")
      ->option_text("NAME");
  perf.add_option("--repository", command.repository, "Where the pull request is (default: GITHUB_REPOSITORY)")
      ->option_text("OWNER/NAME");
  perf.add_option("--author", command.author, "The login that the token writes as (default: asked from GitHub)")
      ->option_text("LOGIN");
  perf.add_option("--name", command.name, "Name of the check (torchgate comment --name; default torchgate)")
      ->option_text("NAME");
  perf.add_option("--key", command.key, "Key of the verdict (torchgate comment --key; default: of the workflow)")
      ->option_text("KEY");
  perf.footer(
      "Only of people with write permission, for the commit whose verdict they have seen. Needs GITHUB_EVENT_PATH, "
      "GITHUB_REPOSITORY and GITHUB_TOKEN (or TORCHGATE_GITHUB_TOKEN) with pull-requests: write, checks: read and "
      "actions: "
      "write. Exit codes: 0 done, refused, or no command; 2 usage, bad input, or GitHub refused.");
}

void define_triage(CLI::App& app, Parsed& parsed) {
  TriageCommand& command = parsed.triage;
  CLI::App& triage = *app.add_subcommand(
      "triage", "Keep one issue on GitHub per cause of regressions on the default branch: created, updated, closed");
  CLI::Option* const report = triage
                                  .add_option("--report", command.report,
                                              "The report of `torchgate gate --json` of a commit of the default branch")
                                  ->option_text("FILE");
  CLI::Option* const repairs =
      triage
          .add_option(
              "--repairs", command.repairs,
              "The report of `torchgate ab --json` with the commit before a cause and a later one (repeatable); an "
              "issue whose cases are all repaired is closed")
          ->option_text("FILE");
  triage
      .add_flag("--open", command.open,
                "Print the open causes, then exit: one per line with issue, commit before it and --filter of its cases")
      ->excludes(report)
      ->excludes(repairs);
  triage
      .add_option("--states", command.states, "The reviewed triage file (default: torchgate-triage.toml, if it exists)")
      ->option_text("FILE");
  triage.add_option("--json", command.json_file, "Also write what was done and what is open as JSON")
      ->option_text("FILE");
  triage.add_option("--repository", command.repository, "Where the issues are (default: GITHUB_REPOSITORY)")
      ->option_text("OWNER/NAME");
  triage.add_option("--author", command.author, "The login that the token writes as (default: asked from GitHub)")
      ->option_text("LOGIN");
  triage
      .add_option("--key", command.key,
                  "Of two workflows that measure: whose issues (torchgate comment --key; default performance)")
      ->option_text("KEY");
  triage.add_flag("--dry-run", command.dry_run, "Only print what would be done");
  triage.footer(
      "Needs GITHUB_TOKEN (or TORCHGATE_GITHUB_TOKEN) with issues: write (read with --open and --dry-run), and "
      "GITHUB_REPOSITORY. Exit codes: 0 done; 2 usage, bad input, or GitHub refused.");
}

// --gate and --budget are those of what is judged.
void name_since_keys(const Parsed& parsed, PolicyFlags& flags) {
  if (!parsed.gate.since) return;
  for (auto& [key, value] : flags) {
    if (key == "gate.latency") key = "gate.since";
    if (key == "gate.budget") key = "gate.since_budget";
  }
}

Command chosen(const CLI::App& app, const Parsed& parsed) {
  if (app.got_subcommand("run")) return parsed.run;
  if (app.got_subcommand("compare")) return parsed.compare;
  if (app.got_subcommand("gate")) return parsed.gate;
  if (app.got_subcommand("ab")) return parsed.ab;
  if (app.got_subcommand("accept")) return parsed.accept;
  if (app.got_subcommand("calibrate")) return parsed.calibrate;
  if (app.got_subcommand("comment")) return parsed.comment;
  if (app.got_subcommand("import")) return parsed.import;
  if (app.got_subcommand("merge")) return parsed.merge;
  if (app.got_subcommand("unpack")) return parsed.unpack;
  if (app.got_subcommand("perf")) return parsed.perf;
  if (app.got_subcommand("report")) return parsed.report;
  if (app.got_subcommand("history")) return parsed.history;
  if (app.got_subcommand("explain")) return parsed.explain;
  if (app.got_subcommand("advise")) return parsed.advise;
  if (app.got_subcommand("doctor")) return parsed.doctor;
  if (app.got_subcommand("triage")) return parsed.triage;
  const CLI::App* baseline = app.get_subcommand("baseline");
  if (baseline->got_subcommand("add")) return BaselineCommand{parsed.add};
  if (baseline->got_subcommand("list")) return BaselineCommand{parsed.list};
  if (baseline->got_subcommand("pin")) return BaselineCommand{parsed.pin};
  if (baseline->got_subcommand("unpin")) return BaselineCommand{parsed.unpin};
  if (baseline->got_subcommand("pull")) return BaselineCommand{parsed.pull};
  if (baseline->got_subcommand("push")) return BaselineCommand{parsed.push};
  return BaselineCommand{parsed.show};
}

}  // namespace

Arguments parse_arguments(const std::vector<std::string>& arguments) {
  const auto parsed = std::make_unique<Parsed>();
  CLI::App app{help_overview, "torchgate"};
  app.set_version_flag("--version", std::string("torchgate ") + workflow::version);
  app.footer(help_exit_codes);
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option("--config", parsed->policy_file, "Policy file (default: torchgate.toml in this or a parent directory)")
      ->option_text("FILE");
  define_run(app, *parsed);
  define_judging(app, *parsed);
  define_accept(app, *parsed);
  define_keeping(app, *parsed);
  define_calibrate(app, *parsed);
  define_comment(app, *parsed);
  define_perf(app, *parsed);
  define_history(app, *parsed);
  define_explain(app, *parsed);
  define_advise(app, *parsed);
  define_doctor(app, *parsed);
  define_unpack(app, *parsed);
  define_triage(app, *parsed);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // what CLI11's vector overload takes
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream err;
    const int code = app.exit(error, out, err);
    return {Message{code == 0 ? out.str() : err.str(), code != 0}, {}, {}, {}, {}};
  }
  name_since_keys(*parsed, parsed->policy);
  return {chosen(app, *parsed), parsed->policy, parsed->policy_file, parsed->policy_from, parsed->waiver_files};
}

}  // namespace torchgate::cli
