// SPDX-License-Identifier: Apache-2.0
// Why a report has no verdict: what kept its cases from being judged, the most frequent reason first.
#pragma once

#include <string>
#include <vector>

#include "ci/gate/judged.hpp"

namespace torchgate::gate {

/// "no case could be judged: 1 process per side: no between-process variance (12 cases); ...". Where no case was undecided,
/// why nothing was comparable. REQUIRES: none of CASES was judged.
facts::Fact why_undecided(const std::vector<Judged>& cases);

}  // namespace torchgate::gate
