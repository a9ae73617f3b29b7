// SPDX-License-Identifier: Apache-2.0
// Opens the kind of store that matches its location.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "baselines/store.hpp"
#include "harness/base/result.hpp"

namespace torchgate::baselines {

/// The folder of the store at LOCATION, whether or not it exists. bad_input: the location is not that of a folder.
base::Result<std::filesystem::path> store_folder(const std::string& location);

/// LOCATION: a folder, as a path or as file:///absolute/path. postgresql://... is bad_input: this version stores runs in
/// folders only. A store with an unsupported format version is bad_input.
base::Result<std::unique_ptr<Store>> open_store(const std::string& location, OpenMode mode);

}  // namespace torchgate::baselines
