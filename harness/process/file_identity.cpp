// SPDX-License-Identifier: Apache-2.0
#include "harness/process/file_identity.hpp"

namespace torchgate::process {
namespace {

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

FileIdentity identity_of(const struct stat& status) {
  return {status.st_dev, status.st_ino, status.st_size, nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)};
}

std::optional<FileIdentity> identity_of(const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return identity_of(status);
}

bool agrees(const record::LoadedObject& claimed, const FileIdentity& file) {
  return claimed.inode == file.inode && claimed.bytes == file.bytes && claimed.mtime_ns == file.mtime_ns;
}

}  // namespace torchgate::process
