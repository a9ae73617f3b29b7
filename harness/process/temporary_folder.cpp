// SPDX-License-Identifier: Apache-2.0
#include "harness/process/temporary_folder.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/base/posix_file.hpp"

namespace torchgate::process {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "torchgate-scratch-";
constexpr std::string_view random_part = "XXXXXX";  // of mkdtemp

/// The folder itself, locked; not open where it is another's, in use, or has gone. A lock ends with its process, however that
/// ends.
Descriptor lock(const fs::path& folder) {
  Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!descriptor.open() || flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) return {};
  constexpr mode_t permissions = 07777;
  constexpr mode_t of_mkdtemp = 0700;
  if (fstat(descriptor.get(), &status) != 0 || status.st_nlink == 0 || status.st_uid != geteuid() ||
      (status.st_mode & permissions) != of_mkdtemp)
    return {};
  return descriptor;
}

}  // namespace

void TemporaryFolder::remove_abandoned() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (!error) remove_abandoned(parent);
}

void TemporaryFolder::remove_abandoned(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(prefix) || name.size() != prefix.size() + random_part.size()) continue;
    std::error_code ignored;
    if (const Descriptor unused = lock(it->path()); unused.open()) fs::remove_all(it->path(), ignored);
  }
}

base::Result<TemporaryFolder> TemporaryFolder::create() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error)
    return base::Error{base::ErrorCode::io,
                       "no folder for temporary files: " + error.message() + "; set TMPDIR to a folder"};
  remove_abandoned();
  return create(parent);
}

base::Result<TemporaryFolder> TemporaryFolder::create(const fs::path& parent) {
  std::error_code error;
  constexpr int most_attempts = 100;  // another program that cleans up can come between the folder and its lock
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    std::string name = (parent / (std::string(prefix) + std::string(random_part))).string();
    if (mkdtemp(name.data()) == nullptr) break;
    Descriptor descriptor = lock(name);
    if (descriptor.open() || fs::exists(name, error)) return TemporaryFolder(name, std::move(descriptor));
  }
  return base::Error{base::ErrorCode::io, "cannot create a temporary folder in " + parent.string() + ": " +
                                              base::system_error_text(errno) + ", or set TMPDIR to another one"};
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace torchgate::process
