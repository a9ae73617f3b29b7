// SPDX-License-Identifier: Apache-2.0
// Which kind of store a location names.
#pragma once

#include <memory>
#include <string>

#include "baselines/store.hpp"
#include "harness/base/result.hpp"

namespace torchgate::baselines {

/// LOCATION: a folder, as a path or as file:///absolute/path. postgresql://... is bad_input: this version keeps runs in
/// folders only. A store of a format version this program does not know is bad_input.
base::Result<std::unique_ptr<Store>> open_store(const std::string& location, OpenMode mode);

}  // namespace torchgate::baselines
