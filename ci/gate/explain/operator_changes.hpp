// SPDX-License-Identifier: Apache-2.0
// Operator profiles of two sides, side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "reports/explanation.hpp"

namespace torchgate::gate {

/// A change of an operator's self time is believed at this p of the Mann-Whitney test over processes, which five a side can
/// reach (2 / C(10,5) = .0079) and four cannot.
inline constexpr double believed_p = 0.01;

struct OperatorChanges {
  std::vector<reports::OperatorChange> operators;
  double outside_before_ns = 0;  ///< of an observed call, in no operator; median over processes
  double outside_after_ns = 0;
  bool outside_clear = false;
  bool saved = false;  ///< the case got faster: shares are of the time saved
};

/// ADDED_NS: by how much the case's time grew, for the shares; absent: no shares. Nothing where a side has no profile.
std::optional<OperatorChanges> operator_changes(const CaseEvidence& before, const CaseEvidence& after,
                                                std::optional<double> added_ns);

/// What they come to, the largest share first: calls that came or went, other inputs, self time. Only what
/// accounts for at least a tenth of the added time, or is a number of calls that changed.
facts::Facts operator_causes(const OperatorChanges& changes);

}  // namespace torchgate::gate
