// SPDX-License-Identifier: Apache-2.0
// The table of all keys. Over 400 lines because a key is one row, and what it takes stands in front of the table.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "ci/policy/nearest_name.hpp"
#include "ci/policy/pairs_budget.hpp"
#include "ci/policy/policy.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/pattern.hpp"
#include "stats/rules.hpp"

namespace torchgate::policy {
namespace {

std::optional<double> as_number(const PolicyValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc{} || end != text->data() + text->size()) return std::nullopt;
  return number;
}

// One function per kind of key; the member is a template argument so that the table holds plain function pointers.
template <auto Member>
std::optional<std::string> set_share(Policy& policy, const PolicyValue& value) {
  const auto number = as_number(value);
  if (!number || !(*number > 0) || !(*number < 10))
    return "takes a fraction above 0 and below 10, such as 0.05 for 5 %";
  policy.*Member = *number;
  return std::nullopt;
}

template <auto Member>
std::optional<std::string> set_probability(Policy& policy, const PolicyValue& value) {
  const auto number = as_number(value);
  if (!number || !(*number > 0) || !(*number < 1)) return "takes a probability above 0 and below 1";
  policy.*Member = *number;
  return std::nullopt;
}

template <auto Member>
std::optional<std::string> set_fraction(Policy& policy, const PolicyValue& value) {
  const auto number = as_number(value);
  if (!number || !(*number >= 0) || !(*number <= 1)) return "takes a fraction from 0 to 1";
  policy.*Member = *number;
  return std::nullopt;
}

template <auto Member>
std::optional<std::string> set_switch(Policy& policy, const PolicyValue& value) {
  const auto* given = std::get_if<bool>(&value);
  const auto* text = std::get_if<std::string>(&value);
  if (given == nullptr && (text == nullptr || (*text != "true" && *text != "false"))) return "takes true or false";
  policy.*Member = given != nullptr ? *given : *text == "true";
  return std::nullopt;
}

template <auto Member>
std::string get_switch(const Policy& policy) {
  return policy.*Member ? "true" : "false";
}

template <auto Member>
std::optional<std::string> set_seconds(Policy& policy, const PolicyValue& value) {
  const auto number = as_number(value);
  if (!number || !(*number > 0) || !(*number <= base::max_seconds))
    return fmt::format("takes a number of seconds above 0, and at most {:.0f}", base::max_seconds);
  policy.*Member = *number;
  return std::nullopt;
}

template <auto Member, std::int64_t Least, std::int64_t Most>
std::optional<std::string> set_count(Policy& policy, const PolicyValue& value) {
  const auto number = as_number(value);
  if (!number || *number != std::floor(*number) || *number < Least || *number > Most) {
    return fmt::format("takes a whole number from {} to {}", Least, Most);
  }
  policy.*Member = static_cast<std::int64_t>(*number);
  return std::nullopt;
}

template <auto Member>
std::optional<std::string> set_text_or_nothing(Policy& policy, const PolicyValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return "takes a string";
  policy.*Member = *text;
  return std::nullopt;
}

template <auto Member>
std::optional<std::string> set_text(Policy& policy, const PolicyValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || text->empty()) return "takes a string";
  policy.*Member = *text;
  return std::nullopt;
}

template <auto Member>
std::optional<std::string> set_list(Policy& policy, const PolicyValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    policy.*Member = {*text};
    return std::nullopt;
  }
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  if (list == nullptr) return "takes a list of strings";
  policy.*Member = *list;
  return std::nullopt;
}

// A flag and an environment variable add to the list of the file; of two about one name the later counts.
std::optional<std::string> set_better(Policy& policy, const PolicyValue& value) {
  std::vector<std::string> words;
  if (const auto* const list = std::get_if<std::vector<std::string>>(&value)) {
    words = *list;
  } else if (const auto* const text = std::get_if<std::string>(&value)) {
    words = policy.better;
    words.push_back(*text);
  }
  const auto is_direction = [](const std::string& word) {
    const std::size_t equals = word.rfind('=');
    return equals != std::string::npos && equals > 0 &&
           (word.substr(equals) == "=higher" || word.substr(equals) == "=lower");
  };
  if (words.empty() || !std::all_of(words.begin(), words.end(), is_direction))
    return R"(takes NAME=higher or NAME=lower, such as ["tps=higher", "Free Memory=higher"])";
  policy.better = std::move(words);
  return std::nullopt;
}

template <class Enum>
struct Word {
  const char* name;
  Enum value;
};
constexpr std::array<Word<Action>, 3> action_words{
    {{"pass", Action::pass}, {"warn", Action::warn}, {"fail", Action::fail}}};
