// SPDX-License-Identifier: Apache-2.0
// Imported processes as one run.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::import {

/// Each of FILES is the processes of one file, in its order. bad_input: two files are the same, come from machines that
/// differ, or measured a case in different ways. The order of the files does not matter. REQUIRES: at least one file, and one
/// process in each, with the time of its file's last change.
base::Result<record::Run> run_of_processes(std::vector<std::vector<ImportedProcess>> files,
                                           const std::string& tool_version);

}  // namespace torchgate::import
