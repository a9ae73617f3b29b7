// SPDX-License-Identifier: Apache-2.0
#include "harness/process/descendants.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "harness/process/descriptor.hpp"

namespace torchgate::process {
namespace {

using Clock = std::chrono::steady_clock;

/// Between two passes: about as long as the kernel takes to end a process.
constexpr timespec between_passes{0, 200'000};

/// Processes that outlived an earlier scope. While there are any, this program stays the parent of what they leave
/// behind.
std::vector<ProcessId>& survivors() {
  static std::vector<ProcessId> processes;
  return processes;
}

/// Whether this program was a subreaper before any scope.
int& was_subreaper() {
  static int was = 0;
  return was;
}

struct Entry {
  ProcessId id;
  pid_t parent = -1;
};

/// "1234 (any (name)) S 1 ...": the parent is the 4th field, the start time the 22nd.
std::optional<Entry> entry_of(pid_t pid) {
  const Descriptor file(open(("/proc/" + std::to_string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 1024> bytes;
  const ssize_t got = file.open() ? read(file.get(), bytes.data(), bytes.size()) : -1;
  if (got <= 0) return std::nullopt;  // it has ended
  const std::string_view text(bytes.data(), static_cast<std::size_t>(got));
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(name_end + 1);
  Entry entry{{pid, 0}, -1};
  for (int field = 3; field <= 22; ++field) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (field == 4) std::from_chars(word.data(), word.data() + word.size(), entry.parent);
    if (field == 22) std::from_chars(word.data(), word.data() + word.size(), entry.id.start);
    rest.remove_prefix(word.size());
  }
  return entry;
}

/// Calls SEE for every process, in ascending order: one that was forked meanwhile comes later, and is seen as well.
template <class See>
void each_process(See see) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc"), &closedir);
  if (!folder) return;
  while (const dirent* const entry = readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc() || end != name.data() + name.size()) continue;
    if (const auto process = entry_of(pid)) see(*process);
  }
}

/// Asks the kernel, without a race: this program has no child, of any thread, alive or not.
bool has_no_children() {
  siginfo_t info{};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0 && errno == ECHILD;
}

std::vector<ProcessId> children() {
  std::vector<ProcessId> result;
  if (has_no_children()) return result;
  each_process([&](const Entry& entry) {
    if (entry.parent == getpid()) result.push_back(entry.id);
  });
  return result;
}

bool contains(const std::vector<ProcessId>& processes, const ProcessId& id) {
  return std::find(processes.begin(), processes.end(), id) != processes.end();
}

/// A child of this process keeps its number until it is reaped. Another number may belong to a new process: the descriptor
/// refers to one process only, and the second check confirms that it is the right one.
void kill_process(const Entry& entry) {
  if (entry.parent == getpid()) {
    kill(entry.id.pid, SIGKILL);
    return;
  }
  const Descriptor handle(static_cast<int>(syscall(SYS_pidfd_open, entry.id.pid, 0)));
  if (!handle.open()) return;  // before Linux 5.3: it is our child as soon as its parents have ended
  const auto again = entry_of(entry.id.pid);
  if (again && again->id == entry.id) syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0);
}

bool was_killed(int status) {
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

/// True when PID was ended by SIGKILL.
bool reap(pid_t pid) {
  int status = 0;
  return waitpid(pid, &status, WNOHANG | __WALL) == pid && was_killed(status);
}

/// All children that have ended; returns how many SIGKILL ended. REQUIRES: no other code waits for one of them.
std::int64_t reap_all() {
  std::int64_t killed = 0;
  int status = 0;
  while (waitpid(-1, &status, WNOHANG | __WALL) > 0) killed += was_killed(status) ? 1 : 0;
  return killed;
}

/// Kills every descendant but EARLIER and what is below those, each as soon as it is found, so that a forking process
/// has no time to fork again. Returns those that were found.
std::vector<ProcessId> pass(const std::vector<ProcessId>& earlier, std::int64_t& killed) {
  std::vector<ProcessId> found;
  std::set<pid_t> ours;
  // On a busy machine a program that forks continuously leaves ended processes faster than /proc can be read, and this would
  // never reach those that run. Without earlier children all that have ended are descendants.
  if (earlier.empty()) killed += reap_all();
  each_process([&](const Entry& entry) {
    const bool child = entry.parent == getpid();
    if (contains(earlier, entry.id) || !(child || ours.contains(entry.parent))) return;
    ours.insert(entry.id.pid);
    found.push_back(entry.id);
    kill_process(entry);
    if (earlier.empty())
      killed += reap_all();
    else if (child && reap(entry.id.pid))
      ++killed;
  });
  return found;
}

DescendantScope::Ended end_all(const std::vector<ProcessId>& earlier, std::chrono::milliseconds patience) {
  DescendantScope::Ended ended;
  const auto deadline = Clock::now() + patience;
  // While other children exist, waitpid() cannot tell that none are left: two passes over /proc have to find none.
  for (int clean = 0; clean < 2;) {
    if (has_no_children()) return ended;
    auto found = pass(earlier, ended.killed);
    clean = found.empty() && !earlier.empty() ? clean + 1 : 0;
    if (clean == 0 && Clock::now() >= deadline && !has_no_children()) {
      if (found.empty()) found.emplace_back();
      ended.left = std::move(found);
      return ended;
    }
    nanosleep(&between_passes, nullptr);
  }
  return ended;
}

}  // namespace

DescendantScope::DescendantScope(std::chrono::milliseconds patience) : patience_(patience), earlier_(children()) {
  const std::vector<ProcessId> old = std::exchange(survivors(), {});
  if (old.empty()) prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper());
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (old.empty()) return;
  std::erase_if(earlier_, [&](const ProcessId& each) { return contains(old, each); });
  survivors() = in_the_way_ = end_all(earlier_, patience_).left;
}

DescendantScope::~DescendantScope() {
  if (!ended_) end();
  if (survivors().empty()) prctl(PR_SET_CHILD_SUBREAPER, was_subreaper());
}

DescendantScope::Ended DescendantScope::end() {
  ended_ = true;
  Ended ended = end_all(earlier_, patience_);
  survivors() = ended.left;
  return ended;
}

}  // namespace torchgate::process
