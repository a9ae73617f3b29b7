// SPDX-License-Identifier: Apache-2.0
#include "baselines/writer_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "harness/base/posix_file.hpp"

namespace torchgate::baselines {
namespace {

LockWait& lock_wait() {
  static LockWait wait;
  return wait;
}

std::string limit_words(std::chrono::milliseconds limit) {
  constexpr std::int64_t minute_s = 60;
  const std::int64_t seconds = std::chrono::ceil<std::chrono::seconds>(limit).count();
  return seconds >= 2 * minute_s ? std::to_string(seconds / minute_s) + " min" : std::to_string(seconds) + " s";
}

}  // namespace

void set_lock_wait(LockWait wait) {
  lock_wait() = std::move(wait);
}

base::Result<WriterLock> WriterLock::take(const std::filesystem::path& marker) {
  constexpr std::chrono::milliseconds try_again{50};
  const int descriptor = ::open(marker.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return base::system_error(marker, "lock the store", errno);
  WriterLock lock(descriptor);
  const LockWait& wait = lock_wait();
  const auto deadline = std::chrono::steady_clock::now() + wait.limit;
  bool told = false;
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR && errno != EWOULDBLOCK) return base::system_error(marker, "lock the store", errno);
    if (wait.stop && wait.stop())
      return base::Error{base::ErrorCode::interrupted,
                         "interrupted while waiting for the store " + marker.parent_path().string()};
    if (std::chrono::steady_clock::now() >= deadline)
      return base::Error{base::ErrorCode::io, marker.string() + ": locked by another torchgate process for " +
                                                  limit_words(wait.limit) + "; end that process, then try again"};
    if (!told && wait.tell)
      wait.tell("Waiting for another torchgate process that writes to the store " + marker.parent_path().string() +
                " (it has locked " + marker.string() + "), for at most " + limit_words(wait.limit));
    told = true;
    std::this_thread::sleep_for(try_again);
  }
  return lock;
}

WriterLock::~WriterLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace torchgate::baselines
