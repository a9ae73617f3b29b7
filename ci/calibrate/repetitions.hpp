// SPDX-License-Identifier: Apache-2.0
// Whether runs repeat one measurement: only then what differs between their times is noise.
#pragma once

#include <vector>

#include "harness/base/result.hpp"
#include "harness/record/run.hpp"

namespace torchgate::calibrate {

/// bad_input names the run, or the two runs, and why: pairs, an incomplete run, one run twice, another host or GPU, other files loaded,
/// another plan (profile, processes, samples, ...), other threads or kernels, or other cases.
base::Result<void> check_repetitions(const std::vector<const record::Run*>& runs);

}  // namespace torchgate::calibrate
