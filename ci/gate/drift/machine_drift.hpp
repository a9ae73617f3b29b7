// SPDX-License-Identifier: Apache-2.0
// The machine's own shift from run to run, seen by control cases: named by the policy, and running the same objects in
// every run. A comparison is corrected for nothing else.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ci/policy/policy.hpp"
#include "harness/record/run.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// Hashes of everything that the processes of this group loaded, the operating system's own libraries left out; empty
/// when it is not known what ran.
std::vector<std::string> objects_of_group(const record::Run& run, std::string_view group);

struct Drift {
  /// One per run, the stored ones in their order and then the run to judge: log shift, larger is worse. Absent: nothing
  /// may be corrected for, and `remark` gives the reason if controls were requested.
  std::optional<std::vector<double>> shifts;
  facts::Fact remark;
};

/// REQUIRES: at least one stored run.
Drift drift(const std::vector<const record::Run*>& stored, const record::Run& current, const policy::Gate& policy);

}  // namespace torchgate::gate
