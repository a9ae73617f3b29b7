// SPDX-License-Identifier: Apache-2.0
// Exact metrics: no test. What differs has changed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ci/gate/judged.hpp"
#include "ci/policy/policy.hpp"

namespace torchgate::gate {

/// A count of an older stored run, where the nearest one has none.
struct OlderCount {
  const CaseEvidence* evidence = nullptr;
  bool other_libtorch = false;
  facts::Fact run;  ///< "run X of COMMIT (DATE)"
  const record::Run* numbers_of = nullptr;
};
using OlderCounts = std::function<std::optional<OlderCount>(const std::string& metric)>;

/// One `changed` for each exact metric that both sides know and that differs, and for each that only the baseline knows. With another LibTorch the differences are its
/// own: they are listed only. Under --rule exact a case without a difference has one `equivalent`. `own` is the case's policy.
/// A count that BEFORE lost is that of OLDER.
std::vector<Judged> counted_metrics(const CaseEvidence& before, const CaseEvidence& after, const policy::Gate& own,
                                    bool other_libtorch, const OlderCounts& older = nullptr);

}  // namespace torchgate::gate
