// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/process.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>

#include "harness/launch/interrupt.hpp"
#include "harness/launch/spawn.hpp"

namespace torchgate::launch {
namespace {

using Clock = std::chrono::steady_clock;

/// Where the kernel cannot wake us at a child's end we look again this often.
constexpr std::chrono::milliseconds look_again{20};

constexpr Clock::time_point never = Clock::time_point::max();

/// The last bytes of a stream of any length.
class Tail {
 public:
  explicit Tail(std::size_t limit) : limit_(limit) {}
  void append(const char* data, std::size_t size) {
    text_.append(data, size);
    if (text_.size() > 2 * limit_ + 1) trim();
  }
  std::string take() {
    trim();
    return std::move(text_);
  }

 private:
  void trim() {
    if (text_.size() > limit_) text_.erase(0, text_.size() - limit_);
  }
  std::size_t limit_;
  std::string text_;
};

/// Reads what is there without waiting, at most 64 pieces: a child that prints without end must not keep us here.
void drain(Descriptor& output, Tail& tail) {
  std::array<char, 65536> piece;
  for (int i = 0; i < 64 && output.open(); ++i) {
    const ssize_t got = read(output.get(), piece.data(), piece.size());
    if (got > 0) tail.append(piece.data(), static_cast<std::size_t>(got));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return;
    if (got == 0) output.close();
  }
}

bool has_exited(pid_t pid) {
  siginfo_t info{};
  // WNOWAIT: the zombie keeps its process id, so that the group we kill afterwards cannot be somebody else's by then.
  if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0) return info.si_pid == pid;
  return errno == ECHILD;  // somebody else in this program waited for it
}

int poll_timeout(Clock::time_point wake_up, bool exit_wakes_us) {
  if (!exit_wakes_us) wake_up = std::min(wake_up, Clock::now() + look_again);
  if (wake_up == never) return -1;
  constexpr std::chrono::milliseconds longest = std::chrono::hours(24);  // poll takes an int
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(wake_up - Clock::now());
  return static_cast<int>(std::clamp(wait, std::chrono::milliseconds(0), longest).count());
}

/// When to look at the child next.
class Looks {
 public:
  Looks(const Command& command, pid_t pid) : look_(command.look), pid_(pid) {
    if (look_) next_ = Clock::now() + pause_;
  }
  [[nodiscard]] Clock::time_point next() const { return next_; }
  /// PRINTED: it has reached the end of something, perhaps of everything.
  void look(bool printed) {
    const auto now = Clock::now();
    if (!look_ || (now < next_ && (!printed || now < last_ + shortest_between_looks))) return;
    look_(pid_);
    last_ = now;
    if (now >= next_) pause_ = std::min(pause_ * 2, longest_between_looks);
    next_ = now + pause_;
  }

 private:
  static constexpr std::chrono::milliseconds shortest_between_looks{2};  // a program that prints without end
  const std::function<void(pid_t)>& look_;
  pid_t pid_;
  std::chrono::milliseconds pause_ = shortest_between_looks;
  Clock::time_point next_ = never;
  Clock::time_point last_ = Clock::now();
};

/// Waits for the child's end and brings it about when its time is over or we are interrupted. Returns why it ended, as
/// far as that was our doing.
std::optional<Ending> watch(const Command& command, Child& child, Clock::time_point start, Tail& tail) {
  std::optional<Ending> ours;
  Clock::time_point wake_up = never;  // the time limit; later the end of the grace after SIGTERM
  if (command.time_limit && *command.time_limit < never - start) wake_up = start + *command.time_limit;
  bool killed = false;
  Looks looks(command, child.pid);
  while (!has_exited(child.pid)) {
    std::array<pollfd, 3> events = {pollfd{child.output.get(), POLLIN, 0}, pollfd{child.exited.get(), POLLIN, 0},
                                    pollfd{ours ? -1 : interrupt_descriptor(), POLLIN, 0}};
    poll(events.data(), events.size(), poll_timeout(std::min(wake_up, looks.next()), child.exited.open()));
    looks.look((events[0].revents & POLLIN) != 0);
    drain(child.output, tail);
    const bool due = Clock::now() >= wake_up;
    if (!ours && (stop_requested() || due)) {
      ours = stop_requested() ? Ending::interrupted : Ending::timed_out;
      kill(-child.pid, SIGTERM);
      wake_up = Clock::now() + command.termination_grace;
    } else if (ours && !killed && (due || interruptions() > 1)) {
      kill(-child.pid, SIGKILL);
      killed = true;
      wake_up = never;
    }
  }
  return ours;
}

std::chrono::nanoseconds duration(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

std::int64_t own_resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t size = 0;
  std::int64_t resident = 0;
  statm >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

void reap(pid_t pid, std::int64_t own_bytes, Outcome& outcome) {
  int status = 0;
  rusage usage{};
  pid_t reaped = 0;
  do reaped = wait4(pid, &status, 0, &usage);
  while (reaped < 0 && errno == EINTR);
  if (reaped < 0) return;  // nothing is known of its end
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.cpu = duration(usage.ru_utime) + duration(usage.ru_stime);
  // Between fork and exec the child was a copy of us, and its peak counts that (fs/exec.c, setmax_mm_hiwater_rss).
  constexpr std::int64_t slack_bytes = 1 << 20;
  const std::int64_t peak_bytes = usage.ru_maxrss * std::int64_t{1024};
  if (peak_bytes > own_bytes + slack_bytes) outcome.peak_resident_bytes = peak_bytes;
}

}  // namespace

Outcome run_process(const Command& command) {
  Outcome outcome;
  if (stop_requested()) {
    outcome.ending = Ending::interrupted;
    return outcome;
  }
  const std::int64_t own_bytes = own_resident_bytes();
  const Clock::time_point start = Clock::now();
  auto child = spawn(command);
  if (!child) {
    outcome.error = child.error().message;
    return outcome;
  }
  Tail tail(command.tail_bytes);
  const std::optional<Ending> ours = watch(command, *child, start, tail);
  outcome.wall = Clock::now() - start;
  kill(-child->pid, SIGKILL);  // what it left behind; before reaping, while the group's number is still ours
  drain(child->output, tail);
  reap(child->pid, own_bytes, outcome);
  outcome.tail = tail.take();
  outcome.ending = ours ? *ours : outcome.signal ? Ending::signalled : Ending::exited;
  return outcome;
}

}  // namespace torchgate::launch
