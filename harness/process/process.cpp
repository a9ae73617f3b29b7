// SPDX-License-Identifier: Apache-2.0
#include "harness/process/process.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>

#include "harness/process/descendants.hpp"
#include "harness/process/interrupt.hpp"
#include "harness/process/spawn.hpp"

namespace torchgate::process {
namespace {

using Clock = std::chrono::steady_clock;

/// Polling interval for kernels that cannot signal a child's end.
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

/// Reads the available output without waiting, at most 64 pieces: endless output of a child must not block the caller.
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
  // WNOWAIT: the zombie keeps its process id, so that the group killed afterwards cannot have become another one.
  if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0) return info.si_pid == pid;
  return errno == ECHILD;  // another part of this program waited for it
}

int poll_timeout(Clock::time_point wake_up, bool exit_wakes_us) {
  if (!exit_wakes_us) wake_up = std::min(wake_up, Clock::now() + look_again);
  if (wake_up == never) return -1;
  constexpr std::chrono::milliseconds longest = std::chrono::hours(24);  // poll takes an int
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(wake_up - Clock::now());
  return static_cast<int>(std::clamp(wait, std::chrono::milliseconds(0), longest).count());
}

/// When to read the child next. Its executable is read at once in any case, because only that is certain to succeed.
class Looks {
 public:
  Looks(const Command& command, pid_t pid) : look_(command.look), pid_(pid) {
    executable_.look(pid_);
    executable_.assume(command.executable);
    next_ = Clock::now() + pause_;
  }
  [[nodiscard]] Clock::time_point next() const { return next_; }
  [[nodiscard]] const ExecutableWatch& executable() const { return executable_; }
  /// PRINTED: it has completed a step, possibly its last one.
  void look(bool printed) {
    const auto now = Clock::now();
    if (now < next_ && (!printed || now < last_ + shortest_between_looks)) return;
    executable_.look(pid_);
    if (look_) look_(pid_);
    last_ = now;
    if (now >= next_) pause_ = std::min(pause_ * 2, longest_between_looks);
    next_ = now + pause_;
  }

 private:
  static constexpr std::chrono::milliseconds shortest_between_looks{2};  // a program that prints without end
  const std::function<void(pid_t)>& look_;
  pid_t pid_;
  ExecutableWatch executable_;
  std::chrono::milliseconds pause_ = shortest_between_looks;
  Clock::time_point next_ = never;
  Clock::time_point last_ = Clock::now();
};

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
  if (reaped < 0) return;  // its end is unknown
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.usage = record::ProcessUsage{usage.ru_minflt, usage.ru_majflt, usage.ru_nvcsw, usage.ru_nivcsw};
  outcome.cpu = duration(usage.ru_utime) + duration(usage.ru_stime);
  // Between fork and exec the child was a copy of this process, and its peak counts that (fs/exec.c, setmax_mm_hiwater_rss).
  constexpr std::int64_t slack_bytes = 1 << 20;
  const std::int64_t peak_bytes = usage.ru_maxrss * std::int64_t{1024};
  if (peak_bytes > own_bytes + slack_bytes) outcome.peak_resident_bytes = peak_bytes;
}

/// A child that is watched until its end, or is being ended.
class Running {
 public:
  Running(const Command& command, Child child, std::int64_t own_bytes, Clock::time_point start)
      : command_(command),
        child_(std::move(child)),
        own_bytes_(own_bytes),
        tail_(command.tail_bytes),
        looks_(command, child_.pid),
        start_(start) {
    if (command.time_limit && *command.time_limit < never - start_) wake_up_ = start_ + *command.time_limit;
  }

  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] Clock::time_point wake_up() const { return std::min(wake_up_, looks_.next()); }
  [[nodiscard]] pid_t pid() const { return child_.pid; }
  [[nodiscard]] bool exit_wakes_us() const { return child_.exited.open(); }
  [[nodiscard]] bool interruptible() const { return !ours_ && !command_.cleans_up; }

  void add_events(std::vector<pollfd>& events) const {
    events.push_back({child_.output.get(), POLLIN, 0});
    events.push_back({child_.exited.get(), POLLIN, 0});
  }

  /// Asks it to end. Once.
  void end(Ending why) {
    if (ours_ || ended_) return;
    ours_ = why;
    kill(-child_.pid, SIGTERM);
    kill(-child_.pid, SIGCONT);  // a stopped one would get the other signal when it is continued
    wake_up_ = Clock::now() + command_.termination_grace;
  }

  /// After a poll: takes what it printed, ends it when its time is over or we are interrupted, and notices its end.
  void step(Outcome& outcome) {
    looks_.look(has_printed());
    drain(child_.output, tail_);
    if (has_exited(child_.pid)) return finish(outcome);
    const bool due = Clock::now() >= wake_up_;
    const bool asked_to_stop = stop_requested() && !command_.cleans_up;
    if (!ours_ && (asked_to_stop || due)) {
      end(asked_to_stop ? Ending::interrupted : Ending::timed_out);
    } else if (ours_ && !killed_ && (due || interruptions() > 1)) {
      kill(-child_.pid, SIGKILL);
      killed_ = true;
      wake_up_ = never;
    }
  }

 private:
  [[nodiscard]] bool has_printed() const {
    pollfd output{child_.output.get(), POLLIN, 0};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLIN) != 0;
  }

  void finish(Outcome& outcome) {
    outcome.ended = Clock::now();
    outcome.wall = outcome.ended - start_;
    kill(-child_.pid, SIGKILL);  // its remaining processes; before reaping, while the group's number cannot be reused
    drain(child_.output, tail_);
    reap(child_.pid, own_bytes_, outcome);
    outcome.tail = tail_.take();
    outcome.executable = looks_.executable().seen();
    outcome.executable_read_at = looks_.executable().read_at();
    outcome.ending = ours_ ? *ours_ : outcome.signal ? Ending::signalled : Ending::exited;
    ended_ = true;
  }

  const Command& command_;
  Child child_;
  std::int64_t own_bytes_;
  Tail tail_;
  Looks looks_;
  Clock::time_point start_;            // before it was launched: exec and loading are part of what it took
  Clock::time_point wake_up_ = never;  // the time limit; later the end of the grace after SIGTERM
  std::optional<Ending> ours_;         // why it ended, if ended by this program
  bool killed_ = false;
  bool ended_ = false;
};

