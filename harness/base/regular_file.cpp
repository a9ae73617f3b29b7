// SPDX-License-Identifier: Apache-2.0
#include "harness/base/regular_file.hpp"

#include <sys/stat.h>

namespace torchgate::base {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "of an unknown type";
}

Error not_regular(const std::filesystem::path& path, mode_t mode) {
  const std::string fix = S_ISFIFO(mode) ? "; write it to a file first" : "";
  return {ErrorCode::bad_input, path.string() + ": expected a regular file, found " + kind_of(mode) + fix};
}

}  // namespace

Result<PosixFile> open_regular(const std::filesystem::path& path, Links links) {
  const int link_flag = links == Links::refused ? O_NOFOLLOW : 0;
  PosixFile file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | link_flag));
  struct stat status {};
  if (!file.is_open()) {
    const int number = errno;
    if (number == ELOOP && links == Links::refused) {
      return Error{ErrorCode::bad_input, path.string() + ": expected a regular file, found a symbolic link"};
    }
    // A socket cannot be opened at all.
    if (number == ENXIO && ::stat(path.c_str(), &status) == 0) return not_regular(path, status.st_mode);
    return system_error(path, "open it", number);
  }
  if (::fstat(file.descriptor(), &status) != 0) return system_error(path, "read it", errno);
  if (!S_ISREG(status.st_mode)) return not_regular(path, status.st_mode);
  return file;
}

}  // namespace torchgate::base
