// SPDX-License-Identifier: Apache-2.0
// A project's settings: thresholds, what fails the build, where runs are kept. File torchgate.toml, environment
// variables TORCHGATE_<SECTION>_<KEY>, flags; the later wins. policy_keys.cpp is the table of all keys.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ci/policy/case_budget.hpp"
#include "ci/policy/waivers.hpp"
#include "harness/base/result.hpp"

namespace torchgate::policy {

/// What the policy does with a verdict that does not fail by itself.
enum class Action { pass, warn, fail };

/// What an unconfirmed suspect does: `beyond` fails when its whole 1 - alpha/m interval lies beyond the gate.
enum class Unconfirmed { warn, beyond, fail };

/// Which suspects are measured again in interleaved pairs when the baseline's objects are there.
enum class Confirm { none, regressions, all };

/// Which cases are suspects: every case with p < candidate_p, or what Benjamini-Hochberg keeps of them at 5 %.
enum class Suspects { each, false_discovery_rate };

/// Which cases of the baseline are missing where the filter or the profile of the run leaves them out: those of a run that should be
/// whole, which is one that the policy of a base branch judges (a pull request, the judging job of a push); all; none.
enum class Partial { automatic, missing, listed };

/// How malloc of the suites takes memory from the system: harness/launch/allocator.hpp.
enum class Allocator { steady, system };

/// What starts the processes of a group with ranks: harness/launch/srun.hpp.
enum class RanksWith { automatic, torchgate, srun };

/// What a case on a GPU is judged by: the time that a caller waits, or the device's own with its cache hot or cold.
enum class DeviceMetric { time, gpu_time_hot, gpu_time_cold };
/// Of the metric in a record.
std::string name_of(DeviceMetric metric);

/// Run-to-run SD of log time of an uncalibrated machine: the value in recorded sessions of a shared machine.
inline constexpr double assumed_run_sd = 0.01;

/// A value as a file or an environment variable gives it.
using PolicyValue = std::variant<bool, double, std::string, std::vector<std::string>>;

/// A [[case]] table: settings for the cases that it names (ci/policy/case_rules.hpp).
struct CaseRule {
  std::string pattern;  ///< `match`: a regular expression (RE2's syntax), searched in the case's name
  bool exact = false;   ///< `exact`: the pattern is the whole name
  std::vector<std::pair<std::string, PolicyValue>> settings;  ///< keys of [gate], without "gate."
  std::map<std::string, Action> metrics;                      ///< what findings about a metric of that name do
  std::string place;                                          ///< "torchgate.toml:12"
  std::map<std::string, CaseBudget> budgets = {};             ///< what a metric of that name may be at most

  bool operator==(const CaseRule&) const = default;
};

/// Keys of [gate] that may stand in a [[case]] table: the settings of one case, or of all cases that no table names.
struct CaseSettings {
  double latency = 0.05;         ///< a confirmed regression of at least this share fails the build
  double peak_memory = 0.10;     ///< growth of peak_bytes from which `memory` applies
  Action memory = Action::warn;  ///< what such a growth does
  Action tails = Action::pass;   ///< what a P95 or P99 that regressed does; pass: tails are shown, not judged
  double instructions = 0.002;   ///< smaller changes of the number of instructions are never called changed
  double margin = 0.01;          ///< smaller changes are never called regressed or improved
  double equivalence = 0.05;     ///< "equivalent" means within +- this fraction
  Unconfirmed unconfirmed = Unconfirmed::beyond;
  Action inconclusive = Action::pass;
  Action changed = Action::warn;
  Action claim_broken = Action::warn;
  Action missing = Action::fail;  ///< a case that the baseline has and the run has not, or that cannot be compared
  double since = 0.05;            ///< of `gate --since`: the gate of the change since a pin, in the place of latency
  Action creep = Action::fail;    ///< the same: what a case does that is slower than that since the pin

  // No keys: what CasePolicies resolved.
  std::map<std::string, Action> metrics;      ///< what findings about a metric of that name do
  std::map<std::string, CaseBudget> budgets;  ///< what a metric of that name may be at most
  bool judges_since = false;                  ///< of `gate --since`, by since_pin()

  bool operator==(const CaseSettings&) const = default;
};

/// [gate]: how verdicts are reached and what they do, with the settings of one case or of all.
struct Gate : CaseSettings {
  std::string rule = "default";          ///< a name of stats::rules()
  double alpha = 0.01;                   ///< risk of any false `regressed`, and of any false broken claim, in one run
  Partial partial = Partial::automatic;  ///< cases that the run's filter or profile leaves out
  Confirm confirm = Confirm::regressions;
  Suspects suspects = Suspects::each;
  double candidate_p = 0.10;   ///< of the screen; 0.2 finds more small changes and costs more pairs
  std::int64_t pairs = 48;     ///< of a confirmation and of `ab`, at most: measuring stops when the answer is clear
  std::string budget = "run";  ///< time for the pairs of a confirmation: parse_gate_budget()
  std::string since_budget = "1h";   ///< of `gate --since`: time or number of its pairs: parse_budget()
  Action weaker_run = Action::fail;  ///< what a change does that was measured with less than its base asks for
  double min_decided = 0.5;          ///< share of the compared cases; with fewer decided there is no verdict
  std::string controls;              ///< cases whose code never changes, as a regular expression; empty: none
  bool allow_noisy = false;          ///< judge times although the doctor found the machine unfit
  bool compare_code =
      true;  ///< of cases whose times differ in pairs: functions that changed are named, none is `layout`
  bool count_undecided =
      true;  ///< instructions decide a case that its times leave open, and are counted after the pairs
  std::optional<double> run_sd;  ///< run-to-run SD of log time, fewer than five runs stored; absent: calibrated or 1 %

