// SPDX-License-Identifier: Apache-2.0
// A store in a folder. Layout and guarantees: baselines/README.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "baselines/store.hpp"

namespace torchgate::baselines {

/// Identifies a folder as a store, and its format; another content is refused.
inline constexpr std::string_view store_marker_name = "torchgate-store.json";
inline constexpr std::string_view store_marker_text = "{\"schema\": \"torchgate.store/1\"}\n";

/// Half a kilobyte a case: room for a hundred thousand of them.
inline constexpr std::int64_t calibration_limit_bytes = 64 << 20;

/// open_store for a folder.
base::Result<std::unique_ptr<Store>> open_folder_store(const std::filesystem::path& folder, OpenMode mode);

}  // namespace torchgate::baselines
