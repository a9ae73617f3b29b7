// SPDX-License-Identifier: Apache-2.0
// Whether BEFORE was measured before AFTER.
#pragma once

#include <string>

#include "harness/record/run.hpp"
#include "reports/facts/fact.hpp"

namespace torchgate::gate {

/// "the baseline was measured after this run (2026-05-05T10:00:00.000Z and 2026-05-04T10:00:00.000Z): ..."; absent where it was not, where the runs
/// overlap (measured in turn), and where files without a date leave it open.
std::optional<facts::Fact> swapped_sides(const record::Run& before, const record::Run& after);

}  // namespace torchgate::gate
