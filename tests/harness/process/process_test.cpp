// SPDX-License-Identifier: Apache-2.0
#include "harness/process/process.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::process {
namespace {

using namespace std::chrono_literals;
using base::testing::TemporaryFolder;
using launch::testing::children;
using launch::testing::eventually;
using launch::testing::is_running;
using launch::testing::read_text;
using launch::testing::shell;

/// The process number that a script writes into FILE; waits for it.
pid_t pid_in(const std::filesystem::path& file) {
  pid_t pid = 0;
  eventually([&] { return static_cast<bool>(std::ifstream(file) >> pid); });
  return pid;
}

TEST(Process, ReportsExitCodeOutputAndTimes) {
  const Outcome outcome = run_process(shell("echo out; echo err >&2; exit 5"));
  EXPECT_EQ(outcome.ending, Ending::exited);
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_FALSE(outcome.signal);
  EXPECT_EQ(outcome.tail, "out\nerr\n");
  EXPECT_GT(outcome.wall, 0ns);
}

TEST(Process, CountsCpuTimeAndNotWaiting) {
  const Outcome busy = run_process(shell("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"));
  const Outcome waiting = run_process(shell("sleep 0.3"));
  EXPECT_GT(busy.cpu, 0ns);
  EXPECT_GE(waiting.wall, 300ms);
  EXPECT_LT(waiting.cpu, waiting.wall);
}

TEST(Process, PeakOfALargeChildIsKnown) {
  // dd holds one block of 200 MB; this program is far smaller.
  const Outcome outcome = run_process(shell("exec dd if=/dev/zero of=/dev/null bs=200M count=1 2>/dev/null"));
  ASSERT_TRUE(outcome.peak_resident_bytes);
  EXPECT_GT(*outcome.peak_resident_bytes, 190'000'000);
  EXPECT_LT(*outcome.peak_resident_bytes, 400'000'000);
}

TEST(Process, PeakThatCouldBeOurOwnIsUnknown) {
  std::string large(300'000'000, 'x');  // true is far smaller than this, but before exec it was a copy of us
  EXPECT_FALSE(run_process(shell("true")).peak_resident_bytes) << large.size();
}

TEST(Process, ReportsSignal) {
  const Outcome outcome = run_process(shell("kill -SEGV $$"));
  EXPECT_EQ(outcome.ending, Ending::signalled);
  EXPECT_EQ(outcome.signal, SIGSEGV);
  EXPECT_FALSE(outcome.exit_code);
}

TEST(Process, SaysWhatCannotBeStarted) {
  Command missing;
  missing.executable = "/no/such/program";
  EXPECT_EQ(run_process(missing).ending, Ending::not_started);
  EXPECT_EQ(run_process(missing).error, "cannot start /no/such/program: No such file or directory");

  const TemporaryFolder folder;
  Command not_executable;
  not_executable.executable = folder.path() / "text";
  std::ofstream(not_executable.executable) << "hello\n";
  EXPECT_EQ(run_process(not_executable).error,
            "cannot start " + not_executable.executable.string() + ": Permission denied");
  std::filesystem::permissions(not_executable.executable, std::filesystem::perms::owner_all);
  EXPECT_EQ(run_process(not_executable).error,
            "cannot start " + not_executable.executable.string() + ": Exec format error");

  Command nowhere = shell("true");
  nowhere.working_directory = "/no/such/folder";
  EXPECT_EQ(run_process(nowhere).error, "cannot enter folder /no/such/folder: No such file or directory");
}

TEST(Process, PassesArgumentsEnvironmentAndFolderAsTheyAre) {
  setenv("LAUNCH_TEST_KEPT", "kept", 1);
  setenv("LAUNCH_TEST_GONE", "gone", 1);
  setenv("LAUNCH_TEST_NEW", "old", 1);
  Command command = shell("echo \"$1|$2|$LAUNCH_TEST_KEPT|${LAUNCH_TEST_GONE-unset}|$LAUNCH_TEST_NEW|$(pwd)\"");
  command.arguments.insert(command.arguments.end(), {"sh", "a b", "$x;\"'\n"});
  command.environment = {{"LAUNCH_TEST_NEW", "new = \xc3\xa4"}};
  command.unset = {"LAUNCH_TEST_GONE"};
  command.working_directory = "/";
  EXPECT_EQ(run_process(command).tail, "a b|$x;\"'\n|kept|unset|new = \xc3\xa4|/\n");
}

TEST(Process, InputIsEmpty) {
  EXPECT_EQ(run_process(shell("cat; echo done")).tail, "done\n");
}

TEST(Process, KeepsTheEndOfEndlessOutput) {
  Command command = shell("i=0; while [ $i -lt 30000 ]; do echo \"line $i\"; i=$((i+1)); done");
  command.tail_bytes = 100;
  const Outcome outcome = run_process(command);
  EXPECT_EQ(outcome.tail.size(), 100U);
  EXPECT_TRUE(outcome.tail.ends_with("line 29998\nline 29999\n"));
}

TEST(Process, TimeLimitEndsIt) {
  Command command = shell("echo before; sleep 1000");
  command.time_limit = 100ms;
  const Outcome outcome = run_process(command);
  EXPECT_EQ(outcome.ending, Ending::timed_out);
  EXPECT_EQ(outcome.signal, SIGTERM);
  EXPECT_EQ(outcome.tail, "before\n");
  EXPECT_GE(outcome.wall, 100ms);
}

TEST(Process, TimeLimitEndsWhatIgnoresTheRequest) {
  Command command = shell("trap '' TERM; echo $$; while :; do sleep 1; done");
  command.time_limit = 200ms;
  command.termination_grace = 50ms;
  const Outcome outcome = run_process(command);
  EXPECT_EQ(outcome.ending, Ending::timed_out);
  EXPECT_EQ(outcome.signal, SIGKILL);
  EXPECT_FALSE(is_running(static_cast<pid_t>(std::stol(outcome.tail))));
}

TEST(Process, AChildThatEndsWellOnTheRequestStillTimedOut) {
  Command command = shell("trap 'exit 0' TERM; while :; do sleep 0.01; done");
  command.time_limit = 100ms;
  const Outcome outcome = run_process(command);
  EXPECT_EQ(outcome.ending, Ending::timed_out);
  EXPECT_EQ(outcome.exit_code, 0);
}

TEST(Process, TimeLimitsOfAnyLengthWork) {
  Command command = shell("exit 0");
  command.time_limit = std::chrono::nanoseconds::max();
  EXPECT_EQ(run_process(command).ending, Ending::exited);
  command.time_limit.reset();
  EXPECT_EQ(run_process(command).ending, Ending::exited);
}

TEST(Process, WhatItLeftBehindHoldsNothingUpAndIsKilled) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "pid";
  // The grandchild has our pipe open and would keep it so for 1000 s.
  const Outcome outcome =
      run_process(shell("(trap '' TERM HUP; sleep 1000) & echo $! > " + file.string() + "; echo bye"));
  EXPECT_EQ(outcome.ending, Ending::exited);
  EXPECT_EQ(outcome.tail, "bye\n");
  const pid_t grandchild = pid_in(file);
  EXPECT_TRUE(eventually([&] { return !is_running(grandchild); }));
}

