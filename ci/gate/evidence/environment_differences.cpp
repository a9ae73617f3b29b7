// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/environment_differences.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "harness/record/variables.hpp"

namespace torchgate::gate {
namespace {

using record::Variables;

constexpr const char* not_set = "(not set)";

// Compared as they are.
constexpr std::array facts_of_variables{"threads", "allocator", record::environment_switches_fact};

/// FACT of the whole run, and of the shards of a merged run where it has another value: "library_environment (shard 2)". Empty: not known.
std::vector<std::string_view> texts_of_fact(const record::Machine& machine, std::string_view fact) {
  std::vector<std::string_view> texts;
  for (const record::MachineFact& each : machine.facts) {
    const bool of_shard = each.name.starts_with(fact) && each.name.substr(fact.size()).starts_with(" (shard ");
    if (each.value && (each.name == fact || of_shard)) texts.emplace_back(*each.value);
  }
  return texts;
}

std::set<std::string> told_elsewhere(const record::Machine& before, const record::Machine& after) {
  std::set<std::string> names;
  for (const record::Machine* const machine : {&before, &after}) {
    for (const char* const fact : facts_of_variables)
      for (const std::string_view text : texts_of_fact(*machine, fact))
        for (const auto& [name, value] : record::variables_of(text)) names.insert(name);
  }
  return names;
}

/// One side's values of each variable; of a merged run there may be several.
class SideVariables {
 public:
  SideVariables(const record::Machine& machine, std::string_view fact) {
    for (const std::string_view text : texts_of_fact(machine, fact)) shards_.push_back(record::variables_of(text));
  }

  [[nodiscard]] bool known() const { return !shards_.empty(); }
  void add_names(std::set<std::string>& names) const {
    for (const Variables& variables : shards_)
      for (const auto& [name, value] : variables) names.insert(name);
  }
  /// "active", or, of shards that differ, "(not set) or active".
  [[nodiscard]] std::string value_of(const std::string& name) const {
    std::set<std::string> values;
    for (const Variables& variables : shards_) {
      const auto found = variables.find(name);
      values.insert(found == variables.end() ? not_set : found->second);
    }
    std::string text;
    for (const std::string& value : values) text += (text.empty() ? "" : " or ") + value;
    return text;
  }

 private:
  std::vector<Variables> shards_;
};

std::vector<reports::Difference> differences_in(const char* fact, const record::Machine& before,
                                                const record::Machine& after) {
  std::vector<reports::Difference> differences;
  const SideVariables old(before, fact);
  const SideVariables now(after, fact);
  if (!old.known() || !now.known()) return differences;
  std::set<std::string> names;
  old.add_names(names);
  now.add_names(names);
  for (const std::string& name : names) {
    std::string left = old.value_of(name);
    std::string right = now.value_of(name);
    if (left != right && !record::is_language_or_place(name))
      differences.push_back({name, std::move(left), std::move(right), false});
  }
  return differences;
}

}  // namespace

std::vector<reports::Difference> environment_differences(const record::Machine& before, const record::Machine& after) {
  std::vector<reports::Difference> differences = differences_in(record::library_environment_fact, before, after);
  const std::set<std::string> elsewhere = told_elsewhere(before, after);
  std::erase_if(differences, [&](const reports::Difference& each) { return elsewhere.contains(each.name); });
  for (reports::Difference& each : differences)
    each.name.insert(0, std::string(record::library_environment_fact) + ": ");
  return differences;
}

std::vector<std::string> changed_variables(const record::Machine& before, const record::Machine& after) {
  std::set<std::string> names;
  for (const char* const fact : {record::library_environment_fact, record::environment_switches_fact})
    for (const reports::Difference& each : differences_in(fact, before, after)) names.insert(each.name);
  return {names.begin(), names.end()};
}

}  // namespace torchgate::gate
