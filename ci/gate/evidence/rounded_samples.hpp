// SPDX-License-Identifier: Apache-2.0
// Measurements of other tools that stand in files of both sides in two forms: JSON and CSV, values that were rounded on the way, a copy that lacks
// the last repetitions.
#pragma once

#include <cstddef>
#include <optional>

#include "ci/gate/evidence/evidence.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// How many processes of AFTER have samples of the primary metric that are those of a process of BEFORE, as far as both go, each exactly or as its
/// rounding to six digits or more. 0 where that can be chance (probability above about 1e-9): another measurement agrees in as many digits as the
/// spread of BEFORE leaves.
std::size_t rounded_processes(const CaseEvidence& before, const CaseEvidence& after);

/// Why the numbers of AFTER are those of BEFORE: copied_processes(), or OF_FILES processes that are copies as a whole; of files of other tools
/// (ARE_FILES) in another form, too. Absent: they were measured.
std::optional<facts::Fact> not_measured_again(const CaseEvidence& before, const CaseEvidence& after, bool are_files,
                                              std::size_t of_files);

}  // namespace torchgate::gate
