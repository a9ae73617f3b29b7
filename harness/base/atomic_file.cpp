// SPDX-License-Identifier: Apache-2.0
#include "harness/base/atomic_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "harness/base/abandoned_files.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/base/regular_file.hpp"
#include "harness/base/whole_io.hpp"

namespace torchgate::base {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t read_piece_bytes = 1U << 20U;

// Left by writers that were killed. Once per folder and process: a run writes hundreds of files into one folder.
void sweep_once(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> swept;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!swept.insert(folder).second) return;
  }
  remove_abandoned_files(folder);
}

// Makes the new name itself survive a power cut. Some file systems cannot sync a folder and say EINVAL: they need not.
Result<void> sync_folder(const fs::path& folder) {
  const PosixFile directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open()) return system_error(folder, "open the folder", errno);
  if (::fsync(directory.descriptor()) != 0 && errno != EINVAL) return system_error(folder, "sync the folder", errno);
  return {};
}

// A rename would put a plain file where /dev/null or a folder was.
Result<void> check_replaceable(const fs::path& path, bool replace) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  if (!S_ISREG(status.st_mode)) {
    return Error{ErrorCode::bad_input, path.string() + ": not a regular file; give the name of a file"};
  }
  if (!replace) return already_exists(path);
  return {};
}

Result<void> put_in_place(LockedTemporary& temporary, const fs::path& path, bool replace) {
  if (replace) {
    if (::rename(temporary.path().c_str(), path.c_str()) != 0) return system_error(path, "put it in place", errno);
    temporary.keep();
    return {};
  }
  if (::link(temporary.path().c_str(), path.c_str()) == 0) return {};
  if (errno == EEXIST) return already_exists(path);
  return system_error(path, "put it in place", errno);
}

}  // namespace

Result<std::string> read_file(const fs::path& path, std::int64_t limit_bytes, Links links) {
  const auto opened = open_regular(path, links);
  if (!opened) return opened.error();
  const PosixFile& file = *opened;
  const Error too_large{ErrorCode::bad_input, path.string() + ": larger than the limit of " +
                                                  std::to_string(limit_bytes) + " bytes for such a file"};
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) return system_error(path, "read it", errno);
  if (status.st_size > limit_bytes) return too_large;

  // The size is only a hint: the file may grow.
  std::string bytes;
  std::size_t filled = 0;
  const auto most = static_cast<std::size_t>(limit_bytes) + 1;
  bytes.resize(std::min(most, static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)) + 1));
  for (;;) {
    const ssize_t count = ::read(file.descriptor(), bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(path, "read it", errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
    if (filled == most) return too_large;
    if (filled == bytes.size()) bytes.resize(std::min(most, bytes.size() + std::max(bytes.size(), read_piece_bytes)));
  }
  bytes.resize(filled);
  return bytes;
}

Result<void> write_file_atomically(const fs::path& path, std::string_view bytes, bool replace) {
  if (auto possible = check_replaceable(path, replace); !possible) return possible;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  sweep_once(folder);
  // 0666 less the umask: what any other program would give a file that its user may share.
  constexpr unsigned shared_mode = 0666;
  auto temporary = LockedTemporary::create(path, shared_mode);
  if (!temporary) return temporary.error();
  if (const int number = write_all(temporary->descriptor(), bytes); number != 0)
    return system_error(path, "write it", number);
  if (::fsync(temporary->descriptor()) != 0) return system_error(path, "sync it", errno);
  // Some file systems report a failed write only when a descriptor is closed. The lock stays with the first descriptor.
  PosixFile second(::dup(temporary->descriptor()));
  if (!second.close()) return system_error(path, "write it", errno);
  if (auto placed = put_in_place(*temporary, path, replace); !placed) return placed;
  return sync_folder(folder);
}

}  // namespace torchgate::base
