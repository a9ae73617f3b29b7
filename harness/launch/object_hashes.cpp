// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/object_hashes.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>

#include "harness/base/content_hash.hpp"

namespace torchgate::launch {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

/// File times advance in ticks of the kernel's clock (10 ms at most): two writes within one tick look like one. A file
/// that was changed a moment ago is hashed again the next time.
constexpr std::chrono::milliseconds settled_after{100};

/// A new hard link to a file, such as another torchgate's kept copy, changes the time of its inode and not its content: it
/// is read again. A file that is being written changes every time.
constexpr int most_reads = 3;

bool is_settled(const process::FileIdentity& identity) {
  const auto age = std::chrono::system_clock::now().time_since_epoch() - std::chrono::nanoseconds(identity.ctime_ns);
  return age > settled_after;
}

bool is_still(const record::LoadedObject& object) {
  const auto now = process::identity_of(std::filesystem::path(object.path));
  return now && process::agrees(object, *now);
}

std::string changed(const std::string& path) {
  return path +
         " changed since the suite ran it, so the measured content is unknown; "
         "do not build during a run";
}

std::string unknown(const std::string& path, const Error& error) {
  return path + ": content unknown: " + error.message;
}

}  // namespace

Result<std::string> ObjectHashes::sha256_of(const process::Descriptor& file, const std::filesystem::path& path) {
  struct stat status {};
  if (!file.open() || fstat(file.get(), &status) != 0)
    return Error{ErrorCode::io, path.string() + ": cannot be opened"};
  if (!S_ISREG(status.st_mode)) return Error{ErrorCode::bad_input, path.string() + ": not a regular file"};
  for (int read = 0; read < most_reads; ++read) {
    const process::FileIdentity before = process::identity_of(status);
    if (const auto known = known_.find(before); known != known_.end()) return known->second;
    const bool settled = is_settled(before);
    const auto hash = base::sha256_of_descriptor(file.get(), path);
    if (!hash) return hash;
    if (fstat(file.get(), &status) != 0) break;
    if (process::identity_of(status) != before) continue;
    if (settled) known_.emplace(before, *hash);
    return hash;
  }
  return Error{ErrorCode::bad_input, path.string() + ": changed while it was read"};
}

Result<std::string> ObjectHashes::sha256_of(const std::filesystem::path& path) {
  if (const auto identity = process::identity_of(path))
    if (const auto known = known_.find(*identity); known != known_.end()) return known->second;
  return sha256_of(process::Descriptor(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)), path);
}

std::string ObjectHashes::fill_in(record::LoadedObject& object) {
  object.sha256.clear();
  const Claim claim{object.path, object.inode, object.mtime_ns, object.bytes};
  if (!is_still(object)) {
    const auto known = claimed_.find(claim);
    if (known == claimed_.end()) return changed(object.path);
    object.sha256 = known->second;
    return "";
  }
  const auto hash = sha256_of(std::filesystem::path(object.path));
  if (!hash) return unknown(object.path, hash.error());
  if (!is_still(object)) return changed(object.path);  // replaced while it was read
  object.sha256 = *hash;
  claimed_[claim] = *hash;
  return "";
}

std::string ObjectHashes::fill_in(record::LoadedObject& object, const process::SeenExecutable& seen) {
  object.sha256.clear();
  if (const auto known = known_.find(seen.identity); known != known_.end()) {
    object.sha256 = known->second;
    return "";
  }
  const auto hash = sha256_of(seen.file, seen.path);
  if (!hash) return unknown(object.path, hash.error());
  struct stat status {};
  if (fstat(seen.file.get(), &status) != 0 || process::identity_of(status) != seen.identity)
    return changed(object.path);
  object.sha256 = *hash;
  return "";
}

}  // namespace torchgate::launch
