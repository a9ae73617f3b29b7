// SPDX-License-Identifier: Apache-2.0
#include "baselines/place_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <system_error>

#include "harness/record/content_hash.hpp"

namespace torchgate::baselines {
namespace {

namespace fs = std::filesystem;
using record::Error;
using record::ErrorCode;
using record::Result;

Error io_error(const std::string& what, const fs::path& path, const std::string& why) {
  return {ErrorCode::io, what + " " + path.string() + ": " + why};
}

/// A name in TO's folder that no other writer uses, nor did one that was killed, on this machine or another that shares
/// the folder; what is left under it at the end of the scope is removed.
class TemporaryName {
 public:
  explicit TemporaryName(const fs::path& to) {
    std::random_device random;
    std::string name = ".";
    name += to.filename().string() + "." + std::to_string(random()) + std::to_string(random()) + ".tmp";
    path_ = to.parent_path() / name;
  }
  ~TemporaryName() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Result<void> sync(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return io_error("cannot open", path, std::strerror(errno));
  const int failed = ::fsync(fd);
  const int reason = errno;
  ::close(fd);
  // Some file systems cannot sync a folder and say EINVAL: they need not.
  if (failed != 0 && reason != EINVAL) return io_error("cannot write to disk", path, std::strerror(reason));
  return {};
}

/// False where hard links do not work: another file system, somebody else's file, a file system without them.
bool linked(const fs::path& from, const fs::path& to) {
  return ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

Result<void> copy_whole(const fs::path& from, const fs::path& to, CopyMode mode) {
  std::error_code failed;
  fs::copy_file(from, to, failed);
  if (failed) return io_error("cannot copy " + from.string() + " to", to, failed.message());
  constexpr auto read = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
  constexpr auto execute = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  // The copy has the mode of its source now.
  const bool executes =
      mode == CopyMode::executable || (fs::status(to, failed).permissions() & execute) != fs::perms::none;
  fs::permissions(to, executes ? read | execute : read, failed);
  if (failed) return io_error("cannot set the permissions of", to, failed.message());
  return sync(to);
}

}  // namespace

Result<void> make_folders(const fs::path& folder) {
  std::error_code failed;
  if (folder.empty() || fs::is_directory(folder, failed)) return {};
  if (auto parents = make_folders(folder.parent_path()); !parents) return parents;
  fs::create_directory(folder, failed);
  if (failed) return io_error("cannot make the folder", folder, failed.message());
  return sync(folder.has_parent_path() ? folder.parent_path() : fs::path("."));
}

Result<void> place_file(const fs::path& from, const fs::path& to, const std::string& sha256, CopyMode mode) {
  std::error_code failed;
  const auto bytes = fs::file_size(from, failed);
  if (failed) return Error{ErrorCode::not_found, "cannot read " + from.string() + ": " + failed.message()};
  if (auto folder = make_folders(to.parent_path()); !folder) return folder;

  const TemporaryName temporary(to);
  if (bytes < link_from_bytes || !linked(from, temporary.path())) {
    if (auto copied = copy_whole(from, temporary.path(), mode); !copied) return copied;
  }
  const auto hash = record::sha256_of_file(temporary.path());
  if (!hash) return hash.error();
  if (*hash != sha256) {
    return Error{ErrorCode::bad_input,
                 from.string() + " has changed: its content hashes to " + *hash + ", expected " + sha256};
  }
  fs::rename(temporary.path(), to, failed);
  if (failed) return io_error("cannot put in place", to, failed.message());
  return sync(to.parent_path());
}

}  // namespace torchgate::baselines
