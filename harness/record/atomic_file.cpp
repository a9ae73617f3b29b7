// SPDX-License-Identifier: Apache-2.0
#include "harness/record/atomic_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "harness/record/internal/posix_file.hpp"
#include "harness/record/internal/regular_file.hpp"

namespace torchgate::record {
namespace {

namespace fs = std::filesystem;
using internal::PosixFile;
using internal::system_error;

constexpr std::size_t piece_bytes = 1U << 20U;

// Removes the temporary file on every way out; after a rename there is nothing left to remove.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path path) : path_(std::move(path)) {}
  TemporaryFile(TemporaryFile&&) = delete;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile() {
    if (!renamed_) ::unlink(path_.c_str());
  }

  [[nodiscard]] const fs::path& path() const { return path_; }
  void renamed() { renamed_ = true; }

 private:
  fs::path path_;
  bool renamed_ = false;
};

// A name nobody else uses: hidden, so that no listing of records takes it for one, and short, so that it fits wherever
// the final name fits. Process and time make it unique across containers that share a folder.
std::string temporary_name() {
  static std::atomic<unsigned> count{0};
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return ".torchgate-" + std::to_string(::getpid()) + "-" + std::to_string(now) + "-" + std::to_string(count++) +
         ".tmp";
}

int write_all(const PosixFile& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.descriptor(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
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
    return Error{ErrorCode::bad_input, path.string() + ": is not a regular file; give the name of a file"};
  }
  if (!replace) return internal::already_exists(path);
  return {};
}

Result<void> put_in_place(TemporaryFile& temporary, const fs::path& path, bool replace) {
  if (replace) {
    if (::rename(temporary.path().c_str(), path.c_str()) != 0) return system_error(path, "put it in place", errno);
    temporary.renamed();
    return {};
  }
  if (::link(temporary.path().c_str(), path.c_str()) == 0) return {};
  if (errno == EEXIST) return internal::already_exists(path);
  return system_error(path, "put it in place", errno);
}

}  // namespace

Result<std::string> read_file(const fs::path& path, std::int64_t limit_bytes, Links links) {
  const auto opened = internal::open_regular(path, links);
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
    if (filled == bytes.size()) bytes.resize(std::min(most, bytes.size() + std::max(bytes.size(), piece_bytes)));
  }
  bytes.resize(filled);
  return bytes;
}

Result<void> write_file_atomically(const fs::path& path, std::string_view bytes, bool replace) {
  if (auto possible = check_replaceable(path, replace); !possible) return possible;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const fs::path name = folder / temporary_name();
  // 0666 less the umask: what any other program would give a file that its user may share.
  PosixFile file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.is_open()) return system_error(path, "create a file in its folder", errno);

  TemporaryFile temporary(name);
  if (const int number = write_all(file, bytes); number != 0) return system_error(path, "write it", number);
  if (::fsync(file.descriptor()) != 0) return system_error(path, "sync it", errno);
  if (!file.close()) return system_error(path, "write it", errno);
  if (auto placed = put_in_place(temporary, path, replace); !placed) return placed;
  return sync_folder(folder);
}

}  // namespace torchgate::record
