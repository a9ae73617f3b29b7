// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/standard_streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>
#include <system_error>

namespace torchgate::cli {
namespace {

extern "C" void do_nothing(int) {}

// Lower numbers first: open() gives the lowest that is free.
void occupy(int descriptor, int flags) {
  if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) return;
  const int opened = open("/dev/null", flags);
  if (opened < 0 || opened == descriptor) return;
  dup2(opened, descriptor);
  close(opened);
}

bool reader_has_gone() {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;  // of a pipe: its reader has closed it
}

}  // namespace

void prepare_standard_streams() {
  occupy(STDIN_FILENO, O_RDONLY);
  occupy(STDOUT_FILENO, O_RDONLY);  // writing to it stays an error
  occupy(STDERR_FILENO, O_WRONLY);
  struct sigaction now {};
  if (sigaction(SIGPIPE, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) return;
  // A handler, because exec resets it: the programs that we start get the default back.
  struct sigaction action {};
  action.sa_handler = do_nothing;
  action.sa_flags = SA_RESTART;
  sigaction(SIGPIPE, &action, nullptr);
}

ExitCode with_output_written(const Console& console, ExitCode code) {
  errno = 0;
  console.out.flush();
  const int number = errno;
  // Whatever writes to the same stream shares the flag of stdio, also where it is wrapped.
  if (console.out && std::ferror(stdout) == 0) return code;
  if (reader_has_gone()) return code;
  const std::string reason = number != 0 ? std::generic_category().message(number) : "a write failed";
  console.err << "torchgate: standard output: cannot be written (" << reason
              << "), so the result is incomplete; free space or redirect it to a file that can be written\n"
              << std::flush;
  return ExitCode::error;
}

}  // namespace torchgate::cli
