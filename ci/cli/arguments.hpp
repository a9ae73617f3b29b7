// SPDX-License-Identifier: Apache-2.0
// The command line as values. arguments.cpp is the one file that includes CLI11.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ci/workflow/measure/effort.hpp"

namespace torchgate::cli {

/// Flags that set policy keys, as (key, text): they win over environment and file.
using PolicyFlags = std::vector<std::pair<std::string, std::string>>;

/// What and how to measure: run, ab and calibrate share these.
using MeasureFlags = workflow::Effort;

/// How to show a result: on standard output in one format (unless quiet), and in files.
struct ShowFlags {
  std::string format = "terminal";
  std::vector<std::string> write;  ///< "FORMAT=FILE"
  bool quiet = false;
  bool verbose = false;
};

struct RunCommand {
  std::vector<std::string> suites;
  MeasureFlags measure;
  std::optional<std::string> save;
  std::optional<std::string> shard;    ///< "i/n": one part of the groups
  std::optional<std::int64_t> shards;  ///< write a plan for so many, and measure nothing
  std::optional<std::string> plan;     ///< the file of that plan
  std::optional<std::string> resume;   ///< an unfinished run; empty: the only one
  bool run_recorded_files = false;     ///< with resume: what the record names, wherever it is from
  bool skip_unchanged = false;         ///< groups that are what they were in the baseline
  std::optional<std::string> log;      ///< append JSON lines there while measuring
  bool list = false;
  bool json = false;
};

struct CompareCommand {
  std::string before;
  std::optional<std::string> after;  ///< absent: measure now, with the plan of `before`
  bool run_recorded_files = false;   ///< what `before` names, wherever it is from
  bool skip_unchanged = false;       ///< without after: groups that are what they were in `before`
  bool common_only = false;          ///< leave out cases that one side alone has
  ShowFlags show;
};

struct GateCommand {
  std::optional<std::string> run;  ///< absent: the newest run in the workspace
  bool now = false;  ///< measure pairs from the start instead of judging a run; implied by what to measure
  std::vector<std::string> suites;  ///< of pairs from the start; empty: run.suites
  MeasureFlags measure;             ///< the same; its seed is `seed`
  std::optional<std::string> save;  ///< name of the pairs, or of the run that is made instead of them
  std::string
      no_pairs_from_start;  ///< why a run was made although pairs from the start were asked for; empty: they were not
  std::optional<std::string> since;   ///< a pin: judge the change since its commit instead
  std::vector<std::string> against;   ///< runs' names, files or ids, the nearest first; empty: chosen by commit
  bool common_only = false;           ///< with against: leave out cases that one side alone has
  std::optional<std::string> commit;  ///< the run must be of it
  std::optional<std::uint64_t> seed;
  std::optional<std::string> suspects;       ///< write there what to confirm, and confirm nothing
  std::optional<std::string> pairs_from;     ///< judge these pairs, and measure nothing
  std::optional<std::string> without_pairs;  ///< why there are none: judge by stored times alone, and never pass for it
  std::optional<std::string> baseline_of;    ///< a pair plan: judge against its baseline
  bool skip_own_commit = false;              ///< never compare with an earlier run of the same commit
  bool run_recorded_files = false;           ///< what the runs name, wherever they are from
  bool measure_unchanged = false;            ///< judge groups, too, that are the same by content in both runs
  ShowFlags show;

