// SPDX-License-Identifier: Apache-2.0
// Whether BEFORE was measured before AFTER.
#pragma once

#include <string>

#include "harness/record/run.hpp"

namespace torchgate::gate {

/// "the baseline was measured after this run (2026-05-05T10:00:00.000Z and 2026-05-04T10:00:00.000Z): ..."; empty where it was not, where the runs
/// overlap (measured in turn), and where files without a date leave it open.
std::string swapped_sentence(const record::Run& before, const record::Run& after);

}  // namespace torchgate::gate
