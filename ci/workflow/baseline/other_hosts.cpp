// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/other_hosts.hpp"

#include <fmt/format.h>

#include "ci/gate/evidence/machines.hpp"

namespace torchgate::workflow {
namespace {

std::string difference(const record::Machine& there, const record::Machine& here) {
  std::string text;
  for (const reports::Difference& fact : gate::machine_differences(there, here)) {
    if (!fact.refuses) continue;
    text += fmt::format("{}{} is \"{}\" there and \"{}\" here", text.empty() ? "" : ", ", fact.name, fact.before,
                        fact.after);
  }
  return text.empty() ? "another machine (its record does not show what differs)" : text;
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