constexpr std::array<Word<Unconfirmed>, 3> unconfirmed_words{
    {{"warn", Unconfirmed::warn}, {"beyond", Unconfirmed::beyond}, {"fail", Unconfirmed::fail}}};
constexpr std::array<Word<Suspects>, 2> suspects_words{
    {{"each", Suspects::each}, {"fdr", Suspects::false_discovery_rate}}};
constexpr std::array<Word<Confirm>, 3> confirm_words{
    {{"none", Confirm::none}, {"regressions", Confirm::regressions}, {"all", Confirm::all}}};

constexpr std::array<Word<Partial>, 3> partial_words{
    {{"auto", Partial::automatic}, {"missing", Partial::missing}, {"listed", Partial::listed}}};

constexpr std::array<Word<Allocator>, 2> allocator_words{
    {{"steady", Allocator::steady}, {"system", Allocator::system}}};

template <auto Member, const auto& Words>
std::optional<std::string> set_word(Policy& policy, const PolicyValue& value) {
  std::string known;
  const auto* text = std::get_if<std::string>(&value);
  for (const auto& word : Words) {
    if (text != nullptr && *text == word.name) {
      policy.*Member = word.value;
      return std::nullopt;
    }
    known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", word.name);
  }
  return "takes one of " + known;
}

std::optional<std::string> set_rule(Policy& policy, const PolicyValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text != nullptr && stats::find_rule(*text) != nullptr) {
    policy.rule = *text;
    return std::nullopt;
  }
  std::string known;
  for (const stats::Rule& rule : stats::rules()) {
    known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", rule.name);
  }
  return "takes one of " + known + (text == nullptr ? "" : ", not \"" + *text + "\"");
}

std::optional<std::string> set_pattern(Policy& policy, const PolicyValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return "takes a regular expression (RE2 syntax)";
  if (const auto compiled = base::Pattern::compile_short(*text); !compiled) return compiled.error().message;
  policy.controls = *text;
  return std::nullopt;
}

std::optional<std::string> set_budget(Policy& policy, const PolicyValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || !parse_gate_budget(*text)) {
    return "takes \"run\", \"none\", a time such as \"90s\", \"5m\" or \"1h30m\", or a number of pairs such as \"24 "
           "pairs\"";
  }
  policy.budget = *text;
  return std::nullopt;
}

std::optional<std::string> set_since_budget(Policy& policy, const PolicyValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || !parse_budget(*text))
    return "takes a time such as \"90s\", \"5m\" or \"1h30m\", or a number of pairs such as \"24 pairs\"";
  policy.since_budget = *text;
  return std::nullopt;
}

std::optional<std::string> set_run_sd(Policy& policy, const PolicyValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text != nullptr && *text == "calibrated") {
    policy.run_sd.reset();
    return std::nullopt;
  }
  const auto number = as_number(value);
  if (!number || !(*number > 0) || !(*number < 1)) return "takes a fraction such as 0.01, or \"calibrated\"";
  policy.run_sd = *number;
  return std::nullopt;
}

std::string get_run_sd(const Policy& policy) {
  return policy.run_sd ? fmt::format("{}", *policy.run_sd) : "\"calibrated\"";
}

template <auto Member>
std::string get_number(const Policy& policy) {
  return fmt::format("{}", policy.*Member);
}
template <auto Member>
std::string get_text(const Policy& policy) {
  return fmt::format("\"{}\"", policy.*Member);
}
template <auto Member>
std::string get_list(const Policy& policy) {
  std::string list;
  for (const std::string& item : policy.*Member) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", item);
  return "[" + list + "]";
}
template <auto Member, const auto& Words>
std::string get_word(const Policy& policy) {
  for (const auto& word : Words) {
    if (word.value == policy.*Member) return fmt::format("\"{}\"", word.name);
  }
  return "?";
}

