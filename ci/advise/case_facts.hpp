// SPDX-License-Identifier: Apache-2.0
// What a run recorded of one case, in the form that the practices ask for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/run.hpp"

namespace torchgate::advise {

struct CaseFacts {
  const record::Case* definition = nullptr;
  /// Of the process whose observed call is the middle one. nullptr: none has one.
  const record::OperatorProfile* profile = nullptr;
  std::vector<const record::CaseResult*> results;  ///< of the processes in which it is ok

  /// The median over the processes: of the medians of a timed metric, of the values of an exact one.
  [[nodiscard]] std::optional<double> value(std::string_view metric) const;
  [[nodiscard]] bool on_cuda() const { return definition->device == "cuda"; }

  /// At least this share of a call on a CPU goes into calling its operators, whatever they compute. Absent: not counted, or on a GPU.
  [[nodiscard]] std::optional<double> calling_share() const;

  // Of the profile; 0 without one.
  /// Calls of the operator.
  [[nodiscard]] double calls(std::string_view name) const;
  /// Calls of all of these.
  [[nodiscard]] double calls_of(const std::vector<std::string_view>& names) const;
  /// Share of the observed call that these operators take by themselves.
  [[nodiscard]] double share(const std::vector<std::string_view>& names) const;
  /// The profile has operators of a backward pass.
  [[nodiscard]] bool is_training() const;
};

struct RunFacts {
  const record::Run* run = nullptr;
  std::vector<CaseFacts> cases;     ///< with a result, in the order of the record
  std::int64_t without_result = 0;  ///< cases that were to be measured, and failed or were not reached
  bool complete = true;             ///< not interrupted, not without shards or suites: such a run lacks cases

  /// A fact of the machine or the suites; absent if it is unknown.
  [[nodiscard]] std::optional<std::string> fact(std::string_view name) const;
};

/// Of the last side of a run: of pairs, the after side. Cases that are skipped, or whose group is unchanged since another run, are not counted.
RunFacts facts_of(const record::Run& run);

}  // namespace torchgate::advise
