// SPDX-License-Identifier: Apache-2.0
// A store in a folder. Layout and guarantees: baselines/README.md.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "baselines/store.hpp"

namespace torchgate::baselines {

/// open_store for a folder.
base::Result<std::unique_ptr<Store>> open_folder_store(const std::filesystem::path& folder, OpenMode mode);

}  // namespace torchgate::baselines
