// SPDX-License-Identifier: Apache-2.0
// Copies a file, verifying its hash on the way.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/result.hpp"

namespace torchgate::baselines {

/// Files from this size on share their bytes with the source (a hard link) where both are on one file system: LibTorch
/// is 0.4 to 3 GB and is the same in hundreds of runs. A program that then writes into the source in place damages
/// the copy, which its hash reveals; compilers, linkers and installers write a new file. Smaller files are
/// copied.
inline constexpr std::uintmax_t link_from_bytes = 32u << 20;

/// A copy is read-only. `as_it_was`: executable where the source is. `executable`: for files from a store, whose mode
/// an artifact upload or a checkout may have changed.
enum class CopyMode { as_it_was, executable };

/// Copies FROM to TO completely or not at all; it is on disk when this returns. Creates the folder. Replaces TO: the
/// same hash means the same bytes.
/// not_found: FROM cannot be read; bad_input: its content is not SHA256; io: other errors.
base::Result<void> place_file(const std::filesystem::path& from, const std::filesystem::path& to,
                              const std::string& sha256, CopyMode mode);

/// Creates FOLDER and its parents, each of them on disk when this returns.
base::Result<void> make_folders(const std::filesystem::path& folder);

}  // namespace torchgate::baselines
