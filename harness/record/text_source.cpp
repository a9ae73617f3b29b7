// SPDX-License-Identifier: Apache-2.0
#include "harness/record/text_source.hpp"

#include <memory>

#include "harness/record/internal/posix_file.hpp"

namespace torchgate::record {

Result<TextSource> text_of_file(const std::filesystem::path& path) {
  // Shared: a std::function is copyable, an open file is not.
  const auto file = std::make_shared<internal::PosixFile>(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file->is_open()) return internal::system_error(path, "open it", errno);
  return TextSource([file, path](std::span<char> space) -> Result<std::size_t> {
    for (;;) {
      const ssize_t count = ::read(file->descriptor(), space.data(), space.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) return internal::system_error(path, "read it", errno);
    }
  });
}

}  // namespace torchgate::record
