// SPDX-License-Identifier: Apache-2.0
// The one file that includes toml++.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <sstream>

#include "ci/gate/policy.hpp"

namespace torchgate::gate {
namespace {

constexpr const char* policy_file_name = "torchgate.toml";

std::optional<PolicyValue> value_of(const toml::node& node) {
  if (const auto flag = node.value_exact<bool>()) return *flag;
  if (node.is_string()) return *node.value<std::string>();
  if (node.is_number()) return *node.value<double>();
  if (const toml::array* array = node.as_array()) {
    std::vector<std::string> texts;
    for (const toml::node& element : *array) {
      const auto text = element.value_exact<std::string>();
      if (!text) return std::nullopt;
      texts.push_back(*text);
    }
    return texts;
  }
  return std::nullopt;
}

std::string place(const std::filesystem::path& file, const toml::node& node) {
  return fmt::format("{}:{}", file.string(), node.source().begin.line);
}

// A relative path in a file means relative to that file, wherever torchgate was started.
void anchor_paths(Policy& policy, const Policy& before, const std::filesystem::path& folder) {
  const auto anchor = [&](std::string& path) {
    if (path.find("://") == std::string::npos) path = (folder / path).lexically_normal().string();
  };
  if (policy.store != before.store) anchor(policy.store);
  if (policy.suites != before.suites) {
    for (std::string& suite : policy.suites) anchor(suite);
  }
}

}  // namespace

std::optional<std::filesystem::path> find_policy_file(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (auto here = std::filesystem::absolute(folder, ignored);; here = here.parent_path()) {
    if (std::filesystem::is_regular_file(here / policy_file_name, ignored)) return here / policy_file_name;
    if (here == here.parent_path()) return std::nullopt;
  }
}

record::Result<void> apply_policy_file(Policy& policy, const std::filesystem::path& file) {
  const Policy before = policy;
  Policy changed = policy;
  try {
    const toml::table document = toml::parse_file(file.string());
    for (const auto& [section, node] : document) {
      const toml::table* table = node.as_table();
      if (table == nullptr) {
        return record::Error{record::ErrorCode::bad_input,
                             fmt::format("{}: \"{}\" has to stand in a section: [gate], [run] or [baseline]",
                                         place(file, node), section.str())};
      }
      for (const auto& [key, value_node] : *table) {
        const auto value = value_of(value_node);
        const std::string name = fmt::format("{}.{}", section.str(), key.str());
        if (!value) {
          return record::Error{
              record::ErrorCode::bad_input,
              fmt::format("{}: {} takes a number, a text or a list of texts", place(file, value_node), name)};
        }
        if (auto set = set_policy(changed, name, *value, place(file, value_node)); !set) return set;
      }
    }
  } catch (const toml::parse_error& error) {
    return record::Error{record::ErrorCode::bad_input,
                         fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description())};
  }
  anchor_paths(changed, before, file.parent_path());
  policy = changed;
  return {};
}

}  // namespace torchgate::gate
