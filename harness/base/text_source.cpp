// SPDX-License-Identifier: Apache-2.0
#include "harness/base/text_source.hpp"

#include <memory>
#include <utility>

#include "harness/base/regular_file.hpp"

namespace torchgate::base {

Result<TextSource> text_of_file(const std::filesystem::path& path) {
  // Shared: a std::function is copyable, an open file is not.
  auto opened = open_regular(path, Links::followed);
  if (!opened) return opened.error();
  const auto file = std::make_shared<PosixFile>(std::move(opened).value());
  return TextSource([file, path](std::span<char> space) -> Result<std::size_t> {
    for (;;) {
      const ssize_t count = ::read(file->descriptor(), space.data(), space.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) return system_error(path, "read it", errno);
    }
  });
}

}  // namespace torchgate::base
