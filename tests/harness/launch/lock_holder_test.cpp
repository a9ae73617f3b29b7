// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/lock_holder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "harness/process/descriptor.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

// As Linux 6.1 prints it.
constexpr const char* locks =
    "1: FLOCK  ADVISORY  WRITE 4242 08:01:1835014 0 EOF\n"
    "1: -> FLOCK  ADVISORY  WRITE 4243 08:01:1835014 0 EOF\n"
    "2: POSIX  ADVISORY  WRITE 77 08:01:1835020 1073741826 1073742335\n"
    "3: FLOCK  ADVISORY  WRITE 78 fd:0a:1835015 0 EOF\n"
    "4: FLOCK  ADVISORY  WRITE -1 08:01:1835016 0 EOF\n";

TEST(LockHolder, IsInTheKernelsTable) {
  EXPECT_EQ(flock_owner(locks, makedev(8, 1), 1835014), 4242);
  EXPECT_EQ(flock_owner(locks, makedev(0xfd, 0x0a), 1835015), 78);
  EXPECT_EQ(flock_owner(locks, makedev(0, 50), 1835015), 78) << "overlay gives files a device of its own";
  EXPECT_EQ(flock_owner(locks, makedev(8, 1), 1835020), std::nullopt) << "another kind of lock";
  EXPECT_EQ(flock_owner(locks, makedev(8, 1), 1835016), std::nullopt) << "a process of another container";
  EXPECT_EQ(flock_owner("rubbish\n7: FLOCK\n8: FLOCK ADVISORY WRITE x y\n", makedev(8, 1), 1), std::nullopt);
}

TEST(LockHolder, IsNamedWithAsMuchAsIsKnown) {
  EXPECT_EQ(holder_text({1234, 0, "torchgate"}), "process 1234 (torchgate) of user root (0)");
  EXPECT_EQ(holder_text({1234, 4294967294U, ""}), "process 1234 of user 4294967294");
  EXPECT_EQ(holder_text({std::nullopt, 0, ""}), "an unknown process; the file belongs to user root (0)");
  EXPECT_EQ(holder_text({}), "an unknown process");
}

TEST(LockHolder, OnlyOurOwnAndOtherTorchgatesAreWaitedFor) {
  EXPECT_TRUE(worth_waiting_for({1, 1000, "sleep"}, 1000));
  EXPECT_TRUE(worth_waiting_for({1, 1001, "torchgate"}, 1000));
  EXPECT_FALSE(worth_waiting_for({1, 1001, "sleep"}, 1000));
  EXPECT_FALSE(worth_waiting_for({std::nullopt, 1001, ""}, 1000));
  EXPECT_FALSE(worth_waiting_for({1, std::nullopt, ""}, 1000));
}

TEST(LockHolder, FindsARealOne) {
  const base::testing::TemporaryFolder folder;
  const std::string file = folder.path() / "lock";
  const process::Descriptor held(open(file.c_str(), O_RDWR | O_CREAT, 0600));
  ASSERT_EQ(flock(held.get(), LOCK_EX), 0);
  const LockHolder holder = lock_holder(held.get());
  if (!holder.pid) GTEST_SKIP() << "/proc/locks does not show the locks of this container";
  EXPECT_EQ(holder.pid, getpid());
  EXPECT_EQ(holder.user, geteuid());
  EXPECT_FALSE(holder.program.empty());
}

}  // namespace
}  // namespace torchgate::launch
