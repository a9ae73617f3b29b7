// SPDX-License-Identifier: Apache-2.0
// A baseline of another machine says nothing of what a change redefined: a parameter such as a number of threads may be that machine's. Interleaved
// pairs, which list the cases of both sides here, do.
#pragma once

#include <map>
#include <optional>
#include <string_view>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/judge.hpp"
#include "ci/gate/judged.hpp"

namespace torchgate::gate {

class RedefinedCases {
 public:
  /// COMPARISON outlives it. Since a pin all machines are of one kind.
  explicit RedefinedCases(const Comparison& comparison);

  /// STATE of a case; where it is not comparable, and another machine may be why: what the pairs say, absent where their sides do not differ.
  [[nodiscard]] std::optional<Judged> state(std::optional<Judged> state, const CaseEvidence* before,
                                            const CaseEvidence& after) const;

 private:
  bool other_machine_ = false;
  std::map<std::string_view, std::string_view> in_pairs_;  // what differs between their sides
};

}  // namespace torchgate::gate
