// SPDX-License-Identifier: Apache-2.0
// What ran, by content: the SHA-256 of every object a suite process had mapped.
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

/// Hashes each file once per state it had (FileIdentity: a modification time that was set back does not hide a write), and only
/// when it is still the file the process saw.
class ObjectHashes {
 public:
  /// Fills in object.sha256. Returns why it could not (a sentence), or an empty string: the file is gone, cannot be
  /// read, or is not the one that was mapped any more.
  std::string fill_in(record::LoadedObject& object);

  /// The same of the executable that was SEEN to run, whatever has its name by now.
  std::string fill_in(record::LoadedObject& object, const process::SeenExecutable& seen);

  /// Of what PATH leads to now. One stat() as long as it stays the same. bad_input: no regular file, or written meanwhile.
  base::Result<std::string> sha256_of(const std::filesystem::path& path);

 private:
  using Claim = std::tuple<std::string, std::uint64_t, std::int64_t, std::int64_t>;  // path, inode, mtime, bytes

  base::Result<std::string> sha256_of(const process::Descriptor& file, const std::filesystem::path& path);

  std::map<process::FileIdentity, std::string> known_;
  std::map<Claim, std::string> claimed_;  // what a process said of a file that was known then
};

}  // namespace torchgate::launch
