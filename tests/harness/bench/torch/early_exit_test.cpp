// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/early_exit.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using torchgate::bench::exit_without_libraries;

void say(const char* what) {
  (void)!write(STDERR_FILENO, what, std::char_traits<char>::length(what));
}

struct Object {
  ~Object() { say("own object, "); }
};

// A process with something of a library, of its own, and in stdio's buffer.
[[noreturn]] void end_with(const char* injected) {
  setenv("LD_PRELOAD", injected, 1);
  unsetenv("CUDA_INJECTION64_PATH");
  std::atexit([] { say("library"); });
  exit_without_libraries();
  static const Object object;
  dup2(STDERR_FILENO, STDOUT_FILENO);
  std::fputs("buffered text, ", stdout);
  std::exit(3);
}

TEST(EarlyExit, DestroysAndWritesWhatIsItsOwn) {
  EXPECT_EXIT(end_with(""), testing::ExitedWithCode(3), "^own object, buffered text, $");
}

TEST(EarlyExit, LeavesAllToAProfilerThatIsLoaded) {
  EXPECT_EXIT(end_with("libprofiler.so"), testing::ExitedWithCode(3), "^own object, librarybuffered text, $");
}

}  // namespace
