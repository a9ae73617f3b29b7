// SPDX-License-Identifier: Apache-2.0
#include "ci/advise/case_facts.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

namespace torchgate::advise {
namespace {

/// What calling an operator takes at least: view() and empty() of one element, which compute nothing, take 200 ns (operators/dispatch).
constexpr double operator_ns = 200;

// A process whose observed calls were paused has a long call in which the operators take little: it is not the middle one.
const record::OperatorProfile* middle_profile(const std::vector<const record::CaseResult*>& results) {
  std::vector<const record::OperatorProfile*> profiles;
  for (const record::CaseResult* result : results) {
    if (result->profile) profiles.push_back(&*result->profile);
  }
  if (profiles.empty()) return nullptr;
  const auto middle = profiles.begin() + static_cast<std::ptrdiff_t>((profiles.size() - 1) / 2);
  std::nth_element(profiles.begin(), middle, profiles.end(),
                   [](const auto* a, const auto* b) { return a->call_ns < b->call_ns; });
  return *middle;
}

}  // namespace

std::optional<double> CaseFacts::value(std::string_view metric) const {
  std::vector<double> values;
  for (const record::CaseResult* result : results) {
    for (const record::Measurement& each : result->measurements) {
      if (each.metric != metric) continue;
      if (const auto value = each.summary ? std::optional(each.summary->median) : each.value) values.push_back(*value);
    }
  }
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::optional<double> CaseFacts::calling_share() const {
  const auto operators = value("operator_calls");
  const auto time = value("time");
  if (on_cuda() || !operators || !time || !(*time > 0)) return std::nullopt;
  return std::min(1.0, *operators * operator_ns / *time);
}

double CaseFacts::calls(std::string_view name) const {
  return calls_of({name});
}

double CaseFacts::calls_of(const std::vector<std::string_view>& names) const {
  if (profile == nullptr) return 0;
  double sum = 0;
  for (const record::OperatorUse& use : profile->operators) {
    if (std::find(names.begin(), names.end(), use.name) != names.end()) sum += use.calls;
  }
  return sum;
}

double CaseFacts::share(const std::vector<std::string_view>& names) const {
  if (profile == nullptr || !(profile->call_ns > 0)) return 0;
  double sum = 0;
  for (const record::OperatorUse& use : profile->operators) {
    if (std::find(names.begin(), names.end(), use.name) != names.end()) sum += use.self_ns;
  }
  return sum / profile->call_ns;
}

bool CaseFacts::is_training() const {
  if (profile == nullptr) return false;
  return std::any_of(profile->operators.begin(), profile->operators.end(), [](const record::OperatorUse& use) {
    return use.name.find("Backward") != std::string::npos || use.name.find("backward") != std::string::npos;
  });
}

std::optional<std::string> RunFacts::fact(std::string_view name) const {
  for (const record::MachineFact& each : run->machine.facts)
    if (each.name == name) return each.value;
  return std::nullopt;
}

RunFacts facts_of(const record::Run& run) {
  RunFacts facts;
  facts.run = &run;
  const auto last_side = static_cast<std::int64_t>(run.sides.size()) - 1;
  facts.complete = !run.interrupted && run.plan.shards <= 1 && run.plan.missing_shards.empty();
  std::map<std::string_view, CaseFacts> of_case;
  std::set<std::string_view> left_out;  // cases, and groups
  for (const record::UnchangedGroup& each : run.unchanged) left_out.insert(each.group);
  for (const record::Process& process : run.processes) {
    if (process.side != last_side) continue;
    const bool listed_cases = process.group.empty();
    if (listed_cases && process.status != record::ProcessStatus::ok) facts.complete = false;
    for (const record::CaseResult& result : process.cases) {
      if (result.status == record::CaseStatus::skipped) left_out.insert(result.name);
      if (result.status != record::CaseStatus::ok) continue;
      CaseFacts& one = of_case[result.name];
      one.results.push_back(&result);
    }
  }
  for (const record::Case& definition : run.cases) {
    const auto found = of_case.find(definition.name);
    if (found == of_case.end()) {
      const bool wanted =
          !definition.skipped && !left_out.contains(definition.name) && !left_out.contains(definition.group);
      facts.without_result += wanted ? 1 : 0;
      continue;
    }
    found->second.definition = &definition;
    found->second.profile = middle_profile(found->second.results);
    facts.cases.push_back(found->second);
  }
  return facts;
}

}  // namespace torchgate::advise
