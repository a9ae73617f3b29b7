// SPDX-License-Identifier: Apache-2.0
// What the number of instructions says of cases that their times leave open.
#pragma once

#include <string>
#include <vector>

#include "ci/gate/instructions/judge_instructions.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// Two sides whose counts may decide what times leave open.
struct OpenCounts {
  RunSide before;
  RunSide after;
  std::string where;  ///< "the pairs"
  CalibratedSpread calibrated = {};
  std::size_t fewest_processes = 2;  ///< per side, for a regression
};

/// Of counts that decide by themselves. A case with several threads may execute one of two numbers in each process: that two processes have the one before and
/// two the other after has a chance of 1 in 16, of five and five it is 1 in 1024.
inline constexpr std::size_t processes_for_regression = 5;

/// The counts in the record of PAIRS, which has to outlive them.
OpenCounts counts_of_pairs(const record::Run& pairs);

/// For each of CASES whose primary time is `inconclusive` or `suspected` on different files, by the first of SOURCES with counts of both sides:
///  - instructions rose by its gate (`latency`) or more, and by more than their tolerance: a `regressed` finding of the metric `instructions`, in the
///    place of a `changed` one where there is one. It fails as a regression in time does;
///  - equal within `gate.instructions`: a reason, and Decided::no_more_instructions;
///  - between, or fewer: a reason with the number.
/// The verdict on the time stays. Counts that do not repeat, were counted in one process without a calibration, or are of another counter, LibTorch, CPU capability
/// or setting on the two sides, are not evidence: a reason, and a note. REMARKS: one note on what was found, and one for each reason why cases
/// were not counted. Nothing where POLICY does not want it (gate.count_undecided), or judges no times.
void judge_open_counts(std::vector<Judged>& cases, const std::vector<OpenCounts>& sources,
                       policy::CasePolicies& policies, const policy::Gate& policy, Remarks& remarks);

/// Why counts of these sides say nothing about their times: LibTorch chose other kernels on one of them, or what counts_not_comparable() says.
std::optional<facts::Fact> counts_no_evidence(const RunSide& before, const RunSide& after);

/// The cases of PAIRS whose counts would be a regression with more processes (processes_for_regression).
std::vector<std::string> cases_to_count_again(const record::Run& pairs, const policy::Judging& policy);

}  // namespace torchgate::gate
