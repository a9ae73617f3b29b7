// SPDX-License-Identifier: Apache-2.0
// Temporary files: locked while they are written, which distinguishes those in use from those of a killed writer.
//
// A writer locks its temporary file (flock) from its creation until it has its final name. The system releases the lock when
// the process ends, however it ends. An unlocked file is therefore abandoned, independently of any clock. Older
// versions of torchgate did not lock theirs; those names are removed only after an hour, and so is everything on a file
// system without locks.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "harness/base/result.hpp"

namespace torchgate::base {

/// An unlocked file that a writer without locks could still be using is kept for this time.
inline constexpr std::chrono::hours keep_unlocked_temporary{1};

/// The prefix of temporary files that are locked by their writer: hidden, so that no listing of records includes them.
inline constexpr std::string_view locked_temporary_prefix = ".torchgate-w-";
inline constexpr std::string_view temporary_suffix = ".tmp";

/// A name for a temporary file beside PATH that no other writer uses, on this machine or another that shares the folder.
std::filesystem::path locked_temporary_name(const std::filesystem::path& path);

/// A new, empty, locked file, whose descriptor writes to it and holds the lock; removed at the end of the scope unless `keep`
/// was called because it has its final name.
class LockedTemporary {
 public:
  /// In the folder of PATH, the final name. MODE: less the umask.
  static Result<LockedTemporary> create(const std::filesystem::path& path, unsigned mode);
  LockedTemporary(LockedTemporary&& other) noexcept;
  LockedTemporary& operator=(LockedTemporary&&) = delete;
  ~LockedTemporary();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  void keep() { kept_ = true; }

 private:
  LockedTemporary(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::filesystem::path path_;
  int descriptor_ = -1;
  bool kept_ = false;
};

/// Removes the temporary files of torchgate in FOLDER itself that belong to this user and to no living writer. A file
/// that cannot be read or removed is silently kept. Returns the number of files removed.
std::size_t remove_abandoned_files(const std::filesystem::path& folder);

/// Whether a file of BYTES could be written as PATH: by making one beside it, and removing it. Checked before a
/// measurement of minutes is started.
Result<void> check_writable(const std::filesystem::path& path, std::int64_t bytes);

}  // namespace torchgate::base
