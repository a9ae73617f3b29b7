// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/other_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace torchgate::workflow {
namespace {

std::string difference(const record::Machine& there, const record::Machine& here) {
  std::string text;
  for (const record::MachineFact& fact : here.facts) {
    if (fact.fact_class != record::FactClass::host) continue;
    const auto was = std::find_if(there.facts.begin(), there.facts.end(),
                                  [&](const record::MachineFact& each) { return each.name == fact.name; });
    if (was == there.facts.end() || was->value == fact.value) continue;
    text += fmt::format("{}{} is \"{}\" there and \"{}\" here", text.empty() ? "" : ", ", fact.name,
                        was->value.value_or("unknown"), fact.value.value_or("unknown"));
  }
  return text.empty() ? "another machine, of which the record does not say what differs" : text;
}

}  // namespace

std::map<std::string, std::string> other_hosts(const baselines::Store& store,
                                               const std::vector<baselines::Entry>& entries,
                                               const record::Machine& here) {
  std::map<std::string, std::string> reasons;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (entry->host_key == here.host_key || reasons.contains(entry->host_key)) continue;
    const auto newest = store.load(entry->id);
    reasons[entry->host_key] = newest ? difference(newest->machine, here) : newest.error().message;
  }
  return reasons;
}

}  // namespace torchgate::workflow
