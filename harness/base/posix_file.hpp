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

/// "PATH: cannot DO: No space left on device"; not_found if PATH does not exist.
inline Error system_error(const std::filesystem::path& path, const std::string& what, int number) {
  return {number == ENOENT || number == ENOTDIR ? ErrorCode::not_found : ErrorCode::io,
          path.string() + ": cannot " + what + ": " + std::generic_category().message(number)};
}

inline Error already_exists(const std::filesystem::path& path) {
  return {ErrorCode::bad_input, path.string() + ": already exists; choose another name or remove it"};
}

}  // namespace torchgate::base
