// SPDX-License-Identifier: Apache-2.0
// Other tools' result files as runs. The format is recognised by its content; README.md lists what each entry becomes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/directions.hpp"
#include "harness/import/recognised.hpp"  // IWYU pragma: export
#include "harness/record/imported.hpp"
#include "harness/record/run.hpp"

namespace torchgate::import {

using record::imported_profile;

/// One run of all FILES (at least one), each of them a process or several: with raw samples, an id made from the
/// content (same files in any order, same run), and machine facts as far as the files have them. The host key is
/// always empty. DIRECTIONS is what the user says of metrics of which the files do not say what is better. bad_input: a
/// malformed or truncated file, an unknown format, a file without measurements or without any that can be judged, or files that
/// cannot belong to one run. not_found, io: errors of the operating system.
base::Result<record::Run> import_run(const std::vector<std::filesystem::path>& files, const std::string& tool_version,
                                     const Directions& directions = {});

}  // namespace torchgate::import
