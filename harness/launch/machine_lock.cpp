// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/machine_lock.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "harness/launch/interrupt.hpp"

namespace torchgate::launch {
namespace {

constexpr std::chrono::milliseconds try_again{200};

/// Reading is enough for flock, so another user's file will do. Opened without O_CREAT first: fs.protected_regular
/// refuses that flag for somebody else's file in /tmp. O_NOFOLLOW: /tmp is everybody's, and so would be a link in it.
Descriptor open_lock_file(const std::filesystem::path& file) {
  constexpr int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  constexpr mode_t readable_by_all = 0644;
  Descriptor existing(open(file.c_str(), flags));
  if (existing.open() || errno != ENOENT) return existing;
  return Descriptor(open(file.c_str(), flags | O_CREAT, readable_by_all));
}

}  // namespace

MachineLock MachineLock::take(const std::filesystem::path& file, std::chrono::nanoseconds wait,
                              const std::function<void(const std::string&)>& on_wait) {
  const auto cannot = [&](int error) {
    return MachineLock("No machine-wide lock was taken (" + file.string() + ": " +
                       std::generic_category().message(error) +
                       "); make sure that no other torchgate measures on this machine");
  };
  Descriptor descriptor = open_lock_file(file);
  if (!descriptor.open()) return cannot(errno);
  const auto deadline =
      std::chrono::steady_clock::now() + std::min<std::chrono::nanoseconds>(wait, std::chrono::hours(24));
  bool told = false;
  while (flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return cannot(errno);
    if (stop_requested() || std::chrono::steady_clock::now() >= deadline)
      return MachineLock("Another torchgate measured on this machine at the same time (" + file.string() +
                         " was locked); these timings are doubtful, measure again");
    if (!told) on_wait("Waiting for another torchgate on this machine to finish (" + file.string() + " is locked)");
    told = true;
    pollfd interrupt{interrupt_descriptor(), POLLIN, 0};
    poll(&interrupt, 1, static_cast<int>(try_again.count()));
  }
  return MachineLock(std::move(descriptor));
}

}  // namespace torchgate::launch
