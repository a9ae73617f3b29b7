// SPDX-License-Identifier: Apache-2.0
// The identity and state of a file: shows whether it was written, replaced or touched since it was read.
#pragma once

#include <sys/stat.h>

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "harness/record/process.hpp"

namespace torchgate::process {

/// The time of the last change of the inode is part of it: any program can set back the time of the last modification
/// (utimensat), but not this one, except by setting the clock.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t bytes = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang 14 reports the implicit 0 of a defaulted comparison
  auto operator<=>(const FileIdentity&) const = default;
};

FileIdentity identity_of(const struct stat& status);

/// Of the file at PATH, following symbolic links. Absent if it does not exist or may not be read.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

/// Whether the file that a process reports as mapped agrees with FILE: inode, size and modification time (the
/// reported values).
bool agrees(const record::LoadedObject& claimed, const FileIdentity& file);

}  // namespace torchgate::process
