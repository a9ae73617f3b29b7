// SPDX-License-Identifier: Apache-2.0
// torchgate.toml: sections of keys, and [[case]] tables.
#include <fmt/format.h>

#include "ci/policy/case_rules.hpp"
#include "ci/policy/policy.hpp"
#include "ci/policy/toml_document.hpp"
#include "harness/base/atomic_file.hpp"

namespace torchgate::policy {
namespace {

using base::Error;
using base::ErrorCode;
using Kind = TomlNode::Kind;

constexpr std::int64_t largest_policy_file = 4 << 20;  // a thousand times a file written by hand

bool sets(const TomlNode& document, std::string_view section, std::string_view key) {
  const TomlNode* const table = document.find(section);
  return table != nullptr && table->find(key) != nullptr;
}

// A relative path in a file means relative to that file, wherever torchgate was started.
void anchor_paths(Policy& policy, const TomlNode& document, const std::filesystem::path& folder) {
  const auto anchor = [&](std::string& path) {
    if (path.find("://") == std::string::npos) path = (folder / path).lexically_normal().string();
  };
  if (sets(document, "baseline", "store")) anchor(policy.store);
  anchor(policy.waivers_file);  // beside this file, named in it or not
  if (sets(document, "run", "suites")) {
    for (std::string& suite : policy.suites) anchor(suite);
  }
}

base::Result<void> apply_section(Policy& policy, const TomlNode& section, const std::filesystem::path& file) {
  for (const TomlNode& node : section.children) {
    const std::string where = fmt::format("{}:{}", file.string(), node.line);
    const std::string name = section.key + "." + node.key;
    const auto value = policy_value(node);
    if (!value) {
      return Error{ErrorCode::bad_input,
                   fmt::format("{}: {} takes a number, a string or a list of strings", where, name)};
    }
    if (auto set = set_policy(policy, name, *value, where); !set) return set;
  }
  return {};
}

// Each is matched with each case of a comparison.
constexpr std::size_t most_case_tables = 256;

base::Result<void> apply_case_tables(Policy& policy, const TomlNode& list, const std::filesystem::path& file) {
  if (list.children.size() > most_case_tables) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}:{}: more than {} [[case]] tables; use patterns that match more cases", file.string(),
                             list.children[most_case_tables].line, most_case_tables)};
  }
  for (const TomlNode& table : list.children) {
    auto rule = read_case_rule(table, file);
    if (!rule) return rule.error();
    policy.case_rules.push_back(std::move(rule).value());
  }
  return {};
}

}  // namespace

base::Result<void> apply_policy_file(Policy& policy, const std::filesystem::path& file) {
  const auto text = base::read_file(file, largest_policy_file);
  if (!text) return text.error();
  return apply_policy_text(policy, *text, file);
}

base::Result<void> apply_policy_text(Policy& policy, std::string_view text, const std::filesystem::path& file) {
  const auto document = parse_toml(text, file.string());
  if (!document) return document.error();
  Policy changed = policy;
  for (const TomlNode& section : document->children) {
    const std::string where = fmt::format("{}:{}", file.string(), section.line);
    base::Result<void> applied;
    if (section.key == "case" && section.kind == Kind::list) {
      applied = apply_case_tables(changed, section, file);
    } else if (section.key == "case" || section.kind == Kind::list) {
      applied =
          Error{ErrorCode::bad_input,
                fmt::format("{}: \"{}\" is not a known list of tables; did you mean [[case]]?", where, section.key)};
    } else if (section.kind != Kind::table) {
      applied = Error{ErrorCode::bad_input, fmt::format("{}: \"{}\" is outside of a section; move it to [gate], [run], "
                                                        "[import] or [baseline]",
                                                        where, section.key)};
    } else {
      applied = apply_section(changed, section, file);
    }
    if (!applied) return applied;
  }
  anchor_paths(changed, *document, file.parent_path());
  policy = changed;
  return {};
}

}  // namespace torchgate::policy
