// SPDX-License-Identifier: Apache-2.0
#include "harness/base/abandoned_files.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <utility>

#include "harness/base/hexadecimal.hpp"
#include "harness/base/posix_file.hpp"

namespace torchgate::base {
namespace {

namespace fs = std::filesystem;

// A sweep that found the file between its creation and its lock has removed it: then another one is made. More than a
// few times in a row has another cause.
constexpr int most_attempts = 100;

constexpr std::string_view old_prefix = ".torchgate-";

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// ".torchgate-PID-TIME-N.tmp", of versions that took no lock.
bool is_old_name(std::string_view name) {
  if (!name.starts_with(old_prefix) || !name.ends_with(temporary_suffix)) return false;
  name.remove_prefix(old_prefix.size());
  name.remove_suffix(temporary_suffix.size());
  return !name.empty() && name.find_first_not_of("0123456789-") == std::string_view::npos;
}

// ".FINAL NAME.RANDOM.tmp" of a store's object, by such a version: FINAL NAME is a hash.
bool is_old_object_name(std::string_view name) {
  constexpr std::size_t hash_digits = 64;
  if (name.size() < hash_digits + 2 || name.front() != '.' || !name.ends_with(temporary_suffix)) return false;
  name.remove_prefix(1);
  name.remove_suffix(temporary_suffix.size());
  return is_lower_hex(name.substr(0, hash_digits)) && name.size() > hash_digits && name[hash_digits] == '.' &&
         all_digits(name.substr(hash_digits + 1));
}

bool is_locked_name(std::string_view name) {
  return name.starts_with(locked_temporary_prefix) && name.ends_with(temporary_suffix);
}

bool old_enough(const struct stat& status) {
  constexpr std::int64_t keep_s = std::chrono::seconds(keep_unlocked_temporary).count();
  return std::int64_t{status.st_mtim.tv_sec} + keep_s < std::int64_t{::time(nullptr)};
}

bool remove_if_abandoned(const fs::path& path, bool writer_locks) {
  const PosixFile file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.descriptor(), &status) != 0) return false;
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) return false;
  const bool locked = ::flock(file.descriptor(), LOCK_EX | LOCK_NB) == 0;
  if (!locked && errno == EWOULDBLOCK) return false;  // in use
  if ((!locked || !writer_locks) && !old_enough(status)) return false;
  return ::unlink(path.c_str()) == 0;
}

}  // namespace

fs::path locked_temporary_name(const fs::path& path) {
  // Process and time make it unique across containers that share a folder; short, so that it fits wherever the final name fits.
  static std::atomic<unsigned> count{0};
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  std::string name(locked_temporary_prefix);
  name += std::to_string(::getpid()) + "-" + std::to_string(now) + "-" + std::to_string(count++);
  name += temporary_suffix;
  return path.has_parent_path() ? path.parent_path() / name : fs::path(name);
}

Result<LockedTemporary> LockedTemporary::create(const fs::path& path, unsigned mode) {
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const fs::path name = locked_temporary_name(path);
    const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor < 0) return system_error(path, "create a file in its folder", errno);
    LockedTemporary made(name, descriptor);
    // Without locks on this file system its age protects it.
    while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
    }
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && status.st_nlink > 0) return made;
  }
  return Error{ErrorCode::io,
               path.string() + ": cannot create a file in its folder: another program keeps removing it"};
}

LockedTemporary::LockedTemporary(LockedTemporary&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), kept_(other.kept_) {}

LockedTemporary::~LockedTemporary() {
  if (descriptor_ < 0) return;
  if (!kept_) ::unlink(path_.c_str());
  ::close(descriptor_);
}

std::size_t remove_abandoned_files(const fs::path& folder) {
  std::size_t removed = 0;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    const std::string name = it->path().filename().string();
    const bool writer_locks = is_locked_name(name);
    if (!writer_locks && !is_old_name(name) && !is_old_object_name(name)) continue;
    if (remove_if_abandoned(it->path(), writer_locks)) ++removed;
  }
  return removed;
}

Result<void> check_writable(const fs::path& path, std::int64_t bytes) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return Error{ErrorCode::bad_input, path.string() + ": not a regular file; give the name of a file"};
  constexpr unsigned for_us = 0600;
  auto probe = LockedTemporary::create(path, for_us);
  if (!probe) return probe.error();
  // Not posix_fallocate, which writes every block itself where the file system cannot promise them.
  if (::fallocate(probe->descriptor(), 0, 0, bytes) == 0) return {};
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
    return system_error(path, "write " + std::to_string(bytes) + " bytes in its folder", errno);
  return {};  // the file system cannot tell
}

}  // namespace torchgate::base
