// SPDX-License-Identifier: Apache-2.0
// The files of a folder of runs.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/base/result.hpp"

namespace torchgate::workflow {

inline constexpr const char* record_extension = ".json";

/// The records in FOLDER, by name; none where there is no such folder. Else an error: a folder that cannot be read is not empty.
base::Result<std::vector<std::filesystem::path>> saved_records(const std::filesystem::path& folder);

}  // namespace torchgate::workflow
