// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/triage_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "ci/policy/nearest_name.hpp"
#include "ci/policy/toml_document.hpp"
#include "harness/base/hexadecimal.hpp"

namespace torchgate::policy {
namespace {

using base::Error;
using base::ErrorCode;
using Kind = TomlNode::Kind;

const std::set<std::string> cause_keys{"commit", "state", "owner", "due", "reason"};

constexpr std::array<std::pair<const char*, TriageState>, 5> states{{{"acknowledged", TriageState::acknowledged},
                                                                     {"investigating", TriageState::investigating},
                                                                     {"fixed", TriageState::fixed},
                                                                     {"accepted", TriageState::accepted},
                                                                     {"invalid", TriageState::invalid}}};

// Each is compared with all issues.
constexpr std::size_t most_entries = 1000;
// Twelve digits are in the title of an issue, and unique in large repositories.
constexpr std::size_t fewest_digits = 12;
constexpr std::size_t most_digits = 64;

std::optional<TriageState> state_named(const std::string& name) {
  for (const auto& [word, state] : states) {
    if (name == word) return state;
  }
  return std::nullopt;
}

// GitHub: letters, digits and single hyphens, at most 39. In an issue it is "@login", so nothing else may be in it.
bool is_login(const std::string& name) {
  constexpr std::size_t longest_login = 39;
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !name.empty() && name.size() <= longest_login && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), allowed);
}

bool is_commit_prefix(const std::string& text) {
  return text.size() >= fewest_digits && text.size() <= most_digits && base::is_lower_hex(text);
}

std::string unknown_state(const std::string& name) {
  std::set<std::string> words;
  for (const auto& [word, state] : states) words.insert(word);
  return fmt::format(R"(unknown state "{}"; did you mean "{}"? States: acknowledged, investigating, fixed, accepted, )"
                     "invalid",
                     name, nearest_names(name, words, 1).front());
}

std::optional<std::string> wrong_member(const TomlNode& value) {
  if (!cause_keys.contains(value.key)) {
    return fmt::format(R"([[cause]]: unknown key "{}"; did you mean "{}"?)", value.key,
                       nearest_names(value.key, cause_keys, 1).front());
  }
  if (value.key == "due") {
    if (value.kind == Kind::date && value.date.ok()) return std::nullopt;
    return "due takes a date without quotes, such as 2027-01-31: the last day";
  }
  if (value.kind != Kind::text || value.text.find_first_not_of(" \t\r\n") == std::string::npos)
    return value.key + " takes a non-empty string";
  if (value.key == "state" && !state_named(value.text)) return unknown_state(value.text);
  if (value.key == "owner" && !is_login(value.text))
    return "owner takes a GitHub login without @: letters, digits and hyphens";
  if (value.key == "commit" && !is_commit_prefix(value.text))
    return "commit takes 12 to 64 hexadecimal digits in lower case, as in the title of the issue";
  return std::nullopt;
}

std::vector<const char*> required_keys(TriageState state) {
  if (state == TriageState::accepted || state == TriageState::invalid) return {"owner", "reason"};
  if (state == TriageState::fixed) return {"owner"};
  return {"owner", "due"};
}

base::Result<TriageEntry> read_entry(const TomlNode& table, const std::filesystem::path& file) {
  for (const TomlNode& value : table.children) {
    if (const auto wrong = wrong_member(value))
      return Error{ErrorCode::bad_input, fmt::format("{}:{}: {}", file.string(), value.line, *wrong)};
  }
  const auto missing = [&](const char* key, const std::string& where) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}:{}: [[cause]]: missing key \"{}\"{}", file.string(), table.line, key, where)};
  };
  for (const char* key : {"commit", "state"}) {
    if (table.find(key) == nullptr) return missing(key, "; required: commit, state, owner");
  }
  TriageEntry entry;
  entry.commit = table.find("commit")->text;
  entry.state = *state_named(table.find("state")->text);
  for (const char* key : required_keys(entry.state)) {
    if (table.find(key) == nullptr)
      return missing(key, fmt::format("; state \"{}\" requires it", to_string(entry.state)));
  }
  entry.owner = table.find("owner")->text;
  if (const TomlNode* due = table.find("due")) entry.due = due->date;
  if (const TomlNode* reason = table.find("reason")) entry.reason = reason->text;
  entry.place = fmt::format("{}:{}", file.filename().string(), table.line);
  return entry;
}

// A commit that is the beginning of another one is the same.
const TriageEntry* entry_of_same_commit(const std::vector<TriageEntry>& entries, const TriageEntry& entry) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const TriageEntry& each) {
    return each.commit.starts_with(entry.commit) || entry.commit.starts_with(each.commit);
  });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace

const char* to_string(TriageState state) {
  for (const auto& [word, each] : states) {
    if (each == state) return word;
  }
  return "";
}

base::Result<std::vector<TriageEntry>> parse_triage(std::string_view text, const std::filesystem::path& file) {
  const auto document = parse_toml(text, file.string());
  if (!document) return document.error();
  std::vector<TriageEntry> entries;
  for (const TomlNode& section : document->children) {
    if (section.key != "cause" || section.kind != Kind::list) {
      return Error{ErrorCode::bad_input,
                   fmt::format("{}:{}: unknown section \"{}\"; a triage file has only [[cause]] tables", file.string(),
                               section.line, section.key)};
    }
    if (section.children.size() > most_entries) {
      return Error{ErrorCode::bad_input, fmt::format("{}:{}: more than {} causes; remove those that are closed",
                                                     file.string(), section.children[most_entries].line, most_entries)};
    }
    for (const TomlNode& table : section.children) {
      auto entry = read_entry(table, file);
      if (!entry) return entry.error();
      if (const TriageEntry* first = entry_of_same_commit(entries, *entry)) {
        return Error{ErrorCode::bad_input, fmt::format("{}:{}: commit {} is already in {}; keep one of them",
                                                       file.string(), table.line, entry->commit, first->place)};
      }
      entries.push_back(std::move(entry).value());
    }
  }
  return entries;
}

}  // namespace torchgate::policy
