// SPDX-License-Identifier: Apache-2.0
// Opens the kind of store that matches its location.
#pragma once

#include <memory>
#include <string>

#include "baselines/store.hpp"
#include "harness/base/result.hpp"

namespace torchgate::baselines {

/// LOCATION: a folder, as a path or as file:///absolute/path. postgresql://... is bad_input: this version stores runs in
/// folders only. A store with an unsupported format version is bad_input.
base::Result<std::unique_ptr<Store>> open_store(const std::string& location, OpenMode mode);

}  // namespace torchgate::baselines
