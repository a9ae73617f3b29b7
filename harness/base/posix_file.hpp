// SPDX-License-Identifier: Apache-2.0
// An open file that closes itself, and errors of the operating system.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "harness/base/result.hpp"

namespace torchgate::base {

class PosixFile {
 public:
  explicit PosixFile(int descriptor) : descriptor_(descriptor) {}
  PosixFile(PosixFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  PosixFile& operator=(PosixFile&&) = delete;
  ~PosixFile() { close(); }

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// False if the operating system reports only now that writing failed.
  bool close() { return !is_open() || ::close(std::exchange(descriptor_, -1)) == 0; }

 private:
  int descriptor_;
};

/// "No space left on device; free some space there": the operating system's words, and what to do where that is known.
inline std::string system_error_text(int number) {
  std::string text = std::generic_category().message(number);
  if (number == ENOSPC) text += "; free some space there";
  if (number == EDQUOT) text += "; remove files of this user there, or ask for a larger quota";
  if (number == EROFS) text += "; name a folder that can be written to";
  if (number == EFBIG) text += "; raise the limit for the size of files (ulimit -f)";
  return text;
}

/// "PATH: cannot DO: No space left on device; free some space there"; not_found if PATH does not exist.
inline Error system_error(const std::filesystem::path& path, const std::string& what, int number) {
  return {number == ENOENT || number == ENOTDIR ? ErrorCode::not_found : ErrorCode::io,
          path.string() + ": cannot " + what + ": " + system_error_text(number)};
}

inline Error already_exists(const std::filesystem::path& path) {
  return {ErrorCode::bad_input, path.string() + ": already exists; choose another name or remove it"};
}

}  // namespace torchgate::base
