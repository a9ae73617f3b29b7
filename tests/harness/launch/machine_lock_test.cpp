// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/machine_lock.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "harness/process/interrupt.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

using namespace std::chrono_literals;

class MachineLockTest : public ::testing::Test {
 protected:
  MachineLock take(std::chrono::nanoseconds wait) {
    return MachineLock::take(file_, wait, [this](const std::string& note) { notes_.push_back(note); });
  }
  base::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "lock";
  std::vector<std::string> notes_;
};

TEST_F(MachineLockTest, IsTakenAndGivenBack) {
  {
    const MachineLock lock = take(0ns);
    EXPECT_TRUE(lock.held());
    EXPECT_EQ(lock.warning(), "");
  }
  EXPECT_TRUE(take(0ns).held());
  EXPECT_TRUE(notes_.empty());
}

TEST_F(MachineLockTest, SecondOneWaitsThenContinuesWithAWarning) {
  const MachineLock first = take(0ns);
  const MachineLock second = take(300ms);
  EXPECT_FALSE(second.held());
  EXPECT_NE(second.warning().find("at the same time"), std::string::npos);
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_NE(notes_[0].find(file_.string()), std::string::npos);
}

TEST_F(MachineLockTest, WhoStopsWaitingIsNotToldThatTimesAreUnreliable) {
  const MachineLock first = take(0ns);
  const process::InterruptScope interruptible;
  raise(SIGINT);
  const MachineLock second = take(60s);
  EXPECT_FALSE(second.held());
  EXPECT_NE(second.warning().find("Interrupted while waiting"), std::string::npos) << second.warning();
  EXPECT_EQ(second.warning().find("unreliable"), std::string::npos) << second.warning();
}

TEST_F(MachineLockTest, SecondOneGetsItWhenTheFirstDies) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t holder = fork();
  if (holder == 0) {
    const MachineLock lock = take(0ns);
    char byte = 0;
    if (write(ready[1], &byte, 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  const MachineLock lock = MachineLock::take(file_, 60s, [&](const std::string&) { kill(holder, SIGKILL); });
  EXPECT_TRUE(lock.held());
  waitpid(holder, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(MachineLockTest, AFileThatCannotBeUsedIsAWarningNotAnEnd) {
  std::filesystem::create_symlink("/etc/passwd", file_);  // links are not followed: /tmp is everybody's
  EXPECT_FALSE(take(0ns).held());
  EXPECT_NE(take(0ns).warning().find("machine-wide lock could not be taken"), std::string::npos);
  file_ = folder_.path() / "missing" / "lock";
  EXPECT_FALSE(take(0ns).held());
}

TEST_F(MachineLockTest, AnotherUsersReadOnlyFileWillDo) {
  std::ofstream(file_) << "";
  std::filesystem::permissions(file_, std::filesystem::perms::owner_read);
  EXPECT_TRUE(take(0ns).held());
}

}  // namespace
}  // namespace torchgate::launch
