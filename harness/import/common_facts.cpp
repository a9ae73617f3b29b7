// SPDX-License-Identifier: Apache-2.0
#include "harness/import/common_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/record/fact_prefixes.hpp"

namespace torchgate::import {
namespace {

bool is_of_context(const record::MachineFact& fact) {
  return !record::is_own_fact(fact.name) || fact.name.starts_with(record::own_fact_prefix);
}

}  // namespace

base::Result<void> CommonFacts::add(const ImportedProcess& process, std::vector<std::string>& warnings) {
  if (std::any_of(process.facts.begin(), process.facts.end(), is_of_context)) ++contexts_of_[process.group];
  for (const record::MachineFact& fact : process.facts) {
    if (record::is_own_fact(fact.name))
      take_own(fact, process.group);
    else if (auto same = check(fact, process, warnings); !same)
      return same;
  }
  return {};
}

void CommonFacts::take_own(const record::MachineFact& fact, const std::string& group) {
  const auto [index, is_new] = index_of_.try_emplace(fact.name, own_.size());
  if (is_new) own_.push_back({fact.name, false, {}});
  OwnFact& own = own_[index->second];
  OfGroup& of_group = own.groups[group];
  const std::string value = fact.value.value_or("");
  if (++of_group.processes == 1) of_group.value = value;
  own.varies = own.varies || of_group.value != value || fact.fact_class == record::FactClass::info;
}

base::Result<void> CommonFacts::check(const record::MachineFact& fact, const ImportedProcess& process,
                                      std::vector<std::string>& warnings) {
  const auto first =
      std::find_if(of_tool_.begin(), of_tool_.end(), [&](const auto& each) { return each.name == fact.name; });
  if (first == of_tool_.end()) {
    of_tool_.push_back(fact);
    return {};
  }
  if (first->value == fact.value || fact.fact_class == record::FactClass::info) return {};
  const std::string difference = fmt::format("{}: {} is {} here and {} in another file of the run", process.file,
                                             fact.name, fact.value.value_or(""), first->value.value_or(""));
  if (fact.fact_class == record::FactClass::host) {
    return base::Error{base::ErrorCode::bad_input,
                       difference + "; import files of different machines as separate runs"};
  }
  if (warnings.empty() || warnings.back() != difference) warnings.push_back(difference);  // of all processes of a file
  return {};
}

// A label belongs to a benchmark, which not every file has.
bool CommonFacts::varies(const OwnFact& fact) const {
  if (fact.varies || !fact.name.starts_with(record::own_fact_prefix)) return fact.varies;
  return std::any_of(fact.groups.begin(), fact.groups.end(),
                     [&](const auto& each) { return each.second.processes < contexts_of_.at(each.first); });
}

record::MachineFact CommonFacts::merged(const OwnFact& fact) const {
  std::map<std::string, std::vector<std::string>> groups_of;  // by the value
  for (const auto& [group, of_group] : fact.groups) groups_of[of_group.value].push_back(group);
  const std::string& any = groups_of.begin()->first;
  if (varies(fact)) return {fact.name, any, "", record::FactClass::info};
  const bool everywhere = !fact.name.starts_with(record::own_fact_prefix) || fact.groups.size() == contexts_of_.size();
  if (groups_of.size() == 1 && everywhere) return {fact.name, any, "", record::FactClass::warn};
  std::string all;
  for (const auto& [value, groups] : groups_of)
    all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", value, fmt::join(groups, ", "));
  if (all.size() > base::max_text_bytes) return {fact.name, any, "", record::FactClass::info};
  return {fact.name, std::move(all), "", record::FactClass::warn};
}

std::vector<record::MachineFact> CommonFacts::facts() const {
  constexpr auto most = static_cast<std::size_t>(base::max_parameters) - 1;  // one more says that there are no dates
  std::vector<record::MachineFact> all = of_tool_;
  all.resize(std::min(all.size(), most));
  for (const OwnFact& each : own_) {
    if (all.size() == most) break;
    all.push_back(merged(each));
  }
  return all;
}

}  // namespace torchgate::import
