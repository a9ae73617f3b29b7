// SPDX-License-Identifier: Apache-2.0
// Cases that were measured for a small part of the baseline's time: a dry run, or another --benchmark_min_time, -benchtime, stopping criterion.
#pragma once

#include "ci/gate/evidence/evidence.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// A doubt about imported runs: cases whose processes made less than a tenth of the baseline's calls, in less than a tenth of its time. Empty: none.
facts::Fact measured_much_shorter(const SideEvidence& before, const SideEvidence& after);

}  // namespace torchgate::gate
