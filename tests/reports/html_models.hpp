// SPDX-License-Identifier: Apache-2.0
// A report with everything that a page draws.
#pragma once

#include "reports/report.hpp"

namespace torchgate::reports::models {

/// one_of_two_benchmarks() with the shapes of samples (one of them in two modes), a history with a change, the doctor's rows,
/// claims and differences.
Report with_drawings();

}  // namespace torchgate::reports::models
