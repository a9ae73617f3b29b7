// SPDX-License-Identifier: Apache-2.0
// Content of the files that ran: the SHA-256 of every object that a suite process had mapped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>

#include "harness/base/result.hpp"
#include "harness/process/file_identity.hpp"
#include "harness/process/seen_executable.hpp"
#include "harness/record/process.hpp"

namespace torchgate::launch {

/// Hashes each file once per state (FileIdentity: setting back the modification time does not hide a write), and only
/// if it is still the file that the process mapped.
class ObjectHashes {
 public:
  /// Fills in object.sha256. Returns why it could not (a sentence), or an empty string: the file is missing, unreadable,
  /// or no longer the one that was mapped.
  std::string fill_in(record::LoadedObject& object);

  /// The same for the executable that was SEEN running, even if its name now refers to another file.
  std::string fill_in(record::LoadedObject& object, const process::SeenExecutable& seen);

  /// Of the current file at PATH. One stat() while it is unchanged. bad_input: not a regular file, or changed while
  /// it was read.
  base::Result<std::string> sha256_of(const std::filesystem::path& path);

 private:
  using Claim = std::tuple<std::string, std::uint64_t, std::int64_t, std::int64_t>;  // path, inode, mtime, bytes

  base::Result<std::string> sha256_of(const process::Descriptor& file, const std::filesystem::path& path);

  std::map<process::FileIdentity, std::string> known_;
  std::map<Claim, std::string> claimed_;  // files as reported by processes, with their hashes
};

}  // namespace torchgate::launch
