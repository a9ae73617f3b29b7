// SPDX-License-Identifier: Apache-2.0
// Numbers of a run that are those of a stored one: of any that it is compared with, as a stale result may be older than the newest of them.
#pragma once

#include <optional>
#include <vector>

#include "ci/gate/evidence/copied_samples.hpp"
#include "ci/gate/evidence/evidence.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

class StoredCopies {
 public:
  /// STORED and CURRENT must outlive it.
  StoredCopies(const std::vector<SideEvidence>& stored, const SideEvidence& current);

  /// Why the numbers of AFTER, a case of the current run, are those of a stored run (gate::not_measured_again), the nearest that has them.
  /// Absent: they were measured.
  [[nodiscard]] std::optional<facts::Fact> not_measured_again(const CaseEvidence& after) const;

 private:
  struct Stored {
    const SideEvidence* side = nullptr;
    bool are_files = false;     // of another tool, on both sides
    CopiedProcesses processes;  // of files
  };
  std::vector<Stored> stored_;
};

}  // namespace torchgate::gate
