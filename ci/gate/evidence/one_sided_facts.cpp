// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/one_sided_facts.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "harness/record/fact_prefixes.hpp"
#include "harness/record/imported.hpp"

namespace torchgate::gate {
namespace {

constexpr const char* not_set = "not set";

bool has_fact(const record::Run& run, std::string_view name) {
  return std::any_of(run.machine.facts.begin(), run.machine.facts.end(),
                     [&](const record::MachineFact& fact) { return fact.name == name; });
}

// A CSV has none. Facts of the tool itself are not listed here: other versions of it write fewer.
bool has_context(const record::Run& run) {
  return std::any_of(run.machine.facts.begin(), run.machine.facts.end(), [](const record::MachineFact& fact) {
    return fact.value && (!record::is_own_fact(fact.name) || fact.name.starts_with(record::own_fact_prefix));
  });
}

// With more of them it is not known whose were left out.
bool has_all_labels(const record::Run& run) {
  const auto labels =
      std::count_if(run.machine.facts.begin(), run.machine.facts.end(),
                    [](const record::MachineFact& fact) { return fact.name.starts_with(record::label_prefix); });
  return static_cast<std::size_t>(labels) < record::most_labels;
}

std::set<std::string_view> measured_cases(const record::Run& run) {
  std::set<std::string_view> names;
  for (const record::Process& process : run.processes)
    for (const record::CaseResult& each : process.cases)
      if (each.status == record::CaseStatus::ok) names.insert(each.name);
  return names;
}

// "BM_x", "device of test_x".
bool is_of_any(std::string_view label, const std::set<std::string_view>& cases) {
  constexpr std::string_view of = " of ";
  if (cases.contains(label)) return true;
  for (std::size_t at = label.find(of); at != std::string_view::npos; at = label.find(of, at + 1))
    if (cases.contains(label.substr(at + of.size()))) return true;
  return false;
}

// Names and values of the facts of ONE that OTHER should have and lacks.
std::vector<std::pair<std::string, std::string>> lacking(const record::Run& one, const record::Run& other) {
  const bool context = has_context(other);
  const bool labels = has_all_labels(one) && has_all_labels(other);
  const std::set<std::string_view> cases = measured_cases(other);
  std::vector<std::pair<std::string, std::string>> found;
  for (const record::MachineFact& fact : one.machine.facts) {
    if (!fact.value || fact.fact_class != record::FactClass::warn || has_fact(other, fact.name)) continue;
    const std::string_view name = fact.name;
    const bool expected = name.starts_with(record::own_fact_prefix)
                              ? context
                              : labels && name.starts_with(record::label_prefix) &&
                                    is_of_any(name.substr(record::label_prefix.size()), cases);
    if (expected) found.emplace_back(fact.name, *fact.value);
  }
  return found;
}

}  // namespace

std::vector<reports::Difference> one_sided_facts(const record::Run& before, const record::Run& after) {
  std::vector<reports::Difference> differences;
  if (!record::is_imported(before) || !record::is_imported(after) || before.plan.suites != after.plan.suites ||
      before.tool_version != after.tool_version)
    return differences;
  for (auto& [name, value] : lacking(before, after)) differences.push_back({name, value, not_set, false});
  for (auto& [name, value] : lacking(after, before)) differences.push_back({name, not_set, value, false});
  return differences;
}

}  // namespace torchgate::gate
