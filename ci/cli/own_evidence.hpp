// SPDX-License-Identifier: Apache-2.0
// A change must not bring the evidence by which it is judged: runs, baselines and calibrations are measured, never committed.
#pragma once

#include <string>

#include "ci/cli/arguments.hpp"
#include "harness/base/result.hpp"

namespace torchgate::cli {

/// bad_input, naming the files and the fix, when COMMAND reads evidence and HEAD tracks anything in the workspace or in the
/// folder STORE. A store that is a work tree of its own, or lies elsewhere, is not HEAD's.
base::Result<void> check_evidence_is_not_committed(const Command& command, const std::string& store);

}  // namespace torchgate::cli
