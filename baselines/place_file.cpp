// SPDX-License-Identifier: Apache-2.0
#include "baselines/place_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include "harness/base/abandoned_files.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/base/regular_file.hpp"
#include "harness/base/whole_io.hpp"

namespace torchgate::baselines {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

Error io_error(const std::string& what, const fs::path& path, const std::string& why) {
  return {ErrorCode::io, what + " " + path.string() + ": " + why};
}

Result<void> sync(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return io_error("cannot open", path, std::strerror(errno));
  const int failed = ::fsync(fd);
  const int reason = errno;
  ::close(fd);
  // Some file systems cannot sync a folder and say EINVAL: they need not.
  if (failed != 0 && reason != EINVAL) return io_error("cannot write to disk", path, base::system_error_text(reason));
  return {};
}

/// FROM under another name, until the end of the scope or a rename. The lock is on the file itself and shared: another process
/// can place the file at the same time, and remove_abandoned_files() needs an exclusive lock.
class LinkedTemporary {
 public:
  explicit LinkedTemporary(const fs::path& from, const fs::path& to)
      : descriptor_(::open(from.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)), path_(base::locked_temporary_name(to)) {
    // False where hard links do not work: another file system, a file of another user, a file system without hard links.
    linked_ = descriptor_ >= 0 && ::flock(descriptor_, LOCK_SH | LOCK_NB) == 0 &&
              ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }
  ~LinkedTemporary() {
    std::error_code ignored;
    if (linked_) fs::remove(path_, ignored);
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  LinkedTemporary(const LinkedTemporary&) = delete;
  LinkedTemporary& operator=(const LinkedTemporary&) = delete;

  [[nodiscard]] bool linked() const { return linked_; }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  int descriptor_;
  fs::path path_;
  bool linked_ = false;
};

/// Not std::filesystem::copy_file, which reports a full disk as an input/output error.
Result<void> copy_bytes(const fs::path& from, const fs::path& to) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20U;
  const auto source = base::open_regular(from, base::Links::followed);
  if (!source) return source.error();
  constexpr mode_t for_us = 0600;
  base::PosixFile copy(::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, for_us));
  if (!copy.is_open()) return io_error("cannot write", to, base::system_error_text(errno));
  std::vector<char> piece(piece_bytes);
  for (;;) {
    const ssize_t count = ::read(source->descriptor(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return io_error("cannot read", from, base::system_error_text(errno));
    if (count == 0) break;
    const std::string_view bytes(piece.data(), static_cast<std::size_t>(count));
    if (const int number = base::write_all(copy.descriptor(), bytes); number != 0)
      return io_error("cannot copy " + from.string() + " to", to, base::system_error_text(number));
  }
  struct stat status {};
  if (::fstat(source->descriptor(), &status) != 0 || ::fchmod(copy.descriptor(), status.st_mode & 0777U) != 0)
    return io_error("cannot set the permissions of", to, base::system_error_text(errno));
  if (!copy.close()) return io_error("cannot copy " + from.string() + " to", to, base::system_error_text(errno));
  return {};
}

Result<void> copy_whole(const fs::path& from, const fs::path& to, CopyMode mode) {
  if (auto copied = copy_bytes(from, to); !copied) return copied;
  std::error_code failed;
  constexpr auto read = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
  constexpr auto execute = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  // The copy has the mode of its source now.
  const bool executes =
      mode == CopyMode::executable || (fs::status(to, failed).permissions() & execute) != fs::perms::none;
  fs::permissions(to, executes ? read | execute : read, failed);
  if (failed) return io_error("cannot set the permissions of", to, failed.message());
  return sync(to);
}

/// Renames TEMPORARY, whose content came from FROM, if it is what it should be.
Result<void> put_in_place(const fs::path& temporary, const fs::path& from, const fs::path& to,
                          const std::string& sha256) {
  const auto hash = base::sha256_of_file(temporary);
  if (!hash) return hash.error();
  if (*hash != sha256) {
    return Error{ErrorCode::bad_input, from.string() + " changed: its SHA-256 is " + *hash + ", expected " + sha256};
  }
  std::error_code failed;
  fs::rename(temporary, to, failed);
  if (failed) return io_error("cannot rename to", to, base::system_error_text(failed.value()));
  return sync(to.parent_path());
}

}  // namespace

Result<void> make_folders(const fs::path& folder) {
  std::error_code failed;
  if (folder.empty() || fs::is_directory(folder, failed)) return {};
  if (auto parents = make_folders(folder.parent_path()); !parents) return parents;
  fs::create_directory(folder, failed);
  if (failed) return io_error("cannot create the folder", folder, base::system_error_text(failed.value()));
  return sync(folder.has_parent_path() ? folder.parent_path() : fs::path("."));
}

Result<void> place_file(const fs::path& from, const fs::path& to, const std::string& sha256, CopyMode mode) {
  std::error_code failed;
  const auto bytes = fs::file_size(from, failed);
  if (failed) return Error{ErrorCode::not_found, "cannot read " + from.string() + ": " + failed.message()};
  if (auto folder = make_folders(to.parent_path()); !folder) return folder;

  if (bytes >= link_from_bytes) {
    // A link that went where it should is no longer under the temporary name, and removing that does nothing.
    const LinkedTemporary temporary(from, to);
    if (temporary.linked()) return put_in_place(temporary.path(), from, to, sha256);
  }
  constexpr unsigned for_us_until_whole = 0600;
  auto temporary = base::LockedTemporary::create(to, for_us_until_whole);
  if (!temporary) return temporary.error();
  if (auto copied = copy_whole(from, temporary->path(), mode); !copied) return copied;
  auto placed = put_in_place(temporary->path(), from, to, sha256);
  if (placed) temporary->keep();
  return placed;
}

}  // namespace torchgate::baselines
