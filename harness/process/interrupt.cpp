// SPDX-License-Identifier: Apache-2.0
#include "harness/process/interrupt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>

namespace torchgate::process {
namespace {

constexpr std::array<int, 3> stop_signals = {SIGINT, SIGTERM, SIGHUP};

// A signal handler can only reach globals. Lock-free atomics and write() are what it may use.
std::atomic<int> count{0};
std::atomic<int> wake_reader{-1};
std::atomic<int> wake_writer{-1};
std::atomic<unsigned> limit_s{0};  // of the outermost scope; 0: none
int depth = 0;
std::array<struct sigaction, stop_signals.size()> old_actions;

void on_stop_signal(int) {
  const int saved = errno;
  count.fetch_add(1);
  if (limit_s > 0) alarm(limit_s);
  const char byte = 0;
  if (wake_writer >= 0 && write(wake_writer, &byte, 1) < 0) {
    // A full pipe is readable already.
  }
  errno = saved;
}

}  // namespace

InterruptScope::InterruptScope(std::chrono::seconds limit) {
  if (depth++ > 0) return;
  count = 0;
  limit_s = static_cast<unsigned>(limit.count());
  std::array<int, 2> ends = {-1, -1};
  const bool usable =
      pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0;  // else Ctrl-C had better end the program at once
  wake_reader = ends[0];
  wake_writer = ends[1];
  for (std::size_t i = 0; i < stop_signals.size(); ++i) {
    sigaction(stop_signals[i], nullptr, &old_actions[i]);
    if (!usable || old_actions[i].sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_stop_signal;  // without SA_RESTART: a waiting call returns and sees the flag
    sigfillset(&action.sa_mask);
    sigaction(stop_signals[i], &action, nullptr);
  }
}

InterruptScope::~InterruptScope() {
  if (--depth > 0) return;
  limit_s = 0;
  if (count > 0) alarm(0);
  for (std::size_t i = 0; i < stop_signals.size(); ++i) sigaction(stop_signals[i], &old_actions[i], nullptr);
  for (std::atomic<int>* const end : {&wake_writer, &wake_reader}) {
    const int descriptor = end->exchange(-1);
    if (descriptor >= 0) close(descriptor);
  }
}

int interruptions() {
  const int asked = count;
  if (asked > 0 && limit_s > 0) alarm(limit_s);
  return asked;
}
int interrupt_descriptor() {
  return wake_reader;
}

}  // namespace torchgate::process
