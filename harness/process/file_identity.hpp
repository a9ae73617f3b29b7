// SPDX-License-Identifier: Apache-2.0
// Which file, in which state: what tells that a file was written, replaced or touched since it was looked at.
#pragma once

#include <sys/stat.h>

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "harness/record/process.hpp"

namespace torchgate::process {

/// The time of the last change of the inode is part of it: everybody can set back the time of the last modification
/// (utimensat), and nobody that one, short of setting the clock.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t bytes = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;

  auto operator<=>(const FileIdentity&) const = default;
};

FileIdentity identity_of(const struct stat& status);

/// Of what PATH leads to, symbolic links followed. Absent where there is nothing, or it may not be looked at.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

/// What a process says of the file that it had mapped agrees with FILE: inode, size and modification time, which is all it says.
bool agrees(const record::LoadedObject& claimed, const FileIdentity& file);

}  // namespace torchgate::process
