// SPDX-License-Identifier: Apache-2.0
#include "harness/base/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <thread>

#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::base {
namespace {

using testing::TemporaryFolder;
using Names = std::vector<std::string>;

std::string content_of(const std::filesystem::path& path) {
  return read_file(path, 1 << 20).value();
}

TEST(ReadFile, ReadsAllOfIt) {
  const TemporaryFolder folder;
  const std::string content("a\0b\n", 4);
  std::ofstream(folder / "file") << content;
  EXPECT_EQ(read_file(folder / "file", 4).value(), content);
  std::ofstream(folder / "empty").close();
  EXPECT_EQ(read_file(folder / "empty", 0).value(), "");
}

TEST(ReadFile, RefusesWhatIsLargerThanTheLimit) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "12345";
  EXPECT_TRUE(read_file(folder / "file", 5).ok());
  const auto refused = read_file(folder / "file", 4);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input);
  EXPECT_EQ(refused.error().message, (folder / "file").string() + ": larger than the limit of 4 bytes for such a file");
}

TEST(ReadFile, StopsAtTheLimitWhereTheSizeIsNotKnown) {
  const auto refused = read_file("/dev/zero", 3 << 20);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input);
  EXPECT_FALSE(read_file("/proc/self/maps", 1 << 20).value().empty());  // says that its size is 0
}

TEST(ReadFile, SaysWhyItCannot) {
  const TemporaryFolder folder;
  const auto missing = read_file(folder / "missing", 1);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_EQ(missing.error().message, (folder / "missing").string() + ": cannot open it: No such file or directory");
  const auto directory = read_file(folder.path(), 1 << 20);
  ASSERT_FALSE(directory.ok());
  EXPECT_EQ(directory.error().code, ErrorCode::bad_input);
}

TEST(WriteFileAtomically, CreatesAFileThatOthersMayReadAndLeavesNothingElse) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(022);
  const auto written = write_file_atomically(folder / "file", "content", false);
  ::umask(before);
  ASSERT_TRUE(written.ok()) << written.error().message;
  EXPECT_EQ(content_of(folder / "file"), "content");
  EXPECT_EQ(folder.listing(), Names{"file"});
  EXPECT_EQ(std::filesystem::status(folder / "file").permissions(), std::filesystem::perms(0644));
}

TEST(WriteFileAtomically, ReplacesOnlyWhenAsked) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "file", "old", false).ok());
  const auto refused = write_file_atomically(folder / "file", "new", false);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input);
  EXPECT_EQ(refused.error().message, (folder / "file").string() + ": already exists; choose another name or remove it");
  EXPECT_EQ(content_of(folder / "file"), "old");
  ASSERT_TRUE(write_file_atomically(folder / "file", "new", true).ok());
  EXPECT_EQ(content_of(folder / "file"), "new");
  EXPECT_EQ(folder.listing(), Names{"file"});
}

TEST(WriteFileAtomically, OneOfManyWritersWins) {
  const TemporaryFolder folder;
  std::atomic<int> winners = 0;
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([&, i] {
      if (write_file_atomically(folder / "file", std::string(100'000, static_cast<char>('a' + i)), false).ok())
        ++winners;
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(winners, 1);
  const std::string content = content_of(folder / "file");
  EXPECT_EQ(content, std::string(100'000, content[0]));
  EXPECT_EQ(folder.listing(), Names{"file"});
}

TEST(WriteFileAtomically, TakesTheLongestNameThatAFileMayHave) {
  const TemporaryFolder folder;
  EXPECT_TRUE(write_file_atomically(folder / std::string(255, 'n'), "content", false).ok());
}

TEST(WriteFileAtomically, RefusesToReplaceAFolderPipeOrDevice) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "directory");
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  for (const std::filesystem::path& path :
       {folder / "directory", folder / "fifo", std::filesystem::path("/dev/full")}) {
    const auto refused = write_file_atomically(path, "content", true);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message, path.string() + ": not a regular file; give the name of a file");
  }
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(WriteFileAtomically, SaysThatTheFolderIsMissing) {
  const TemporaryFolder folder;
  const auto failed = write_file_atomically(folder / "missing" / "file", "content", true);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code, ErrorCode::not_found);
  EXPECT_EQ(failed.error().message,
            (folder / "missing" / "file").string() + ": cannot create a file in its folder: No such file or directory");
}

// Root may write anywhere: only another user meets this.
TEST(WriteFileAtomically, SaysThatTheFolderMayNotBeWritten) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write to any folder";
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0500));
  const auto failed = write_file_atomically(folder / "file", "content", true);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0700));
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code, ErrorCode::io);
}

// A limit on the size of files stands in for a full disk: the write stops in the middle with an error.
TEST(WriteFileAtomically, KeepsTheOldFileWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "file", "old", false).ok());
  const pid_t child = ::fork();
  if (child == 0) {
    (void)std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto failed = write_file_atomically(folder / "file", std::string(100'000, 'n'), true);
    const bool as_it_must =
        !failed.ok() && failed.error().code == ErrorCode::io &&
        failed.error().message ==
            (folder / "file").string() +
                ": cannot write it: File too large; raise the limit for the size of files (ulimit -f)";
    ::_exit(as_it_must ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(content_of(folder / "file"), "old");
  EXPECT_EQ(folder.listing(), Names{"file"});
}

}  // namespace
}  // namespace torchgate::base
