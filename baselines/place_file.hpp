// SPDX-License-Identifier: Apache-2.0
// Puts the bytes of one file somewhere else, checked against their hash on the way.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/result.hpp"

namespace torchgate::baselines {

/// Files from this size on share their bytes with the source (a hard link) where both are on one file system: LibTorch
/// is 0.4 to 3 GB and is the same in hundreds of runs. Whoever then writes into the source in place spoils the copy,
/// which its hash shows; compilers, linkers and installers write a new file. Smaller files are worth a copy of their
/// own.
inline constexpr std::uintmax_t link_from_bytes = 32u << 20;

/// A copy is read-only. `as_it_was`: executable where the source is. `executable`: for what a store kept, whatever an artifact
/// or a checkout of the store made of its mode.
enum class CopyMode { as_it_was, executable };

/// TO gets the content of FROM, whole or not at all, on disk when this returns; its folder is made. Replaces TO: whoever gives the same hash gives the same bytes.
/// not_found: FROM cannot be read; bad_input: its content is not SHA256; io: the rest.
base::Result<void> place_file(const std::filesystem::path& from, const std::filesystem::path& to,
                              const std::string& sha256, CopyMode mode);

/// Makes FOLDER and its parents, each of them on disk when this returns.
base::Result<void> make_folders(const std::filesystem::path& folder);

}  // namespace torchgate::baselines
