// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/environment_differences.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace torchgate::gate {
namespace {

constexpr const char* environment_fact = "library_environment";
constexpr const char* not_set = "(not set)";

// Which objects were loaded is known by their hashes, and which device was used by its facts.
constexpr std::array places{"CUDA_HOME",           "CUDA_PATH", "CUDA_VISIBLE_DEVICES",   "LD_LIBRARY_PATH",
                            "LD_ORIGIN_PATH",      "MKLROOT",   "NVIDIA_VISIBLE_DEVICES", "TORCH_HOME",
                            "TORCH_EXTENSIONS_DIR"};
// Compared as they are.
constexpr std::array facts_of_variables{"threads", "allocator", "environment_switches"};

using Variables = std::map<std::string, std::string>;

const std::string* value_of(const record::Machine& machine, std::string_view name) {
  const auto found =
      std::find_if(machine.facts.begin(), machine.facts.end(), [&](const auto& fact) { return fact.name == name; });
  return found == machine.facts.end() || !found->value ? nullptr : &*found->value;
}

bool begins_a_variable(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
    return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

// "NAME=value OTHER=its value": a word that begins no variable belongs to the value before it.
Variables variables_of(std::string_view text) {
  Variables variables;
  auto last = variables.end();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (begins_a_variable(word)) {
      const std::size_t equals = word.find('=');
      last =
          variables.insert_or_assign(std::string(word.substr(0, equals)), std::string(word.substr(equals + 1))).first;
    } else if (last != variables.end()) {
      last->second += ' ';
      last->second += word;
    }
  }
  return variables;
}

bool says_nothing(const std::string& name) {
  return name.starts_with("LANG") || name.starts_with("LC_") ||
         std::find(places.begin(), places.end(), name) != places.end();
}

std::set<std::string> told_elsewhere(const record::Machine& before, const record::Machine& after) {
  std::set<std::string> names;
  for (const record::Machine* const machine : {&before, &after}) {
    for (const char* const fact : facts_of_variables) {
      const std::string* const text = value_of(*machine, fact);
      if (text == nullptr) continue;
      for (const auto& [name, value] : variables_of(*text)) names.insert(name);
    }
  }
  return names;
}

std::string value_in(const Variables& variables, const std::string& name) {
  const auto found = variables.find(name);
  return found == variables.end() ? not_set : found->second;
}

}  // namespace

std::vector<reports::Difference> environment_differences(const record::Machine& before, const record::Machine& after) {
  std::vector<reports::Difference> differences;
  const std::string* const was = value_of(before, environment_fact);
  const std::string* const is = value_of(after, environment_fact);
  if (was == nullptr || is == nullptr || *was == *is) return differences;
  const Variables old = variables_of(*was);
  const Variables now = variables_of(*is);
  const std::set<std::string> elsewhere = told_elsewhere(before, after);
  Variables all = old;
  all.insert(now.begin(), now.end());
  for (const auto& [name, ignored] : all) {
    if (says_nothing(name) || elsewhere.contains(name)) continue;
    std::string left = value_in(old, name);
    std::string right = value_in(now, name);
    if (left != right)
      differences.push_back({std::string(environment_fact) + ": " + name, std::move(left), std::move(right), false});
  }
  return differences;
}

}  // namespace torchgate::gate
