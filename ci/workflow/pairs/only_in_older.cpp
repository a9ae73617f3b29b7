// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/only_in_older.hpp"

#include <cstddef>
#include <utility>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/evidence/stored_pool.hpp"

namespace torchgate::workflow {

std::set<std::string> measured_suites(const record::Run& run) {
  std::set<std::string> suites;
  for (const record::Process& process : run.processes)
    if (process.status == record::ProcessStatus::ok) suites.insert(process.suite);
  return suites;
}

std::map<std::string, std::string> suites_only_in_older(const std::vector<record::Run>& stored) {
  std::map<std::string, std::string> only_in_older;
  if (stored.empty()) return only_in_older;
  const std::set<std::string> nearest = measured_suites(stored.front());
  for (const record::Run& run : stored)
    for (const std::string& suite : measured_suites(run))
      if (!nearest.contains(suite)) only_in_older.emplace(suite, run.id);
  return only_in_older;
}

std::vector<OlderRun> cases_only_in_older(const std::vector<record::Run>& stored, const record::Run& current,
                                          const record::Run& pairs) {
  if (stored.size() < 2 || !pairs.plan.confirms) return {};
  std::vector<gate::SideEvidence> sides;
  sides.reserve(stored.size());
  for (const record::Run& run : stored) sides.emplace_back(run, 0);
  const gate::StoredPool pool(sides, current);
  const gate::SideEvidence after(current, 0);
  std::map<std::size_t, std::vector<std::string>> by_run;
  for (const std::string& name : pairs.plan.confirms->open) {
    const gate::CaseEvidence* const evidence = after.find(name);
    if (evidence == nullptr || pool.profile_leaves_out(0, *evidence->definition)) continue;
    const gate::StoredCase found = pool.comparable(*evidence);
    if (found.evidence != nullptr && found.run > 0) by_run[found.run].push_back(name);
  }
  std::vector<OlderRun> older;
  older.reserve(by_run.size());
  for (auto& [run, cases] : by_run) older.push_back({&stored[run], std::move(cases)});
  return older;
}

}  // namespace torchgate::workflow
