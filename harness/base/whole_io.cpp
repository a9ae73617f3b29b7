// SPDX-License-Identifier: Apache-2.0
#include "harness/base/whole_io.hpp"

#include <unistd.h>

#include <cerrno>

namespace torchgate::base {

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

std::optional<std::string> read_all(int descriptor, std::size_t bytes) {
  std::string text(bytes, '\0');
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t count = ::pread(descriptor, text.data() + done, bytes - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    done += static_cast<std::size_t>(count);
  }
  return text;
}

}  // namespace torchgate::base
