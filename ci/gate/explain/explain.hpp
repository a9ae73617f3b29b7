// SPDX-License-Identifier: Apache-2.0
// Why a case's time changed: compares operators, counters and processes of both sides. It does not judge whether the time
// has changed; the pairs and the screen do.
#pragma once

#include <string>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "harness/base/result.hpp"
#include "reports/explanation.hpp"

namespace torchgate::gate {

/// Causes, operators, counts and process costs; the headers are left empty.
reports::Explanation explain(const CaseEvidence& before, const CaseEvidence& after);

/// The whole of it for a case of two runs, or of the two sides of one (AFTER is nullptr). PAIRS: of the same two runs, whose
/// code may have been compared; nullptr: there are none. not_found names the nearest cases; bad_input: one run with one side
/// and nothing to hold it against, or two runs of which one has two sides.
base::Result<reports::Explanation> explain_case(const record::Run& before, const record::Run* after,
                                                const std::string& case_name, const record::Run* pairs = nullptr);

/// Causes of a verdict that says slower, and the operators that changed.
struct Why {
  facts::Facts causes;          ///< at most two
  facts::Fact nothing_visible;  ///< that no cause is visible, and what was looked at; else empty
  std::vector<reports::OperatorChange> operators;
};

/// Without both where no operators were seen and nothing counted differs.
Why why(const CaseEvidence& before, const CaseEvidence& after);

}  // namespace torchgate::gate
