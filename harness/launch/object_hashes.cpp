// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/object_hashes.hpp"

#include <sys/stat.h>

#include "harness/record/content_hash.hpp"

namespace torchgate::launch {
namespace {

bool is_still(const record::LoadedObject& object) {
  struct stat status {};
  if (stat(object.path.c_str(), &status) != 0) return false;
  const std::int64_t mtime_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  return status.st_ino == object.inode && status.st_size == object.bytes && mtime_ns == object.mtime_ns;
}

}  // namespace

std::string ObjectHashes::fill_in(record::LoadedObject& object) {
  const Identity identity{object.path, object.inode, object.mtime_ns, object.bytes};
  if (const auto known = known_.find(identity); known != known_.end()) {
    object.sha256 = known->second;
    return "";
  }
  object.sha256.clear();
  const std::string changed = object.path +
                              " is not the file any more that the suite ran, so its content is not known; "
                              "do not build while a run is going on";
  if (!is_still(object)) return changed;
  const auto hash = record::sha256_of_file(object.path);
  if (!hash) return "The content of " + object.path + " is not known: " + hash.error().message;
  if (!is_still(object)) return changed;  // replaced while it was read
  object.sha256 = *hash;
  known_.emplace(identity, *hash);
  return "";
}

}  // namespace torchgate::launch
