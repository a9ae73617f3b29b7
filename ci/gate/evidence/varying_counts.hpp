// SPDX-License-Identifier: Apache-2.0
// Counts that differ within a side, by a little from sample to sample: they are not exact metrics, and no rule judges them but where each process grew
// (exact_metrics.hpp). Without a note, growth of eight times would pass unseen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/gate/judged.hpp"

namespace torchgate::gate {

/// Counts without one value in BEFORE (then they are exact metrics), and whose values of both sides have no overlap: "p.Bind-8 allocated_bytes (1000 to 1001
/// before, 8000 to 8001 now)". A count X that differs within one process is the timed metric X_sampled, as harness/import writes it.
/// COUNTED: what was judged of the case; not of what it compares.
std::vector<std::string> varying_counts(const CaseEvidence& before, const CaseEvidence& after,
                                        const std::vector<Judged>& counted);

/// What the processes that disagree within themselves say of the count NAME. Absent: there are none.
std::optional<CountRange> range_of_samples(const CaseEvidence& evidence, const std::string& name);

}  // namespace torchgate::gate
