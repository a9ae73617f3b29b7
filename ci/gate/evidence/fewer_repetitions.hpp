// SPDX-License-Identifier: Apache-2.0
// Cases with fewer repetitions than in the baseline, of tools that repeat as often as they are asked to: a file that was cut off ends so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/judged.hpp"

namespace torchgate::gate {

class FewerRepetitions {
 public:
  FewerRepetitions() = default;
  /// Both outlive it. Runs of torchgate, and of tools that choose the number themselves, are not looked at.
  FewerRepetitions(const SideEvidence& before, const SideEvidence& after);

  /// The state of a case that its file ends with, too early; absent: it can be judged. Where all cases have fewer, or more of them than files can
  /// end with, fewer were asked for.
  [[nodiscard]] std::optional<Judged> state(const CaseEvidence& after) const;

  /// The doubt about the comparison; empty: none.
  [[nodiscard]] facts::Fact remark() const;

 private:
  struct Counts {
    std::int64_t before = 0;
    std::int64_t after = 0;
  };
  std::unordered_map<std::string_view, Counts> fewer_;
  std::string first_;  // by name
  bool cut_off_ = false;
};

}  // namespace torchgate::gate
