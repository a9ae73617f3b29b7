// SPDX-License-Identifier: Apache-2.0
// Which of the files that suites read are kept with a baseline.
#pragma once

#include <cstdint>

#include "baselines/place_file.hpp"

namespace torchgate::baselines {

/// A larger one would share its bytes with the file in the work tree (link_from_bytes), and data files are edited in place.
inline constexpr std::uintmax_t largest_kept_file_bytes = link_from_bytes - 1;

/// Of one run: what a store of ten baselines, whose files mostly are the same, can hold beside their LibTorch without being noticed.
inline constexpr std::uintmax_t most_kept_files_bytes = std::uintmax_t{256} << 20;

}  // namespace torchgate::baselines
