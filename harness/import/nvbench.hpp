// SPDX-License-Identifier: Apache-2.0
// NVBench's JSON (--json, --jsonbin): a file is one process, each state of a benchmark is a case. Its time is the GPU's in
// isolated ("cold") executions: all samples where --jsonbin wrote them beside the file, else only their mean.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// HEAD is the beginning of such a file.
bool is_nvbench(std::string_view head);

/// The one process in TEXT. FOLDER: where the folder of sample files is; of a file that TEXT names, only its last two parts
/// are looked up, below FOLDER, and no symbolic link is followed. bad_input names the place.
base::Result<std::vector<ImportedProcess>> read_nvbench(std::string_view text, const std::string& where,
                                                        const std::filesystem::path& folder);

}  // namespace torchgate::import
