// SPDX-License-Identifier: Apache-2.0
#include "harness/process/spawn.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <system_error>

namespace torchgate::process {
namespace {

/// Data for the child after fork, where it must not allocate.
struct Prepared {
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  std::vector<char*> argv;
  std::vector<char*> envp;
};

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (std::string& each : strings) result.push_back(each.data());
  result.push_back(nullptr);
  return result;
}

Prepared prepare(const Command& command) {
  Prepared prepared;
  prepared.arguments = {command.executable.string()};
  prepared.arguments.insert(prepared.arguments.end(), command.arguments.begin(), command.arguments.end());
  const auto replaced = [&](std::string_view name) {
    return std::find(command.unset.begin(), command.unset.end(), name) != command.unset.end() ||
           std::any_of(command.environment.begin(), command.environment.end(),
                       [&](const record::Parameter& each) { return each.name == name; });
  };
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!replaced(text.substr(0, text.find('=')))) prepared.environment.emplace_back(text);
  }
  for (const record::Parameter& each : command.environment)
    prepared.environment.push_back(each.name + "=" + each.value);
  prepared.argv = pointers(prepared.arguments);
  prepared.envp = pointers(prepared.environment);
  return prepared;
}

/// Above the three standard descriptors, even where one of them was closed when we were started.
Descriptor above_standard(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return Descriptor(descriptor);
  const Descriptor low(descriptor);
  return Descriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

struct Pipe {
  Descriptor reader;
  Descriptor writer;
};

Pipe make_pipe() {
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  return {above_standard(ends[0]), above_standard(ends[1])};
}

enum class Stage { working_directory, executable };

struct StartFailure {
  Stage stage;
  int error;
};

[[noreturn]] void fail(int report, Stage stage) {
  const StartFailure failure{stage, errno};
  if (write(report, &failure, sizeof failure) < 0) {
    // No reader is left for the error.
  }
  _exit(127);
}

/// A signal that our caller ignores stays ignored (nohup); our own handlers must not run in the child.
void restore_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) std::signal(signal, SIG_DFL);
  }
  std::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

constexpr unsigned close_range_cloexec = 4;  // CLOSE_RANGE_CLOEXEC of linux/close_range.h, absent in older headers
constexpr long close_range_call = __NR_close_range;  // of the kernel's headers: glibc 2.31 has no SYS_close_range

/// Runs in the child between fork and exec: async-signal-safe calls only.
[[noreturn]] void become(const Command& command, const Prepared& prepared, int input, int output, int errors,
                         int report, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it died before the line above
  restore_signals();
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  // Those that our own caller forgot to close; before Linux 5.11 they stay, as they would in any shell.
  syscall(close_range_call, STDERR_FILENO + 1, ~0U, close_range_cloexec);
  if (command.inherited >= 0) fcntl(command.inherited, F_SETFD, 0);
  const std::uint64_t most_bytes = command.file_limit_bytes.value_or(output_limit_bytes);
  const rlimit file_size{most_bytes, most_bytes};
  if (output != errors || command.file_limit_bytes) setrlimit(RLIMIT_FSIZE, &file_size);
  if (!command.working_directory.empty() && chdir(command.working_directory.c_str()) != 0)
    fail(report, Stage::working_directory);
  execve(command.executable.c_str(), prepared.argv.data(), prepared.envp.data());
  fail(report, Stage::executable);
}

base::Error io_error(const std::string& what, int error) {
  return {base::ErrorCode::io, what + ": " + std::generic_category().message(error)};
}

/// Blocks until exec has happened (the pipe closes) or failed.
base::Result<void> wait_for_exec(const Command& command, int report) {
  StartFailure failure{};
  ssize_t got = 0;
  do got = read(report, &failure, sizeof failure);
  while (got < 0 && errno == EINTR);
  if (got != sizeof failure) return {};
  return io_error(
      "cannot " + (failure.stage == Stage::executable ? "start " + command.executable.string()
                                                      : "enter folder " + command.working_directory.string()),
      failure.error);
}

/// A parent that ignores SIGCHLD (some CI agents do, and it is inherited) would have its children reaped by the kernel,
/// and their exit codes lost.
void keep_exit_codes() {
  struct sigaction action {};
  sigaction(SIGCHLD, nullptr, &action);
  if (action.sa_handler == SIG_IGN) std::signal(SIGCHLD, SIG_DFL);
}

}  // namespace

base::Result<Child> spawn(const Command& command) {
  const Prepared prepared = prepare(command);
  const Descriptor input = above_standard(open("/dev/null", O_RDONLY | O_CLOEXEC));
  Pipe output = make_pipe();
  Pipe report = make_pipe();
  if (!input.open() || !output.writer.open() || !report.writer.open()) return io_error("cannot open a pipe", errno);
  Descriptor printed;  // where its standard output goes, if not into the pipe
  if (!command.output_file.empty()) {
    constexpr int for_us_only = 0600;
    printed = above_standard(open(command.output_file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, for_us_only));
    if (!printed.open()) return io_error("cannot write " + command.output_file.string(), errno);
  }
  fcntl(output.reader.get(), F_SETFL, O_NONBLOCK);
  keep_exit_codes();

  // A signal that arrives between fork and the child's restore_signals() must not run our handler in the child, where
  // it would write into our wake-up pipe.
  sigset_t all;
  sigset_t old;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &old);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  const int error = errno;
  if (pid == 0) {
    const int errors = output.writer.get();
    become(command, prepared, input.get(), printed.open() ? printed.get() : errors, errors, report.writer.get(),
           parent);
  }
  sigprocmask(SIG_SETMASK, &old, nullptr);
  if (pid < 0) return io_error("cannot start another process", error);

  setpgid(pid, pid);  // here and in the child: either may run first
  report.writer.close();
  if (const auto started = wait_for_exec(command, report.reader.get()); !started) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return started.error();
  }
  Child child;
  child.pid = pid;
  child.output = std::move(output.reader);
  child.exited = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));  // close-on-exec by definition
  return child;
}

}  // namespace torchgate::process