TEST(Process, AClosedOutputIsNotTheEnd) {
  EXPECT_EQ(run_process(shell("exec >&- 2>&-; sleep 0.1; exit 4")).exit_code, 4);
}

TEST(Process, LeavesNoDescriptorsAndNoZombies) {
  Command missing;
  missing.executable = "/no/such/program";
  Command slow = shell("sleep 1000");
  slow.time_limit = 20ms;
  const std::size_t before = launch::testing::open_descriptors();
  for (const Command& command : {shell("exit 0"), shell("kill -KILL $$"), shell("sleep 1000 &"), missing, slow})
    run_process(command);
  EXPECT_EQ(launch::testing::open_descriptors(), before);
  EXPECT_TRUE(children().empty());
}

TEST(Process, InheritsNoDescriptors) {
  const int inherited = dup(STDIN_FILENO);  // not close-on-exec, as those of a careless caller
  // 0, 1, 2, and the one that ls itself opens to read the folder.
  EXPECT_EQ(run_process(shell("exec ls /proc/self/fd")).tail, "0\n1\n2\n3\n");
  close(inherited);
}

TEST(Process, ExitCodesSurviveAnIgnoredSigchld) {
  signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(run_process(shell("exit 6")).exit_code, 6);
  signal(SIGCHLD, SIG_DFL);
}

TEST(Process, DiesWithUs) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "pid";
  const pid_t launcher = fork();
  if (launcher == 0) {
    run_process(shell("echo $$ > " + file.string() + "; exec sleep 1000"));
    _exit(0);
  }
  const pid_t child = pid_in(file);
  ASSERT_GT(child, 0);
  EXPECT_TRUE(is_running(child));
  kill(launcher, SIGKILL);
  waitpid(launcher, nullptr, 0);
  EXPECT_TRUE(eventually([&] { return !is_running(child); }));
}

TEST(Process, KilledFromOutsideIsACrashLikeAnyOther) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "pid";
  const pid_t killer = fork();
  if (killer == 0) {
    kill(pid_in(file), SIGKILL);
    _exit(0);
  }
  const Outcome outcome = run_process(shell("echo $$ > " + file.string() + "; exec sleep 1000"));
  waitpid(killer, nullptr, 0);
  EXPECT_EQ(outcome.ending, Ending::signalled);
  EXPECT_EQ(outcome.signal, SIGKILL);
}

}  // namespace
}  // namespace torchgate::process