  /// A flag says what to measure: pairs from the start.
  [[nodiscard]] bool measures() const {
    const MeasureFlags standard;
    return now || !suites.empty() || measure.filter != standard.filter || measure.profile != standard.profile ||
           measure.instructions;
  }
};

struct AbCommand {
  std::vector<std::string> before;    ///< paths, or one commit
  std::vector<std::string> after;     ///< the same
  std::optional<std::string> build;   ///< of a commit
  std::vector<std::string> suites;    ///< of a commit, relative to its work tree; empty: run.suites
  std::optional<std::string> budget;  ///< as budget.hpp reads it
  std::vector<std::string> vary;      ///< facts that differ on purpose
  std::optional<std::string> plan;    ///< suspects to measure (gate --pair-plan) instead of before and after
  std::optional<std::string> resume;  ///< unfinished pairs; empty: the only ones
  bool run_recorded_files = false;    ///< with plan and resume: what the records name, wherever they are from
  bool every_pair = false;            ///< do not stop when the answer is clear
  MeasureFlags measure;
  std::optional<std::string> save;
  ShowFlags show;
};

struct AcceptCommand {
  std::vector<std::string> cases;
  std::optional<std::string> metric;   ///< absent: all of the case that fails
  std::optional<std::string> ceiling;  ///< as typed: "12%"; absent: what was measured, rounded up
  std::string reason;
  std::optional<std::string> expires;  ///< as typed: "90d" or a date
  std::optional<std::string> report;   ///< absent: the newest one of `gate`
  std::optional<std::string> by;       ///< who accepts it
  std::optional<std::string> commit;   ///< what it is accepted for; absent: the commit of the report
  std::optional<std::string> waivers;  ///< the file; absent: gate.waivers
};

struct BaselineAdd {
  std::string run;
  bool uncommitted = false;
  bool without_objects = false;
  bool objects_only = false;  ///< of one shard: the run is added after merging
};
struct BaselineList {
  bool all_hosts = false;
  bool json = false;
};
struct BaselineShow {
  std::string run;
  ShowFlags show;
};
struct BaselinePull {
  std::string remote = "origin";
};
struct BaselinePush {
  std::string remote = "origin";
  std::uint64_t objects_up_to = 0;  ///< bytes; 0: none
};
struct BaselinePin {
  std::string name;
  std::optional<std::string> run;     ///< absent: all stored runs of the commit
  std::optional<std::string> commit;  ///< absent: HEAD
  bool move = false;
};
struct BaselineUnpin {
  std::string name;
};
using BaselineCommand =
    std::variant<BaselineAdd, BaselineList, BaselineShow, BaselinePull, BaselinePush, BaselinePin, BaselineUnpin>;

struct CalibrateCommand {
  std::vector<std::string> suites;
  std::vector<std::string> from;  ///< existing runs, oldest first; empty: measure
  std::int64_t runs = 6;          ///< to measure: five differences say something, and half an hour is enough
  double run_cost_s = 30;         ///< what a run costs before its first process
  MeasureFlags measure;
  ShowFlags show;
};

struct AdviseCommand {
  std::optional<std::string> run;    ///< absent: the newest run in the workspace
  std::optional<double> fail_under;  ///< in per cent
  ShowFlags show;
};

struct DoctorCommand {
  ShowFlags show;
};

struct ImportCommand {
  std::vector<std::string> files;
  std::optional<std::string> save;
};

struct MergeCommand {
  std::vector<std::string> files;
  std::optional<std::string> save;
};

/// The artifact of an untrusted job.
struct UnpackCommand {
  std::string artifact;             ///< a file; empty: downloaded
  std::optional<std::int64_t> run;  ///< the workflow run that has it
  std::string name;
  std::string folder;
};

struct ReportCommand {
  std::optional<std::string> run;     ///< absent with a site only
  std::optional<std::string> site;    ///< write the site of the store there
  std::optional<std::string> host;    ///< of the site: only its runs
  std::optional<std::string> other;   ///< compared with it: `run` is before
  std::optional<std::string> output;  ///< write the report there, and print nothing
  ShowFlags show;
};

struct ExplainCommand {
  std::string case_name;
  std::optional<std::string> before;  ///< absent: the newest run against its baseline
  std::optional<std::string> after;   ///< absent: both sides of the run `before`
  ShowFlags show;
};

struct HistoryCommand {
  std::string case_name;
  std::optional<std::string> host;  ///< absent: this machine's
  double alpha = 0.001;
  bool uncommitted = false;
  ShowFlags show;
};

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

struct PerfCommand {
  std::optional<std::string> output;    ///< a file like GITHUB_OUTPUT
  std::optional<std::string> workflow;  ///< the one that measures
  std::optional<std::string> artifact;  ///< of that, with the measurements
  std::optional<std::string> repository;
  std::optional<std::string> author;
  std::string name = "torchgate";
  std::optional<std::string> key;  ///< absent: of the workflow that measures
};

struct TriageCommand {
  bool open = false;                  ///< print the open causes
  std::optional<std::string> report;  ///< the JSON report of the default branch
  std::vector<std::string> repairs;   ///< JSON reports of pairs
  std::optional<std::string> states;  ///< absent: torchgate-triage.toml, if it exists
  std::optional<std::string> json_file;
  std::optional<std::string> repository;
  std::optional<std::string> author;
  std::optional<std::string> key;  ///< absent: the default workflow's
  bool dry_run = false;
};

/// Printed and done: help, version, or a complaint about usage.
struct Message {
  std::string text;
  bool is_error = false;
};

using Command =
    std::variant<Message, RunCommand, CompareCommand, GateCommand, AbCommand, AcceptCommand, BaselineCommand,
                 CalibrateCommand, CommentCommand, ImportCommand, MergeCommand, PerfCommand, ReportCommand,
                 HistoryCommand, ExplainCommand, AdviseCommand, DoctorCommand, TriageCommand, UnpackCommand>;

struct Arguments {
  Command command;
  PolicyFlags policy;
  std::optional<std::string> policy_file;
  std::optional<std::string> policy_from;  ///< of a command that judges: the commit whose policy it is
  std::vector<std::string> waiver_files;   ///< the same: more waivers than those of the policy
};

Arguments parse_arguments(const std::vector<std::string>& arguments);

}  // namespace torchgate::cli
