// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <ostream>
#include <string_view>

#include "ci/cli/inert_stream.hpp"
#include "ci/cli/program.hpp"
#include "ci/cli/standard_streams.hpp"

namespace {

using torchgate::cli::Console;

bool utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text(value);
    return text.find("UTF-8") != std::string_view::npos || text.find("utf8") != std::string_view::npos;
  }
  return false;
}

std::size_t terminal_width() {
  constexpr std::size_t without_terminal = 100;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return without_terminal;
  return size.ws_col;
}

// https://no-color.org: present and not empty. A dumb terminal shows the codes.
bool wants_color() {
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

Console console(std::ostream& out, std::ostream& err) {
  Console console{out, err};
  console.out_is_terminal = isatty(STDOUT_FILENO) != 0;
  console.err_is_terminal = isatty(STDERR_FILENO) != 0;
  console.color = console.out_is_terminal && wants_color();
  // Logs of CI systems are UTF-8 whatever the locale of the job says.
  console.unicode = !console.out_is_terminal || utf8_locale();
  console.width = terminal_width();
  return console;
}

}  // namespace

int main(int argc, char** argv) {
  // Large blocks (a file's text, a vector that grew) go back to the system at once. By default glibc stops doing so after the
  // first one, and two large runs take a third more memory than they hold.
  constexpr int large_block_bytes = 512 * 1024;
  mallopt(M_MMAP_THRESHOLD, large_block_bytes);
  torchgate::cli::prepare_standard_streams();
  torchgate::cli::InertBuffer inert_out(*std::cout.rdbuf());
  torchgate::cli::InertBuffer inert_err(*std::cerr.rdbuf());
  std::ostream out(&inert_out);
  std::ostream err(&inert_err);
  err << std::unitbuf;
  const Console terminal = console(out, err);
  try {
    const auto code = torchgate::cli::run_program({argv + 1, argv + argc}, terminal);
    return static_cast<int>(torchgate::cli::with_output_written(terminal, code));
  } catch (const std::exception& error) {
    // Ours, by definition: what can be expected is a Result.
    terminal.err << "torchgate: internal error: " << error.what() << "; please report it with the command line\n";
    return static_cast<int>(torchgate::cli::ExitCode::error);
  }
}
