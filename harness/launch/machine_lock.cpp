// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/machine_lock.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "harness/launch/lock_holder.hpp"
#include "harness/process/interrupt.hpp"

namespace torchgate::launch {
namespace {

constexpr std::chrono::milliseconds try_again{200};

/// flock needs only read access, so a file of another user is enough. Opened without O_CREAT first:
/// fs.protected_regular refuses that flag for another user's file in /tmp. O_NOFOLLOW: any user can create a link in
/// /tmp.
process::Descriptor open_lock_file(const std::filesystem::path& file) {
  constexpr int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  constexpr mode_t readable_by_all = 0644;
  process::Descriptor existing(open(file.c_str(), flags));
  if (existing.open() || errno != ENOENT) return existing;
  return process::Descriptor(open(file.c_str(), flags | O_CREAT, readable_by_all));
}

/// A lock, or why it could not be taken.
struct Taken {
  process::Descriptor descriptor;
  std::string warning;
};

Taken wait_for(const std::filesystem::path& file, std::chrono::nanoseconds wait,
               const std::function<void(const std::string&)>& on_wait) {
  const auto cannot = [&](int error) {
    return Taken{process::Descriptor(), "The machine-wide lock could not be taken (" + file.string() + ": " +
                                            std::generic_category().message(error) +
                                            "); make sure that no other torchgate process measures on this machine"};
  };
  process::Descriptor descriptor = open_lock_file(file);
  if (!descriptor.open()) return cannot(errno);
  const auto deadline =
      std::chrono::steady_clock::now() + std::min<std::chrono::nanoseconds>(wait, std::chrono::hours(24));
  bool told = false;
  while (flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return cannot(errno);
    const LockHolder holder = lock_holder(descriptor.get());
    const std::string locked = file.string() + " is locked by " + holder_text(holder);
    if (!worth_waiting_for(holder, geteuid()))
      return {process::Descriptor(), "Not waiting for a program of another user: " + locked +
                                         "; ask that user to end it, or measure again after it has ended"};
    if (process::stop_requested())
      return {process::Descriptor(),
              "Interrupted while waiting for another torchgate process on this machine (" + locked + ")"};
    if (std::chrono::steady_clock::now() >= deadline)
      return {process::Descriptor(), "Another torchgate process measured on this machine at the same time (" + locked +
                                         "); these timings are unreliable, measure again"};
    if (!told)
      on_wait("Waiting for another torchgate process on this machine to finish (" + locked + "), for at most " +
              std::to_string(std::chrono::ceil<std::chrono::minutes>(wait).count()) + " min");
    told = true;
    pollfd interrupt{process::interrupt_descriptor(), POLLIN, 0};
    poll(&interrupt, 1, static_cast<int>(try_again.count()));
  }
  return {std::move(descriptor), ""};
}

}  // namespace

MachineLock MachineLock::take(const std::filesystem::path& file, std::chrono::nanoseconds wait,
                              const std::function<void(const std::string&)>& on_wait,
                              const std::filesystem::path& own_file) {
  const auto deadline = std::chrono::steady_clock::now() + wait;
  Taken shared = wait_for(file, wait, on_wait);
  if (shared.descriptor.open() || own_file.empty() || process::stop_requested())
    return {std::move(shared.descriptor), std::move(shared.warning)};
  on_wait(shared.warning);
  const auto left = std::max<std::chrono::nanoseconds>(deadline - std::chrono::steady_clock::now(), {});
  Taken own = wait_for(own_file, left, on_wait);
  return {std::move(own.descriptor), std::move(shared.warning)};
}

std::filesystem::path own_lock_file() {
  constexpr const char* name = "torchgate.lock";
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime != nullptr && *runtime == '/')
    return std::filesystem::path(runtime) / name;
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return {};
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(home) / ".cache";
  std::filesystem::create_directories(folder, ignored);
  return folder / name;
}

}  // namespace torchgate::launch
