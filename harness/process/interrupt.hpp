// SPDX-License-Identifier: Apache-2.0
// Ctrl-C as a request: the running child is killed, what is complete is kept, temporary files are removed.
#pragma once

#include <chrono>

namespace torchgate::process {

/// How long the program may run after a signal without checking for it.
inline constexpr std::chrono::seconds unanswered_signal_limit{120};

/// While one is alive, SIGINT, SIGTERM and SIGHUP set a flag instead of ending the program (a signal that was ignored
/// stays ignored: nohup, background jobs). Scopes nest; the last one restores the old handlers. The flag
/// survives it, so that the caller can pick its exit code, and is cleared by the next outermost scope. One thread at a
/// time. A program that does not ask for the flag within LIMIT after a signal, or after it last asked, is ended by SIGALRM: a loop
/// that never asks cannot keep a lock for ever.
class InterruptScope {
 public:
  explicit InterruptScope(std::chrono::seconds limit = unanswered_signal_limit);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
};

/// How often the user asked to stop. The second time means: immediately.
int interruptions();
inline bool interrupted() {
  return interruptions() > 0;
}

/// A file descriptor that becomes readable at the first interruption and stays so; -1 outside any scope.
int interrupt_descriptor();

/// Asked to stop inside a scope: loops check this. (A flag left over from an ended scope has no effect.)
inline bool stop_requested() {
  return interrupt_descriptor() >= 0 && interrupted();
}

}  // namespace torchgate::process