  bool operator==(const Gate&) const = default;
};

/// [run]: what is measured, and how.
struct Run {
  std::vector<std::string> suites;  ///< executables, or folders of them
  std::int64_t processes = 5;
  std::int64_t threads = 1;  ///< intra-operator threads of a suite
  Allocator allocator = Allocator::steady;
  RanksWith ranks_with = RanksWith::torchgate;
  DeviceMetric device_metric = DeviceMetric::time;
  double group_limit_s = 600;
  double total_limit_s = 5 * 3600;

  bool operator==(const Run&) const = default;
};

/// [baseline]: where runs are kept, and how one is built again.
struct Baseline {
  std::string store = ".torchgate/store";
  std::string branch = "torchgate-baselines";  ///< of the remote: `baseline pull`, `baseline push`
  std::string build;  ///< builds a baseline's commit where its binaries are gone; empty: nothing does
  std::vector<std::string> build_suites;  ///< what it builds, relative to the work tree; empty: Run::suites

  bool operator==(const Baseline&) const = default;
};

/// [import]: result files of other tools.
struct Import {
  std::vector<std::string> better;  ///< "NAME=higher", "NAME=lower": metrics that do not say it
  bool better_asked = false;        ///< one of them by --better: it is of what this command reads or measures

  bool operator==(const Import&) const = default;
};

/// The gate of all cases, and the tables of single ones.
struct CaseGates : Gate {
  std::vector<CaseRule> case_rules;  ///< in the order of the file: the later wins

  bool operator==(const CaseGates&) const = default;
};

/// All that a verdict depends on.
struct Judging : CaseGates {
  std::vector<std::string>
      vary;              ///< facts that differ between the sides of `ab` or `compare` on purpose; no key, only --vary
  bool informs = false;  ///< no change fails: what would is a warning; of `ab --vary libtorch=VERSION` without --gate
  std::vector<Waiver> waivers;
  std::optional<std::chrono::year_month_day> today;  ///< what waivers expire by; set by the command that judges
  std::optional<std::string> pin;  ///< of `gate --since`: the name of the pin; set by the command that judges
  bool of_base = false;  ///< read from the branch which a change goes into: what it judges should be a whole run
  bool of_gate = true;   ///< false: both sides were named, and what they show of a waiver says nothing of the gate

  // About the policy itself, for the report.
  std::vector<std::string> notes;
  std::vector<std::string> doubts;

  bool operator==(const Judging&) const = default;
};

/// All settings. A function takes the part that it reads.
struct Policy : Judging, Run, Import, Baseline {
  std::string waivers_file = default_waivers_file;  ///< beside the policy file

  bool operator==(const Policy&) const = default;
};

/// Absent when a value was taken, else what the key takes.
using Complaint = std::optional<std::string>;

struct PolicyKey {
  const char* name;         ///< "gate.latency"
  const char* description;  ///< one line, with what it takes
  Complaint (*set)(Policy&, const PolicyValue&);
  Complaint (*set_of_case)(CaseSettings&, const PolicyValue&);  ///< nullptr: it may not stand in a [[case]] table
  std::string (*get)(const Policy&);                            ///< as it would stand in the file
  std::vector<std::string> (*words)();                          ///< the words that it takes; nullptr: not one of a list
};

/// All keys, in the order of the documentation.
std::span<const PolicyKey> policy_keys();

/// The words that a key takes; empty: it takes other values, or is unknown.
std::vector<std::string> words_of(std::string_view key);

/// Sets one key. bad_input: unknown (names the nearest known one) or not what the key takes. `where` names the source.
base::Result<void> set_policy(Policy& policy, const std::string& key, const PolicyValue& value,
                              const std::string& where);

/// The same in a [[case]] table, where KEY is without its section. bad_input also for a key that may not stand there.
base::Result<void> set_case_setting(CaseSettings& settings, const std::string& key, const PolicyValue& value);

/// The keys that may stand in a [[case]] table, without their section.
std::set<std::string> case_setting_names();

/// Applies the keys of a file. Relative paths in it (store, suites, waivers) are relative to the file.
base::Result<void> apply_policy_file(Policy& policy, const std::filesystem::path& file);

/// The same for a text that was read elsewhere, such as in a commit; `file` is where it belongs.
base::Result<void> apply_policy_text(Policy& policy, std::string_view text, const std::filesystem::path& file);

/// Applies TORCHGATE_GATE_LATENCY and the like. bad_input also for a variable of a section (TORCHGATE_GATE_...) that is not a key, and not empty;
/// other variables that begin with TORCHGATE_ are not looked at.
base::Result<void> apply_policy_environment(Policy& policy);

}  // namespace torchgate::policy
