// SPDX-License-Identifier: Apache-2.0
// Cases with fewer repetitions than in the baseline, of tools that repeat as often as they are asked to: a file that was cut off ends so. So does one of
// the baseline. Of pyperf, whose repetitions are processes, cases that lost most of them.
#pragma once

#include <cstddef>
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

  /// The doubts about the comparison.
  [[nodiscard]] facts::Facts remarks() const;

 private:
  struct Counts {
    std::int64_t before = 0;
    std::int64_t after = 0;
  };
  // Cases that have less on one side, while others have as much as on the other side.
  struct Odd {
    std::size_t cases = 0;
    std::string first;
    Counts of_first;

    void add(std::string_view name, const Counts& counts);
  };
  void compare_processes(std::string_view name, const Counts& counts);

  std::unordered_map<std::string_view, Counts> fewer_;
  std::string first_;  // by name
  bool cut_off_ = false;
  Odd fewer_before_;
  Odd lost_before_;  // most of the processes
  Odd lost_after_;
  std::size_t whole_ = 0;  // cases of pyperf that lost none
};

}  // namespace torchgate::gate
