// SPDX-License-Identifier: Apache-2.0
// What `torchgate calibrate` found out about a machine, for a comparison on it.
#pragma once

#include "baselines/store.hpp"
#include "ci/gate/judge.hpp"
#include "harness/base/result.hpp"

namespace torchgate::workflow {

/// Gives the comparison the newest calibration of its host, and the report a note about it. Nothing happens without a
/// store or a calibration; a damaged one is an error.
base::Result<void> use_calibration(gate::StoredComparison& comparison, const baselines::Store* store,
                                   const policy::Policy& policy);

}  // namespace torchgate::workflow
