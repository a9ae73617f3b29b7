// SPDX-License-Identifier: Apache-2.0
#include "baselines/writer_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace torchgate::baselines {

base::Result<WriterLock> WriterLock::take(const std::filesystem::path& marker) {
  const auto failure = [&] {
    return base::Error{base::ErrorCode::io,
                       "cannot lock the store with " + marker.string() + ": " + std::strerror(errno)};
  };
  const int descriptor = ::open(marker.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return failure();
  WriterLock lock(descriptor);
  while (::flock(descriptor, LOCK_EX) != 0) {
    if (errno != EINTR) return failure();
  }
  return lock;
}

WriterLock::~WriterLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace torchgate::baselines
