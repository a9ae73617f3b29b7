// SPDX-License-Identifier: Apache-2.0
// Applies the results of `torchgate calibrate` to a comparison.
#pragma once

#include "baselines/store.hpp"
#include "ci/gate/judge.hpp"
#include "harness/base/result.hpp"

namespace torchgate::workflow {

/// Applies the newest calibration of the comparison's host and adds a note about it. Without a store or a calibration
/// nothing changes; a damaged calibration is an error.
base::Result<void> use_calibration(gate::Comparison& comparison, const baselines::Store* store,
                                   const policy::Gate& policy);

}  // namespace torchgate::workflow
