// SPDX-License-Identifier: Apache-2.0
// A change must not bring the evidence by which it is judged: runs, baselines and calibrations are measured, never committed.
#pragma once

#include <string>

#include "harness/base/result.hpp"

namespace torchgate::workflow {

/// bad_input, naming the files and the fix, when HEAD tracks anything in the workspace or in the
/// folder STORE. HEAD does not track a store that is a work tree of its own or outside of the repository.
base::Result<void> check_evidence_is_not_committed(const std::string& store);

}  // namespace torchgate::workflow
