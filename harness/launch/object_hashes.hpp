// SPDX-License-Identifier: Apache-2.0
// What ran, by content: the SHA-256 of every object a suite process had mapped.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "harness/record/process.hpp"

namespace torchgate::launch {

/// Hashes each file once per content it had, and only when it is still the file the process saw.
class ObjectHashes {
 public:
  /// Fills in object.sha256. Returns why it could not (a sentence), or an empty string: the file is gone, cannot be
  /// read, or is not the one that was mapped any more.
  std::string fill_in(record::LoadedObject& object);

 private:
  using Identity = std::tuple<std::string, std::uint64_t, std::int64_t, std::int64_t>;  // path, inode, mtime, bytes
  std::map<Identity, std::string> known_;
};

}  // namespace torchgate::launch
