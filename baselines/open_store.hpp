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

/// LOCATION: a folder, as a path or as file:///absolute/path, or postgresql://user@host:port/database (README.md). A store with an unsupported
/// format version is bad_input.
base::Result<std::unique_ptr<Store>> open_store(const std::string& location, OpenMode mode);

/// LOCATION for messages: without a password, also where the rest of it is wrong.
std::string shown_location(const std::string& location);

/// Makes the store in LOCATION, or brings it to the version of this torchgate. Returns a sentence that says what was done.
base::Result<std::string> migrate_store(const std::string& location);

}  // namespace torchgate::baselines