bool ended_badly(const Outcome& outcome) {
  return outcome.ending != Ending::exited || outcome.exit_code.value_or(1) != 0;
}

/// Waits until any of them has output, is due, or this program is interrupted.
void wait_for_any(const std::vector<std::optional<Running>>& all, Clock::time_point wake_up,
                  const Companion* companion) {
  std::vector<pollfd> events;
  if (companion != nullptr) {
    companion->add_events(events);
    wake_up = std::min(wake_up, companion->wake_up());
  }
  bool exit_wakes_us = true;
  bool interruptible = false;
  for (const auto& running : all) {
    if (!running || running->ended()) continue;
    running->add_events(events);
    wake_up = std::min(wake_up, running->wake_up());
    exit_wakes_us = exit_wakes_us && running->exit_wakes_us();
    interruptible = interruptible || running->interruptible();
  }
  // Once all are being ended the descriptor, which stays readable, would only wake the loop.
  if (interruptible) events.push_back({interrupt_descriptor(), POLLIN, 0});
  poll(events.data(), events.size(), poll_timeout(wake_up, exit_wakes_us));
}

std::string listed(const std::vector<ProcessId>& processes) {
  std::string text;
  for (const ProcessId& each : processes) {
    if (!text.empty()) text += ", ";
    text += each.pid < 0 ? "unknown" : std::to_string(each.pid);
  }
  return text;
}

/// Whether a process may be started beside those left by an earlier launch; OUTCOMES have the reason if not.
bool nothing_in_the_way(const std::optional<DescendantScope>& descendants, std::vector<Outcome>& outcomes) {
  if (!descendants || descendants->in_the_way().empty()) return true;
  for (Outcome& outcome : outcomes)
    outcome.error = "processes left behind by an earlier program are still running and cannot be killed (process id " +
                    listed(descendants->in_the_way()) + "); end them, then measure again";
  return false;
}

void end_descendants(DescendantScope& descendants, std::vector<Outcome>& outcomes) {
  const DescendantScope::Ended ended = descendants.end();
  for (Outcome& outcome : outcomes) {
    outcome.left_behind = ended.killed;
    outcome.unstoppable = listed(ended.left);
  }
}

}  // namespace

Outcome run_process(const Command& command) {
  return run_together({command}, std::chrono::milliseconds(0)).front();
}

std::vector<Outcome> run_together(const std::vector<Command>& commands, std::chrono::milliseconds patience,
                                  Companion* companion) {
  std::vector<Outcome> outcomes(commands.size());
  const auto cleans_up = [](const Command& command) { return command.cleans_up; };
  if (stop_requested() && !std::all_of(commands.begin(), commands.end(), cleans_up)) {
    for (Outcome& outcome : outcomes) outcome.ending = Ending::interrupted;
    return outcomes;
  }
  std::optional<DescendantScope> descendants;
  if (std::none_of(commands.begin(), commands.end(), [](const Command& each) { return each.may_leave_processes; }))
    descendants.emplace();
  if (!nothing_in_the_way(descendants, outcomes)) return outcomes;
  const std::int64_t own_bytes = own_resident_bytes();
  std::vector<std::optional<Running>> all(commands.size());
  bool failed = false;
  for (std::size_t i = 0; i < commands.size() && !failed; ++i) {
    outcomes[i].started = Clock::now();
    auto child = spawn(commands[i]);
    if (child) {
      all[i].emplace(commands[i], std::move(child).value(), own_bytes, outcomes[i].started);
      if (companion != nullptr) companion->on_started(i, all[i]->pid());
    } else {
      outcomes[i].error = child.error().message;
      failed = true;
    }
  }
  Clock::time_point give_up = failed ? Clock::now() : never;
  const auto runs = [](const auto& each) { return each && !each->ended(); };
  while (std::any_of(all.begin(), all.end(), runs)) {
    wait_for_any(all, give_up, companion);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!runs(all[i])) continue;
      all[i]->step(outcomes[i]);
      if (all[i]->ended() && companion != nullptr) companion->on_ended(i, outcomes[i]);
      if (all[i]->ended() && ended_badly(outcomes[i])) give_up = std::min(give_up, Clock::now() + patience);
    }
    if (companion != nullptr) {
      for (const auto& [index, why] : companion->step())
        if (runs(all[index])) all[index]->end(why);
    }
    if (Clock::now() < give_up) continue;
    give_up = never;
    for (auto& each : all)
      if (runs(each)) each->end(Ending::abandoned);
  }
  if (descendants) end_descendants(*descendants, outcomes);
  return outcomes;
}

}  // namespace torchgate::process
