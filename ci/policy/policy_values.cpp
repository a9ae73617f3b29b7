// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/policy_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "ci/policy/pairs_budget.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/pattern.hpp"
#include "harness/base/shown_text.hpp"
#include "stats/rules.hpp"

namespace torchgate::policy {
namespace {

constexpr const char* a_budget =
    "a time such as \"90s\", \"5m\" or \"1h30m\", or a number of pairs such as \"24 pairs\"";

std::optional<double> as_number(const PolicyValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc{} || end != text->data() + text->size()) return std::nullopt;
  return number;
}

}  // namespace

std::string number_text(double number) {
  return fmt::format("{}", number);
}

Complaint take_number(double& member, const PolicyValue& value, const Limits& limits) {
  const auto number = as_number(value);
  if (!number || !limits.hold(*number)) return limits.takes;
  member = *number;
  return std::nullopt;
}

Complaint Seconds::take(double& member, const PolicyValue& value) {
  const auto number = as_number(value);
  if (!number || !(*number > 0) || !(*number <= base::max_seconds))
    return fmt::format("takes a number of seconds above 0, and at most {:.0f}", base::max_seconds);
  member = *number;
  return std::nullopt;
}

Complaint take_count(std::int64_t& member, const PolicyValue& value, std::int64_t least, std::int64_t most) {
  const auto number = as_number(value);
  if (!number || *number != std::floor(*number) || *number < static_cast<double>(least) ||
      *number > static_cast<double>(most))
    return fmt::format("takes a whole number from {} to {}", least, most);
  member = static_cast<std::int64_t>(*number);
  return std::nullopt;
}

Complaint Switch::take(bool& member, const PolicyValue& value) {
  const auto* given = std::get_if<bool>(&value);
  const auto* text = std::get_if<std::string>(&value);
  if (given == nullptr && (text == nullptr || (*text != "true" && *text != "false"))) return "takes true or false";
  member = given != nullptr ? *given : *text == "true";
  return std::nullopt;
}

Complaint wrong_text(const std::string* text) {
  return text == nullptr ? Complaint("takes a string") : std::nullopt;
}

Complaint wrong_name(const std::string* text) {
  return text == nullptr || text->empty() ? Complaint("takes a string") : std::nullopt;
}

// The rules of `git check-ref-format --branch`. A name below refs/ would be git's refs/heads/refs/...: a mistake.
Complaint wrong_branch(const std::string* text) {
  if (auto complaint = wrong_name(text)) return complaint;
  const std::string_view name = *text;
  const auto is_refused = [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || std::string_view("\x7f~^:?*[\\").find(c) != std::string_view::npos;
  };
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  const std::string slashes = fmt::format("/{}/", name);  // around each component
  const bool wrong = std::any_of(name.begin(), name.end(), is_refused) || has("..") || has("@{") || name == "@" ||
                     name == "HEAD" || name.front() == '-' || name.back() == '.' || name.starts_with("refs/") ||
                     slashes.find("//") != std::string::npos || slashes.find("/.") != std::string::npos ||
                     slashes.find(".lock/") != std::string::npos;
  if (!wrong) return std::nullopt;
  return fmt::format("takes the name of a branch such as \"torchgate-baselines\", not {}", base::in_quotes(*text));
}

Complaint wrong_rule(const std::string* text) {
  if (text != nullptr && stats::find_rule(*text) != nullptr) return std::nullopt;
  std::string known;
  for (const stats::Rule& rule : stats::rules()) known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", rule.name);
  return "takes one of " + known + (text == nullptr ? "" : ", not \"" + *text + "\"");
}

std::vector<std::string> RuleName::known_words() {
  std::vector<std::string> names;
  for (const stats::Rule& rule : stats::rules()) names.emplace_back(rule.name);
  return names;
}

Complaint wrong_expression(const std::string* text) {
  if (text == nullptr) return "takes a regular expression (RE2 syntax)";
  const auto compiled = base::Pattern::compile_short(*text);
  return compiled ? std::nullopt : Complaint(compiled.error().message);
}

Complaint wrong_gate_budget(const std::string* text) {
  if (text != nullptr && parse_gate_budget(*text)) return std::nullopt;
  return fmt::format("takes \"run\", \"none\", {}", a_budget);
}

Complaint wrong_budget(const std::string* text) {
  if (text != nullptr && parse_budget(*text)) return std::nullopt;
  return fmt::format("takes {}", a_budget);
}

Complaint TextList::take(std::vector<std::string>& member, const PolicyValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    member = {*text};
    return std::nullopt;
  }
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  if (list == nullptr) return "takes a list of strings";
  member = *list;
  return std::nullopt;
}

std::string TextList::text(const std::vector<std::string>& member) {
  std::string list;
  for (const std::string& item : member) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", item);
  return "[" + list + "]";
}

// A flag and an environment variable add to the list of the file; of two about one name the later counts.
Complaint Directions::take(std::vector<std::string>& member, const PolicyValue& value) {
  std::vector<std::string> words;
  const auto* const list = std::get_if<std::vector<std::string>>(&value);
  const auto* const text = std::get_if<std::string>(&value);
  if (list != nullptr) {
    words = *list;
  } else if (text != nullptr) {
    words = member;
    words.push_back(*text);
  }
  const auto is_direction = [](const std::string& word) {
    const std::size_t equals = word.rfind('=');
    return equals != std::string::npos && equals > 0 &&
           (word.substr(equals) == "=higher" || word.substr(equals) == "=lower");
  };
  if ((list == nullptr && text == nullptr) || !std::all_of(words.begin(), words.end(), is_direction))
    return R"(takes NAME=higher or NAME=lower, such as ["tps=higher", "Free Memory=higher"])";
  member = std::move(words);
  return std::nullopt;
}

Complaint CalibratedSd::take(std::optional<double>& member, const PolicyValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text != nullptr && *text == "calibrated") {
    member.reset();
    return std::nullopt;
  }
  const auto number = as_number(value);
  if (!number || !(*number > 0) || !(*number < 1)) return "takes a fraction such as 0.01, or \"calibrated\"";
  member = *number;
  return std::nullopt;
}

std::string CalibratedSd::text(const std::optional<double>& member) {
  return member ? number_text(*member) : "\"calibrated\"";
}

std::string name_of(DeviceMetric metric) {
  return std::string(base::name_of(device_metric_words, metric));
}

}  // namespace torchgate::policy
