// SPDX-License-Identifier: Apache-2.0
// Counts of instructions: nearly exact, so there is a tolerance but no test.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ci/gate/evidence/stored_pool.hpp"
#include "ci/gate/instructions/counts.hpp"
#include "ci/gate/judged.hpp"
#include "ci/policy/case_rules.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// Differences below this are never a change, however well a case repeats: addresses of the stack and of libraries, and the length of a path,
/// move a few instructions of memcpy, malloc and hash tables. 212 of 240 cases of this repository's suites stayed below it in ten processes
/// (harness/launch/count/README.md).
inline constexpr double least_tolerance = 1e-4;

/// The tolerance is the spread that processes of the same build showed, times this: few processes rarely show the largest difference.
inline constexpr double tolerance_factor = 2;

/// The spread of a case that was counted in one process per side on a machine without a calibration.
inline constexpr double assumed_spread = 1e-3;

/// Of a case, as counted with COUNTER, over the processes of a calibration; absent: not known.
using CalibratedSpread = std::function<std::optional<double>(const std::string& case_name, const std::string& counter)>;

/// By how much two counts of the same code may differ.
struct CountTolerance {
  double ratio = least_tolerance;
  facts::Fact source;          ///< what it rests on
  bool repeats_known = false;  ///< processes of both sides, or a calibration, show how far counts repeat
};
CountTolerance tolerance_of(const CalibratedSpread& calibrated, const record::InstructionCount& before,
                            const record::InstructionCount& after);

/// A finding about the number of instructions of a case, without numbers and reasons yet.
Judged judged_count(const record::Case& definition, reports::Verdict verdict);

struct CountedSides {
  RunSide before;
  RunSide after;
  const SideEvidence* before_evidence = nullptr;
  const SideEvidence* after_evidence = nullptr;
  CalibratedSpread calibrated = {};
  /// Groups whose code is the same on both sides and whose numbers are not judged: a difference is noise.
  std::function<bool(const std::string& group)> leaves_out = {};
  bool gated_only =
      false;  ///< the counts are of open cases alone (open_counts.hpp): what the policy does not gate is not judged here
  const StoredPool* pool =
      nullptr;  ///< whose older runs are asked where BEFORE lost the count of a case; nullptr: none
};

/// Appends to CASES a `changed` for each case whose number of instructions differs by at least its `gate.instructions` and by more than its tolerance
/// (fewer instructions are listed only), and for each whose count was lost; and an `inconclusive` for each that the policy gates
/// (metrics = { instructions = ... }) and whose counts cannot be compared, or increased within a tolerance that is wider than its
/// threshold. Under --rule exact a case whose count is the same is `equivalent`.
/// REMARKS: how many were compared, and why the others were not.
void judge_instructions(const CountedSides& sides, policy::CasePolicies& policies, const policy::Gate& policy,
                        std::vector<Judged>& cases, Remarks& remarks);

}  // namespace torchgate::gate
