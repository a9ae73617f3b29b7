// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/case_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ci/policy/nearest_name.hpp"
#include "ci/policy/policy_values.hpp"
#include "ci/policy/since_pin.hpp"
#include "harness/base/counted.hpp"
#include "harness/record/instruction_count.hpp"

namespace torchgate::policy {
namespace {

using base::Error;
using base::ErrorCode;
using Kind = TomlNode::Kind;

std::string nearest_key(const std::string& key) {
  std::set<std::string> known = case_setting_names();
  known.insert({"match", "exact", "metrics", "budget"});
  return nearest_names(key, known, 1).front();
}

std::optional<std::string> wrong_pattern(const TomlNode& node) {
  if (node.kind != Kind::text || node.text.empty()) return node.key + " takes a non-empty string";
  if (node.key == "exact") return std::nullopt;
  const auto compiled = base::Pattern::compile_short(node.text);
  return compiled ? std::nullopt : std::optional("match: " + compiled.error().message);
}

std::optional<std::string> take_budget(CaseRule& rule, const TomlNode& node) {
  auto budget = node.kind == Kind::number ? case_budget_of(node.number)
                : node.kind == Kind::text
                    ? parse_case_budget(node.text)
                    : base::Result<CaseBudget>(Error{ErrorCode::bad_input, "a budget takes a text or a number"});
  if (!budget) return fmt::format("budget.{}: {}", node.key, budget.error().message);
  rule.budgets[node.key] = *std::move(budget);
  return std::nullopt;
}

// What is wrong with a key of the table, when it is; else the rule has it.
std::optional<std::string> take_key(CaseRule& rule, const TomlNode& node) {
  if (node.key == "match" || node.key == "exact") {
    rule.pattern = node.text;
    rule.exact = node.key == "exact";
    return wrong_pattern(node);
  }
  if (node.key == "metrics") {
    if (node.kind != Kind::table) return "metrics takes a table such as { cpu_time = \"fail\" }";
    for (const TomlNode& metric : node.children) {
      const PolicyValue value = metric.kind == Kind::text ? PolicyValue(metric.text) : PolicyValue(false);
      if (const auto complaint = ActionWord::take(rule.metrics[metric.key], value))
        return fmt::format("metrics.{} {}", metric.key, *complaint);
    }
    return std::nullopt;
  }
  if (node.key == "budget") {
    if (node.kind != Kind::table) return R"(budget takes a table such as { time = "100 ms", peak_bytes = "4 GB" })";
    for (const TomlNode& metric : node.children) {
      if (auto complaint = take_budget(rule, metric)) return complaint;
    }
    return std::nullopt;
  }
  if (!case_setting_names().contains(node.key))
    return fmt::format(R"([[case]]: unknown key "{}"; did you mean "{}"?)", node.key, nearest_key(node.key));
  const auto value = policy_value(node);
  if (!value) return node.key + " takes a number or a string";
  CaseSettings scratch;
  if (const auto set = set_case_setting(scratch, node.key, *value); !set) return set.error().message;
  rule.settings.emplace_back(node.key, *value);
  return std::nullopt;
}

void apply(CaseSettings& settings, const CaseRule& rule) {
  for (const auto& [key, value] : rule.settings) (void)set_case_setting(settings, key, value).ok();
  for (const auto& [metric, action] : rule.metrics) settings.metrics[metric] = action;
  for (const auto& [metric, budget] : rule.budgets) settings.budgets[metric] = budget;
}

std::string value_words(const std::string& key, const CaseRule& rule) {
  Policy policy;
  apply(policy, rule);
  for (const PolicyKey& each : policy_keys()) {
    if (each.name == "gate." + key) return key + " " + each.get(policy);
  }
  return key;
}

std::string rule_words(const CaseRule& rule) {
  std::string words;
  const auto add = [&](const std::string& one) { words += (words.empty() ? "" : ", ") + one; };
  for (const auto& [key, value] : rule.settings) add(value_words(key, rule));
  for (const auto& [metric, action] : rule.metrics) add(fmt::format("metric {} {}", metric, ActionWord::text(action)));
  for (const auto& [metric, budget] : rule.budgets) add(fmt::format("budget {} {}", metric, budget.text));
  return words;
}

// The suite that the table is about, by the beginning of its pattern; empty: it may be about any.
std::string_view suite_of(const CaseRule& rule) {
  std::string_view name = rule.pattern;
  if (!rule.exact) {
    if (!name.starts_with('^')) return {};
    name.remove_prefix(1);
  }
  const std::size_t end = name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
  return end != std::string_view::npos && name[end] == '/' ? name.substr(0, end) : std::string_view();
}

bool is_like_one_of(std::string_view suite, const std::set<std::string>& suites) {
  constexpr std::size_t most_typing_errors = 2;
  const auto near = nearest_names(suite, suites, 1);
  return !near.empty() && edit_distance(suite, near.front()) <= most_typing_errors;
}

std::string title(const CaseRule& rule) {
  return fmt::format("{}: [[case]] {} = \"{}\"", rule.place, rule.exact ? "exact" : "match", rule.pattern);
}

}  // namespace

std::optional<PolicyValue> policy_value(const TomlNode& node) {
  if (node.kind == Kind::boolean) return node.flag;
  if (node.kind == Kind::text) return node.text;
  if (node.kind == Kind::number) return node.number;
  if (node.kind != Kind::list) return std::nullopt;
  std::vector<std::string> texts;
  for (const TomlNode& element : node.children) {
    if (element.kind != Kind::text) return std::nullopt;
    texts.push_back(element.text);
  }
  return texts;
}

base::Result<CaseRule> read_case_rule(const TomlNode& table, const std::filesystem::path& file) {
  const auto wrong = [&](std::int64_t line, const std::string& what) {
    return Error{ErrorCode::bad_input, fmt::format("{}:{}: {}", file.string(), line, what)};
  };
  if (table.kind != Kind::table || (table.find("match") == nullptr) == (table.find("exact") == nullptr)) {
    return wrong(table.line, R"([[case]]: exactly one of match = "REGEX" and exact = "full name" is required)");
  }
  CaseRule rule;
  rule.place = fmt::format("{}:{}", file.filename().string(), table.line);
  for (const TomlNode& node : table.children) {
    if (const auto complaint = take_key(rule, node)) return wrong(node.line, *complaint);
  }
  return rule;
}

Judging awaiting_pairs(Judging policy) {
  policy.unconfirmed = Unconfirmed::warn;
  for (CaseRule& rule : policy.case_rules)
    std::erase_if(rule.settings, [](const auto& setting) { return setting.first == "unconfirmed"; });
  return policy;
}

CasePolicies::CasePolicies(const CaseGates& gates) : gates_(gates), of_others_(static_cast<const Gate&>(gates)) {
  settle_gate(of_others_);
  for (const CaseRule& rule : gates.case_rules) {
    patterns_.emplace_back();
    if (rule.exact) continue;
    if (auto pattern = base::Pattern::compile_short(rule.pattern)) patterns_.back() = std::move(pattern).value();
  }
}

std::vector<std::size_t> CasePolicies::rules_for(std::string_view case_name) const {
  std::vector<std::size_t> rules;
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    const bool named = patterns_[i] ? patterns_[i]->found_in(case_name) : case_name == gates_.case_rules[i].pattern;
    if (named) rules.push_back(i);
  }
  return rules;
}

