// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/stored_copies.hpp"

#include "ci/gate/evidence/rounded_samples.hpp"
#include "harness/record/imported.hpp"

namespace torchgate::gate {

StoredCopies::StoredCopies(const std::vector<SideEvidence>& stored, const SideEvidence& current) {
  stored_.reserve(stored.size());
  for (const SideEvidence& side : stored) {
    const bool are_files = record::is_imported(side.run()) && record::is_imported(current.run());
    stored_.push_back({&side, are_files, are_files ? CopiedProcesses(side, current) : CopiedProcesses()});
  }
}

std::optional<facts::Fact> StoredCopies::not_measured_again(const CaseEvidence& after) const {
  for (const Stored& stored : stored_) {
    const CaseEvidence* const before = stored.side->find(after.definition->name);
    if (before == nullptr || before->measured.empty()) continue;
    if (auto why = gate::not_measured_again(*before, after, stored.are_files, stored.processes.among(after)))
      return why;
  }
  return std::nullopt;
}

}  // namespace torchgate::gate
