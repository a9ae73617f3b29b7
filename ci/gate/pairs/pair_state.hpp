// SPDX-License-Identifier: Apache-2.0
// Verdicts of interleaved pairs that need no statistics: the after side failed or was wrong while they were measured.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ci/gate/judged.hpp"

namespace torchgate::gate {

struct PairState {
  reports::Verdict verdict = reports::Verdict::failed;  ///< failed or wrong
  facts::Fact reason;                                   ///< with the number of processes and the first message
};

/// What the processes of paired runs came to, by group. Keeps views into the run.
class PairStates {
 public:
  explicit PairStates(const record::Run& pairs);

  /// Absent: the case is judged by its numbers. `wrong` and `failed` when any after process said so; also `failed` when
  /// after processes were lost (crashed, timed out, could not be listed) and it is the after side's doing: the before
  /// side was measured and no after process was, or after lost two processes more than the share that before lost (evidence/losses.hpp).
  /// Other losses on both sides leave open whose they are: a case that they leave undecided forbids a pass.
  [[nodiscard]] std::optional<PairState> of(const CaseEvidence& before, const CaseEvidence& after) const;

 private:
  struct Losses {
    std::int64_t started = 0;
    std::int64_t count = 0;
    std::string first;  // message
  };
  std::map<std::string_view, std::array<Losses, 2>> of_group_;
  std::array<Losses, 2> unlisted_;  // suites that could not say which cases they have
};

/// A case that this is the state of: nothing measured stands in it, for a failed case is never a number. A metric beside the
/// primary one is left without a verdict: the case fails once.
Judged judged_pair_state(const record::Case& definition, record::Metric metric, const PairState& state);

}  // namespace torchgate::gate
