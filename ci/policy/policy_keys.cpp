// SPDX-License-Identifier: Apache-2.0
// The table of all keys.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>

#include "ci/policy/nearest_name.hpp"
#include "ci/policy/policy.hpp"
#include "ci/policy/policy_values.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"

namespace torchgate::policy {
namespace {

template <class Part, class Value>
Part part_of(Value Part::*);

// A row of the table. What is a member of CaseSettings may stand in a [[case]] table.
template <auto member, class Kind>
constexpr PolicyKey key(const char* name, const char* description) {
  PolicyKey row{name, description, nullptr, nullptr, nullptr, nullptr};
  row.set = [](Policy& policy, const PolicyValue& value) { return Kind::take(policy.*member, value); };
  row.get = [](const Policy& policy) { return Kind::text(policy.*member); };
  if constexpr (std::is_same_v<decltype(part_of(member)), CaseSettings>)
    row.set_of_case = [](CaseSettings& settings, const PolicyValue& value) {
      return Kind::take(settings.*member, value);
    };
  if constexpr (requires { Kind::known_words(); }) row.words = [] { return Kind::known_words(); };
  return row;
}

constexpr std::array keys{
    key<&Gate::rule, RuleName>("gate.rule",
                               "statistical rule: \"default\" (welch or history, confirmed by paired), "
                               "\"textbook\", \"welch\", \"history\", \"paired\", \"exact\""),
    key<&CaseSettings::latency, Number<share>>("gate.latency",
                                               "a confirmed slow-down of at least this fraction fails the build"),
    key<&CaseSettings::peak_memory, Number<share>>(
        "gate.peak_memory", "gate.memory applies if peak memory grows by at least this fraction"),
    key<&CaseSettings::memory, ActionWord>("gate.memory",
                                           "action on such growth of peak memory: \"pass\", \"warn\" or \"fail\""),
    key<&CaseSettings::tails, ActionWord>(
        "gate.tails",
        "action on a P95 or P99 that regressed in pairs: \"pass\" (not judged; a mean that is 20 % slower beside an "
        "unchanged median is a doubt), \"warn\" or \"fail\""),
    key<&CaseSettings::instructions, Number<share>>(
        "gate.instructions",
        "smallest change of a case's number of instructions that is called changed (run --instructions)"),
    key<&CaseSettings::margin, Number<share>>("gate.margin", "smallest change that is called regressed or improved"),
    key<&CaseSettings::equivalence, Number<share>>("gate.equivalence",
                                                   "margin of \"equivalent\", as a fraction in both directions"),
    key<&Gate::alpha, Number<probability>>(
        "gate.alpha", "probability of any false \"regressed\", and of any false broken claim, in one run"),
    key<&CaseSettings::unconfirmed, OneOf<unconfirmed_words>>(
        "gate.unconfirmed",
        "action on a suspect without a verdict from pairs: \"warn\", \"beyond\" (fail if its whole interval lies "
        "beyond the gate) or \"fail\""),
    key<&CaseSettings::inconclusive, ActionWord>("gate.inconclusive",
                                                 "action on an inconclusive case: \"pass\", \"warn\" or \"fail\""),
    key<&CaseSettings::changed, ActionWord>("gate.changed",
                                            "action on a changed exact metric: \"pass\", \"warn\" or \"fail\""),
    key<&CaseSettings::claim_broken, ActionWord>("gate.claim_broken",
                                                 "action on a broken claim: \"pass\", \"warn\" or \"fail\""),
    key<&CaseSettings::missing, ActionWord>(
        "gate.missing",
        "action on a case of the baseline that is missing or not comparable: \"pass\", \"warn\" or \"fail\" (no "
        "verdict if the baseline has no usable numbers of it)"),
    key<&Gate::partial, OneOf<partial_words>>(
        "gate.partial",
        "cases that the run's filter or profile leaves out: \"missing\", \"listed\", or \"auto\" (missing in a pull "
        "request and where --policy-from is given, else listed)"),
    key<&Gate::confirm, OneOf<confirm_words>>(
        "gate.confirm", "suspects to measure again in pairs: \"none\", \"regressions\" or \"all\" (with improvements)"),
    key<&Gate::suspects, OneOf<suspects_words>>(
        "gate.suspects",
        "selection of suspects: \"each\" case with p below candidate_p, or \"fdr\" (Benjamini-Hochberg at 5 %)"),
    key<&Gate::candidate_p, Number<probability>>(
        "gate.candidate_p",
        "p below which a case is a suspect: 0.2 detects smaller changes than 0.1 but needs more pairs"),
    key<&Gate::pairs, Count<2, base::max_pairs>>(
        "gate.pairs",
        "maximum number of interleaved pairs, in gate and ab; raised to the number that the verdicts need (9 for one, "
        "11 for six); measuring stops when the verdict is clear"),
    key<&Gate::budget, Text<wrong_gate_budget>>(
        "gate.budget",
        "time for pairs of a run's suspects and undecided cases: \"run\" (suspects first, then as long as the run "
        "took), \"5m\", \"200 pairs\", or \"none\" (suspects only)"),
    key<&CaseSettings::since, Number<share>>(
        "gate.since",
        "`gate --since PIN`: gate.creep applies if a case is slower than at the pin by at least this fraction"),
    key<&CaseSettings::creep, ActionWord>("gate.creep",
                                          "action on such a slow-down since a pin: \"pass\", \"warn\" or \"fail\""),
    key<&Gate::since_budget, Text<wrong_budget>>(
        "gate.since_budget", "`gate --since PIN`: time for its pairs, such as \"1h\", or their number, \"200 pairs\""),
    key<&Gate::weaker_run, ActionWord>(
        "gate.weaker_run",
        "in a pull request, action on a run that was measured with less than the base branch asks for and its baseline "
        "has: fewer processes, shorter limits, other threads, --quick: \"pass\", \"warn\" or \"fail\""),
    key<&Gate::min_decided, Number<fraction>>(
        "gate.min_decided",
        "least fraction of the compared cases that has to be decided; with fewer there is no verdict (exit code 3)"),
    key<&Gate::controls, Text<wrong_expression>>(
        "gate.controls",
        "regular expression (RE2 syntax) for control cases, whose code never "
        "changes: their shift is machine drift and is subtracted from all cases"),
    key<&Gate::compare_code, Switch>(
        "gate.compare_code",
        "compare the functions that a case executes when its time differs in pairs: true or false"),
    key<&Gate::count_undecided, Switch>("gate.count_undecided",
                                        "count the instructions of cases that their times leave open (by the CPU or in "
                                        "Callgrind): a count that rose by gate.latency is a regression: true or false"),
    key<&Gate::allow_noisy, Switch>(
        "gate.allow_noisy", "judge times even if `torchgate doctor` found the machine unfit (the report shows it)"),
    key<&Gate::run_sd, CalibratedSd>("gate.run_sd",
                                     "run-to-run SD of log time, used while fewer than five runs are stored; "
                                     "\"calibrated\": the value from `torchgate calibrate`, or 0.01 without one"),
    key<&Policy::waivers_file, Text<wrong_name>>("gate.waivers", "file of waivers, relative to torchgate.toml"),
    key<&Run::suites, TextList>("run.suites", "suite executables, or folders of suites"),
    key<&Run::processes, Count<1, base::max_processes_per_group>>("run.processes", "processes per side and group"),
    key<&Run::threads, Count<1, base::max_threads>>("run.threads", "intra-operator threads of a suite"),
    key<&Run::allocator, OneOf<allocator_words>>(
        "run.allocator",
        "malloc of the suites: \"steady\" (keeps freed memory, huge pages where possible) or \"system\" (as the C "
        "library does it); times of the two are never compared"),
    key<&Run::ranks_with, OneOf<ranks_words>>(
        "run.ranks_with",
        "what starts the processes of groups with ranks: \"torchgate\" on this machine, \"srun\" as tasks of this job "
        "of Slurm, on all its nodes, or \"auto\": srun in a job with several tasks or nodes"),
    key<&Run::device_metric, OneOf<device_metric_words>>(
        "run.device_metric",
        "what cases on a GPU are judged by: \"time\" (that a caller waits), \"gpu_time_hot\" or \"gpu_time_cold\" (the "
        "device's own); the others are measured, too"),
    key<&Run::group_limit_s, Seconds>("run.group_limit_s", "time limit of one process in seconds"),
    key<&Run::total_limit_s, Seconds>("run.total_limit_s", "no process is started after this many seconds"),
    key<&Import::better, Directions>("import.better",
                                     "metrics, units or benchmarks of other tools' files that do not say what is "
                                     "better: [\"tps=higher\", \"Free Memory=higher\"]; \"*\" is all of them"),
    key<&Baseline::store, Text<wrong_name>>("baseline.store",
                                            "baseline store: a folder, or postgresql://user@host/database"),
    key<&Baseline::branch, Text<wrong_branch>>(
        "baseline.branch", "branch of the remote that `baseline pull` and `baseline push` keep the store on"),
    key<&Baseline::build, Text<wrong_text>>(
        "baseline.build",
        "shell command that rebuilds a baseline's commit in a work tree ({dir}) if its binaries are missing"),
    key<&Baseline::build_suites, TextList>(
        "baseline.suites",
        "the rebuilt suites, relative to the work tree (default: run.suites, here or of that commit)"),
};

// Of the keys that a [[case]] table may have, which names them without it.
constexpr std::string_view case_section = "gate.";

std::string environment_name(std::string_view key) {
  std::string name = "TORCHGATE_";
  for (const char c : key) name += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

// Whether NAME is of a section of the policy: "TORCHGATE_GATE_". Other variables of torchgate (TORCHGATE_ACCEPT) are not.
bool is_of_a_section(std::string_view name) {
  return std::any_of(keys.begin(), keys.end(), [&](const PolicyKey& key) {
    const std::string_view section(key.name, std::string_view(key.name).find('.') + 1);
    return name.starts_with(environment_name(section));
  });
}

// Variables of the CI templates (ci/templates), which are keys without their section.
constexpr std::array<std::string_view, 2> other_variables{"TORCHGATE_SUITES", "TORCHGATE_BUILD"};

// The variable that NAME was probably typed for: of a section it is one, as is what one or two bytes or the section alone tell from one. Empty: it is
// of something else.
std::string mistaken_for(const std::string& name, const std::set<std::string>& known) {
  if (std::find(other_variables.begin(), other_variables.end(), name) != other_variables.end()) return "";
  for (const PolicyKey& key : keys)
    if (name == environment_name(std::string_view(key.name).substr(std::string_view(key.name).find('.') + 1)))
      return environment_name(key.name);
  constexpr std::size_t most_edits = 2;
  const std::string nearest = nearest_names(name, known, 1).front();
  return is_of_a_section(name) || edit_distance(name, nearest) <= most_edits ? nearest : "";
}

// A misspelt key of a file is an error, too.
base::Result<void> check_environment_names() {
  std::set<std::string> known;
  for (const PolicyKey& key : keys) known.insert(environment_name(key.name));
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string name(text.substr(0, text.find('=')));
    if (!name.starts_with("TORCHGATE") || text.size() <= name.size() + 1 || known.contains(name)) continue;
    if (const std::string meant = mistaken_for(name, known); !meant.empty()) {
      return base::Error{base::ErrorCode::bad_input,
                         fmt::format("environment variable {}: unknown; did you mean {}?", base::shown(name), meant)};
    }
  }
  return {};
}

}  // namespace

std::span<const PolicyKey> policy_keys() {
  return keys;
}

std::vector<std::string> words_of(std::string_view key) {
  const auto* const found =
      std::find_if(keys.begin(), keys.end(), [key](const PolicyKey& each) { return each.name == key; });
  return found == keys.end() || found->words == nullptr ? std::vector<std::string>{} : found->words();
}

base::Result<void> set_policy(Policy& policy, const std::string& key, const PolicyValue& value,
                              const std::string& where) {
  const auto distance = [&](const PolicyKey& k) { return edit_distance(k.name, key); };
  const auto nearest = std::min_element(keys.begin(), keys.end(),
                                        [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  if (key != nearest->name) {
    return base::Error{base::ErrorCode::bad_input,
                       fmt::format("{}: unknown key \"{}\"; did you mean \"{}\"?", where, key, nearest->name)};
  }
  if (const auto complaint = nearest->set(policy, value)) {
    return base::Error{base::ErrorCode::bad_input, fmt::format("{}: {} {}", where, key, *complaint)};
  }
  return {};
}

base::Result<void> set_case_setting(CaseSettings& settings, const std::string& key, const PolicyValue& value) {
  for (const PolicyKey& each : keys) {
    if (each.set_of_case == nullptr || each.name != std::string(case_section) + key) continue;
    if (const auto complaint = each.set_of_case(settings, value))
      return base::Error{base::ErrorCode::bad_input, fmt::format("[[case]]: {} {}", each.name, *complaint)};
    return {};
  }
  return base::Error{base::ErrorCode::bad_input, fmt::format("[[case]]: unknown key \"{}\"", key)};
}

std::set<std::string> case_setting_names() {
  std::set<std::string> names;
  for (const PolicyKey& each : keys) {
    if (each.set_of_case != nullptr) names.insert(each.name + case_section.size());
  }
  return names;
}

base::Result<void> apply_policy_environment(Policy& policy) {
  if (auto checked = check_environment_names(); !checked) return checked;
  for (const PolicyKey& key : keys) {
    const std::string name = environment_name(key.name);
    const char* text = std::getenv(name.c_str());
    if (text == nullptr || *text == '\0') continue;
    if (auto set = set_policy(policy, key.name, std::string(text), "environment variable " + name); !set) return set;
  }
  return {};
}

}  // namespace torchgate::policy
