// SPDX-License-Identifier: Apache-2.0
#include "harness/base/abandoned_files.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "harness/base/atomic_file.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::base {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

constexpr unsigned mode = 0644;

void make_old(const fs::path& file) {
  fs::last_write_time(file, fs::file_time_type::clock::now() - 2 * keep_unlocked_temporary);
}

// What a writer leaves that is killed between creating its file and giving it its name.
void kill_a_writer(const fs::path& path) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t writer = fork();
  ASSERT_GE(writer, 0);
  if (writer == 0) {
    const auto temporary = LockedTemporary::create(path, mode);
    const char byte = temporary.ok() ? 'y' : 'n';
    if (write(ready[1], &byte, 1) != 1) _exit(1);
    for (;;) pause();
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  kill(writer, SIGKILL);
  waitpid(writer, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
}

TEST(AbandonedFiles, TheFileOfAKilledWriterGoesAtOnce) {
  const testing::TemporaryFolder folder;
  kill_a_writer(folder / "run.json");
  ASSERT_EQ(folder.listing().size(), 1U);
  EXPECT_EQ(remove_abandoned_files(folder.path()), 1U);
  EXPECT_EQ(folder.listing(), Names{});
}

TEST(AbandonedFiles, TheNextWriterIntoTheFolderRemovesThem) {
  const testing::TemporaryFolder folder;
  kill_a_writer(folder / "run.json");
  ASSERT_TRUE(write_file_atomically(folder / "other.json", "text", true));
  EXPECT_EQ(folder.listing(), Names{"other.json"});
}

TEST(AbandonedFiles, TheFileOfALivingWriterStaysHoweverOldItIs) {
  const testing::TemporaryFolder folder;
  const auto temporary = LockedTemporary::create(folder / "run.json", mode);
  ASSERT_TRUE(temporary.ok());
  make_old(temporary->path());
  EXPECT_EQ(remove_abandoned_files(folder.path()), 0U);
  EXPECT_TRUE(fs::exists(temporary->path()));
}

// Versions that took no lock: their writers may still be at work.
TEST(AbandonedFiles, FilesOfEarlierVersionsGoAfterAnHour) {
  const testing::TemporaryFolder folder;
  const std::string hash(64, 'a');
  const Names earlier = {".torchgate-12-34567-0.tmp", "." + hash + ".123456.tmp"};
  for (const std::string& name : earlier) std::ofstream(folder / name) << "half";
  EXPECT_EQ(remove_abandoned_files(folder.path()), 0U);
  for (const std::string& name : earlier) make_old(folder / name);
  EXPECT_EQ(remove_abandoned_files(folder.path()), 2U);
  EXPECT_EQ(folder.listing(), Names{});
}

TEST(AbandonedFiles, KeepsFilesThatAreNotTemporary) {
  const testing::TemporaryFolder folder;
  const std::string mine(locked_temporary_prefix);
  const Names others = {".abc.tmp", ".torchgate-notes.tmp", "a.tmp", "run.json", mine + "1"};
  for (const std::string& name : others) {
    std::ofstream(folder / name) << "kept";
    make_old(folder / name);
  }
  std::ofstream(folder / "elsewhere") << "kept";
  fs::create_symlink("elsewhere", folder / (mine + "1-2-3.tmp"));
  fs::create_directory(folder / (mine + "4-5-6.tmp"));
  const auto before = folder.listing();
  EXPECT_EQ(remove_abandoned_files(folder.path()), 0U);
  EXPECT_EQ(folder.listing(), before);
  EXPECT_EQ(remove_abandoned_files(folder / "missing"), 0U);
}

TEST(AbandonedFiles, AnotherUsersFileStays) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a file of another user";
  constexpr uid_t nobody = 65534;
  const testing::TemporaryFolder folder;
  const fs::path theirs = folder / (std::string(locked_temporary_prefix) + "1-2-3.tmp");
  std::ofstream(theirs) << "half";
  ASSERT_EQ(chown(theirs.c_str(), nobody, nobody), 0);
  make_old(theirs);
  EXPECT_EQ(remove_abandoned_files(folder.path()), 0U);
  EXPECT_TRUE(fs::exists(theirs));
}

TEST(CheckWritable, SaysBeforehandWhatWritingWouldSay) {
  const testing::TemporaryFolder folder;
  EXPECT_TRUE(check_writable(folder / "run.json", 1));
  EXPECT_EQ(folder.listing(), Names{});
  const auto missing = check_writable(folder / "missing" / "run.json", 1);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_FALSE(check_writable("/proc/torchgate.json", 1));  // also root creates nothing there
  EXPECT_EQ(check_writable("/dev/full", 1).error().code, ErrorCode::bad_input);
  constexpr std::int64_t exabyte = std::int64_t{1} << 60;
  EXPECT_FALSE(check_writable(folder / "run.json", exabyte));
  EXPECT_EQ(folder.listing(), Names{});
}

}  // namespace
}  // namespace torchgate::base