constexpr std::array keys{
    PolicyKey{
        "gate.rule",
        "statistical rule: \"default\" (welch or history, confirmed by paired), \"textbook\", \"welch\", \"history\", "
        "\"paired\", \"exact\"",
        set_rule, get_text<&Policy::rule>},
    PolicyKey{"gate.latency", "a confirmed slow-down of at least this fraction fails the build",
              set_share<&Policy::latency>, get_number<&Policy::latency>},
    PolicyKey{"gate.peak_memory", "gate.memory applies if peak memory grows by at least this fraction",
              set_share<&Policy::peak_memory>, get_number<&Policy::peak_memory>},
    PolicyKey{"gate.memory", "action on such growth of peak memory: \"pass\", \"warn\" or \"fail\"",
              set_word<&Policy::memory, action_words>, get_word<&Policy::memory, action_words>},
    PolicyKey{"gate.tails",
              "action on a P95 or P99 that regressed in pairs: \"pass\" (tails are not judged), \"warn\" or \"fail\"",
              set_word<&Policy::tails, action_words>, get_word<&Policy::tails, action_words>},
    PolicyKey{"gate.instructions",
              "smallest change of a case's number of instructions that is called changed (run --instructions)",
              set_share<&Policy::instructions>, get_number<&Policy::instructions>},
    PolicyKey{"gate.margin", "smallest change that is called regressed or improved", set_share<&Policy::margin>,
              get_number<&Policy::margin>},
    PolicyKey{"gate.equivalence", "margin of \"equivalent\", as a fraction in both directions",
              set_share<&Policy::equivalence>, get_number<&Policy::equivalence>},
    PolicyKey{"gate.alpha", "probability of any false \"regressed\", and of any false broken claim, in one run",
              set_probability<&Policy::alpha>, get_number<&Policy::alpha>},
    PolicyKey{"gate.unconfirmed",
              "action on a suspect without a verdict from pairs: \"warn\", \"beyond\" (fail if its whole interval lies "
              "beyond the gate) or \"fail\"",
              set_word<&Policy::unconfirmed, unconfirmed_words>, get_word<&Policy::unconfirmed, unconfirmed_words>},
    PolicyKey{"gate.inconclusive", "action on an inconclusive case: \"pass\", \"warn\" or \"fail\"",
              set_word<&Policy::inconclusive, action_words>, get_word<&Policy::inconclusive, action_words>},
    PolicyKey{"gate.changed", "action on a changed exact metric: \"pass\", \"warn\" or \"fail\"",
              set_word<&Policy::changed, action_words>, get_word<&Policy::changed, action_words>},
    PolicyKey{"gate.claim_broken", "action on a broken claim: \"pass\", \"warn\" or \"fail\"",
              set_word<&Policy::claim_broken, action_words>, get_word<&Policy::claim_broken, action_words>},
    PolicyKey{"gate.missing",
              "action on a case of the baseline that is missing or not comparable: \"pass\", \"warn\" or \"fail\" (no "
              "verdict if the baseline has no usable numbers of it)",
              set_word<&Policy::missing, action_words>, get_word<&Policy::missing, action_words>},
    PolicyKey{
        "gate.partial",
        "cases that the run's filter or profile leaves out: \"missing\", \"listed\", or \"auto\" (missing in a pull "
        "request and where --policy-from is given, else listed)",
        set_word<&Policy::partial, partial_words>, get_word<&Policy::partial, partial_words>},
    PolicyKey{"gate.confirm",
              "suspects to measure again in pairs: \"none\", \"regressions\" or \"all\" (with improvements)",
              set_word<&Policy::confirm, confirm_words>, get_word<&Policy::confirm, confirm_words>},
    PolicyKey{"gate.suspects",
              "selection of suspects: \"each\" case with p below candidate_p, or \"fdr\" (Benjamini-Hochberg at 5 %)",
              set_word<&Policy::suspects, suspects_words>, get_word<&Policy::suspects, suspects_words>},
    PolicyKey{"gate.candidate_p",
              "p below which a case is a suspect: 0.2 detects smaller changes than 0.1 but needs more pairs",
              set_probability<&Policy::candidate_p>, get_number<&Policy::candidate_p>},
    PolicyKey{
        "gate.pairs",
        "maximum number of interleaved pairs, in gate and ab; raised to the number that the verdicts need (9 for one, "
        "11 for six); measuring stops when the verdict is clear",
        set_count<&Policy::pairs, 2, base::max_pairs>, get_number<&Policy::pairs>},
    PolicyKey{
        "gate.budget",
        "time for pairs of a run's suspects and undecided cases: \"run\" (suspects first, then as long as the run "
        "took), \"5m\", \"200 pairs\", or \"none\" (suspects only)",
        set_budget, get_text<&Policy::budget>},
    PolicyKey{"gate.since",
              "`gate --since PIN`: gate.creep applies if a case is slower than at the pin by at least this fraction",
              set_share<&Policy::since>, get_number<&Policy::since>},
    PolicyKey{"gate.creep", "action on such a slow-down since a pin: \"pass\", \"warn\" or \"fail\"",
              set_word<&Policy::creep, action_words>, get_word<&Policy::creep, action_words>},
    PolicyKey{"gate.since_budget",
              "`gate --since PIN`: time for its pairs, such as \"1h\", or their number, \"200 pairs\"",
              set_since_budget, get_text<&Policy::since_budget>},
    PolicyKey{"gate.weaker_run",
              "in a pull request, action on a run that was measured with less than the base branch asks for and its "
              "baseline has: fewer processes, shorter limits, other threads, --quick: \"pass\", \"warn\" or \"fail\"",
              set_word<&Policy::weaker_run, action_words>, get_word<&Policy::weaker_run, action_words>},
    PolicyKey{
        "gate.min_decided",
        "least fraction of the compared cases that has to be decided; with fewer there is no verdict (exit code 3)",
        set_fraction<&Policy::min_decided>, get_number<&Policy::min_decided>},
    PolicyKey{
        "gate.controls",
        "regular expression (RE2 syntax) for control cases, whose code never changes: their shift is machine drift "
        "and is subtracted from all cases",
        set_pattern, get_text<&Policy::controls>},
    PolicyKey{"gate.compare_code",
              "compare the functions that a case executes when its time differs in pairs: true or false",
              set_switch<&Policy::compare_code>, get_switch<&Policy::compare_code>},
    PolicyKey{"gate.count_undecided",
              "count the instructions of cases that their times leave open (by the CPU or in Callgrind): a count that "
              "rose by gate.latency is a regression: true or false",
              set_switch<&Policy::count_undecided>, get_switch<&Policy::count_undecided>},
    PolicyKey{"gate.allow_noisy",
              "judge times even if `torchgate doctor` found the machine unfit (the report shows it)",
              set_switch<&Policy::allow_noisy>, get_switch<&Policy::allow_noisy>},
    PolicyKey{"gate.run_sd",
              "run-to-run SD of log time, used while fewer than five runs are stored; \"calibrated\": the value from "
              "`torchgate calibrate`, or 0.01 without one",
              set_run_sd, get_run_sd},
    PolicyKey{"gate.waivers", "file of waivers, relative to torchgate.toml", set_text<&Policy::waivers_file>,
              get_text<&Policy::waivers_file>},
    PolicyKey{"run.suites", "suite executables, or folders of suites", set_list<&Policy::suites>,
              get_list<&Policy::suites>},
    PolicyKey{"run.processes", "processes per side and group",
              set_count<&Policy::processes, 1, base::max_processes_per_group>, get_number<&Policy::processes>},
    PolicyKey{"run.threads", "intra-operator threads of a suite", set_count<&Policy::threads, 1, base::max_threads>,
              get_number<&Policy::threads>},
    PolicyKey{
        "run.allocator",
        "malloc of the suites: \"steady\" (keeps freed memory, huge pages where possible) or \"system\" (as the C "
        "library does it); times of the two are never compared",
        set_word<&Policy::allocator, allocator_words>, get_word<&Policy::allocator, allocator_words>},
    PolicyKey{"run.group_limit_s", "time limit of one process in seconds", set_seconds<&Policy::group_limit_s>,
              get_number<&Policy::group_limit_s>},
    PolicyKey{"run.total_limit_s", "no process is started after this many seconds", set_seconds<&Policy::total_limit_s>,
              get_number<&Policy::total_limit_s>},
    PolicyKey{"import.better",
              "metrics, units or benchmarks of other tools' files that do not say what is better: "
              "[\"tps=higher\", \"Free Memory=higher\"]; \"*\" is all of them",
              set_better, get_list<&Policy::better>},
    PolicyKey{"baseline.store", "folder of the baseline store", set_text<&Policy::store>, get_text<&Policy::store>},
    PolicyKey{"baseline.branch", "branch of the remote that `baseline pull` and `baseline push` keep the store on",
              set_text<&Policy::branch>, get_text<&Policy::branch>},
    PolicyKey{"baseline.build",
              "shell command that rebuilds a baseline's commit in a work tree ({dir}) if its binaries are missing",
              set_text_or_nothing<&Policy::build>, get_text<&Policy::build>},
    PolicyKey{"baseline.suites", "the rebuilt suites, relative to the work tree (default: run.suites)",
              set_list<&Policy::build_suites>, get_list<&Policy::build_suites>},
};

std::string environment_name(std::string_view key) {
  std::string name = "TORCHGATE_";
  for (const char c : key) name += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace

std::span<const PolicyKey> policy_keys() {
  return keys;
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

base::Result<void> apply_policy_environment(Policy& policy) {
  for (const PolicyKey& key : keys) {
    const std::string name = environment_name(key.name);
    const char* text = std::getenv(name.c_str());
    if (text == nullptr || *text == '\0') continue;
    if (auto set = set_policy(policy, key.name, std::string(text), "environment variable " + name); !set) return set;
  }
  return {};
}

}  // namespace torchgate::policy
