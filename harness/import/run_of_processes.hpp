// SPDX-License-Identifier: Apache-2.0
// Imported processes as one run.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::import {

/// bad_input: two of them are the same, come from machines that differ, or measured a case in different ways. Their order
/// does not matter. REQUIRES: at least one, each with the time of its file's
/// last change.
base::Result<record::Run> run_of_processes(std::vector<ImportedProcess> processes, const std::string& tool_version);

}  // namespace torchgate::import
