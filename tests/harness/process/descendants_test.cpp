// SPDX-License-Identifier: Apache-2.0
// Processes that a program leaves behind are found in any session or group, and others are left alone.
#include "harness/process/descendants.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::process {
namespace {

using namespace std::chrono_literals;
using launch::testing::children;
using launch::testing::eventually;
using launch::testing::is_running;
using launch::testing::shell;

class DescendantsTest : public ::testing::Test {
 protected:
  /// A script that starts a daemon (another session, its parent gone, deaf to requests), waits until it runs, and continues
  /// with END.
  Command leaving_daemon(const std::string& end) {
    const std::string daemon = "trap '' TERM HUP INT; echo $$ >" + file_.string() + "; exec sleep 1000";
    return shell("(setsid sh -c \"" + escaped(daemon) + "\" >/dev/null 2>&1 &); while [ ! -s " + file_.string() +
                 " ]; do sleep 0.01; done; " + end);
  }
  pid_t daemon() {
    pid_t pid = -1;
    std::ifstream(file_) >> pid;
    return pid;
  }
  /// A child of this test, as the caller of the library may have one.
  static pid_t sleeping_child() {
    const pid_t pid = fork();
    if (pid == 0) {
      for (;;) pause();
    }
    return pid;
  }
  static void end(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }

  base::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "pid";

 private:
  static std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) result += (c == '$' ? "\\$" : std::string(1, c));
    return result;
  }
};

TEST_F(DescendantsTest, ADaemonEndsWithTheProgramThatStartedIt) {
  const Outcome outcome = run_process(leaving_daemon("exit 4"));
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(outcome.left_behind, 1);
  EXPECT_EQ(outcome.unstoppable, "");
  ASSERT_GT(daemon(), 0);
  EXPECT_FALSE(is_running(daemon()));
  EXPECT_TRUE(children().empty());
}

TEST_F(DescendantsTest, ADaemonEndsWhereItsProgramCrashesOrRunsIntoItsLimit) {
  EXPECT_EQ(run_process(leaving_daemon("kill -SEGV $$")).signal, SIGSEGV);
  ASSERT_GT(daemon(), 0);
  EXPECT_FALSE(is_running(daemon()));
  std::filesystem::remove(file_);

  Command command = leaving_daemon("sleep 1000");
  command.time_limit = 2s;  // the daemon runs by then
  EXPECT_EQ(run_process(command).ending, Ending::timed_out);
  ASSERT_GT(daemon(), 0);
  EXPECT_FALSE(is_running(daemon()));
  EXPECT_TRUE(children().empty());
}

TEST_F(DescendantsTest, AProgramThatLeavesNothingLeftNothing) {
  EXPECT_EQ(run_process(shell("(sleep 0.01; exit 3) & wait; exit 0")).left_behind, 0);
}

TEST_F(DescendantsTest, EarlierChildrenOfTheCallerKeepRunning) {
  const pid_t own = sleeping_child();
  run_process(leaving_daemon("exit 0"));
  EXPECT_FALSE(is_running(daemon()));
  EXPECT_TRUE(is_running(own));
  EXPECT_EQ(children(), std::vector<pid_t>{own});
  end(own);
}

TEST_F(DescendantsTest, WhatMayStayStays) {
  Command command = leaving_daemon("exit 0");
  command.may_leave_processes = true;
  EXPECT_EQ(run_process(command).left_behind, 0);
  EXPECT_TRUE(is_running(daemon()));
  kill(daemon(), SIGKILL);
}

TEST_F(DescendantsTest, TheCallerIsNotASubreaperAfterwards) {
  run_process(shell("exit 0"));
  int subreaper = 1;
  prctl(PR_GET_CHILD_SUBREAPER, &subreaper);
  EXPECT_EQ(subreaper, 0);
}

/// The grandchildren of a program that forks deeper and deeper, none of which waits for the next.
TEST_F(DescendantsTest, ATreeOfAnyDepthEnds) {
  std::int64_t killed = 0;
  {
    DescendantScope scope;
    const pid_t first = fork();
    if (first == 0) {
      for (int depth = 0; depth < 100 && fork() == 0; ++depth) setsid();
      std::ofstream(file_, std::ios::app) << "x" << std::flush;
      for (;;) pause();
    }
    ASSERT_TRUE(eventually([&] { return launch::testing::read_text(file_).size() >= 101; }));
    killed = scope.end().killed;
  }
  EXPECT_EQ(killed, 101);
  EXPECT_TRUE(children().empty());
}

/// A zombie that another process traces cannot be reaped until it is detached: the way to make an unkillable process in a test.
TEST_F(DescendantsTest, NothingStartsBesideWhatCannotBeEnded) {
  int ready[2];
  int victims[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(victims), 0);
  const pid_t tracer = fork();  // a child that we had before
  if (tracer == 0) {
    pid_t victim = 0;
    if (read(victims[0], &victim, sizeof victim) != sizeof victim) _exit(1);
    const char seized = ptrace(PTRACE_SEIZE, victim, 0, 0) == 0 ? 'y' : 'n';
    if (write(ready[1], &seized, 1) != 1) _exit(1);
    for (;;) pause();
  }
  char seized = 'n';
  pid_t victim = 0;
  std::vector<ProcessId> left;
  {
    DescendantScope scope(50ms);
    victim = fork();
    if (victim == 0) {
      prctl(PR_SET_PTRACER, tracer);
      for (;;) pause();
    }
    ASSERT_EQ(write(victims[1], &victim, sizeof victim), static_cast<ssize_t>(sizeof victim));
    ASSERT_EQ(read(ready[0], &seized, 1), 1);
    left = scope.end().left;
  }
  if (seized == 'y') {
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].pid, victim);
    const DescendantScope next(50ms);
    EXPECT_EQ(next.in_the_way(), left);
  }
  end(tracer);
  EXPECT_EQ(run_process(shell("exit 5")).exit_code, 5);
  EXPECT_TRUE(children().empty());
  int subreaper = 1;
  prctl(PR_GET_CHILD_SUBREAPER, &subreaper);
  EXPECT_EQ(subreaper, 0);
  for (const int descriptor : {ready[0], ready[1], victims[0], victims[1]}) close(descriptor);
  if (seized != 'y') GTEST_SKIP() << "ptrace is not allowed here";
}

}  // namespace
}  // namespace torchgate::process