const Gate& CasePolicies::of(std::string_view case_name) {
  auto rules = rules_for(case_name);
  if (rules.empty()) return of_others_;
  auto& resolved = resolved_[rules];
  if (resolved == nullptr) {
    resolved = std::make_unique<Gate>(gates_);
    for (const std::size_t rule : rules) apply(*resolved, gates_.case_rules[rule]);
    settle_gate(*resolved);
  }
  return *resolved;
}

std::string CasePolicies::own_settings(std::string_view case_name) const {
  std::string words;
  for (const std::size_t index : rules_for(case_name)) {
    const CaseRule& rule = gates_.case_rules[index];
    const std::string own = rule_words(rule);
    if (!own.empty()) words += fmt::format("{}{} ({})", words.empty() ? "" : ", then ", own, rule.place);
  }
  return words;
}

std::vector<std::string> CasePolicies::notes(const std::map<std::string_view, const record::Case*>& cases,
                                             const std::map<std::string_view, const record::Case*>& others) const {
  std::vector<std::size_t> counts(patterns_.size());
  std::vector<std::set<std::string>> metrics(patterns_.size());  // that its cases have
  std::set<std::string> suites;
  if (!patterns_.empty()) {
    for (const auto& [name, definition] : cases) {
      suites.emplace(name.substr(0, name.find('/')));
      for (const std::size_t rule : rules_for(name)) {
        ++counts[rule];
        for (const record::Metric& metric : definition->metrics) metrics[rule].insert(metric.name);
      }
    }
    for (const auto& [name, definition] : others) {
      for (const std::size_t rule : rules_for(name))
        for (const record::Metric& metric : definition->metrics) metrics[rule].insert(metric.name);
    }
  }
  std::vector<std::string> notes;
  std::set<std::string_view> elsewhere;  // suites
  std::int64_t tables_elsewhere = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const CaseRule& rule = gates_.case_rules[i];
    if (counts[i] == 0) {
      if (const std::string_view suite = suite_of(rule); !suite.empty() && !is_like_one_of(suite, suites)) {
        elsewhere.insert(suite);
        ++tables_elsewhere;
        continue;
      }
      notes.push_back(title(rule) + " matches no case of this comparison");
      continue;
    }
    notes.push_back(
        fmt::format("{}: {} for {}", title(rule), rule_words(rule), base::counted(counts[i], "case", "cases")));
    for (const auto& [metric, action] : rule.metrics) {
      // Counted beside the cases' own metrics; the stage that compares them says where they are missing.
      if (metrics[i].contains(metric) || metric == record::instructions_metric) continue;
      if (metrics[i].contains(metric + "_sampled")) continue;  // a count, of files where its samples differ
      const auto near = nearest_names(metric, metrics[i], 1);
      const std::string nearest = near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near.front());
      notes.push_back(fmt::format("{}: no matching case has a metric \"{}\"{}", title(rule), metric, nearest));
    }
  }
  if (tables_elsewhere > 0) {
    notes.push_back(fmt::format("{} for suites that are not in this comparison: {}",
                                base::counted(tables_elsewhere, "[[case]] table is", "[[case]] tables are"),
                                fmt::join(elsewhere, ", ")));
  }
  return notes;
}

}  // namespace torchgate::policy
