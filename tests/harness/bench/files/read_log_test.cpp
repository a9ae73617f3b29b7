// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/files/read_log.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "harness/bench/files/files_read.hpp"

namespace {

using torchgate::bench::FilesRead;
using torchgate::bench::Opened;
using torchgate::bench::ReadLog;

constexpr auto read = static_cast<std::uint32_t>(Opened::read);
constexpr auto made = static_cast<std::uint32_t>(Opened::made);
constexpr auto written = static_cast<std::uint32_t>(Opened::written);
constexpr auto missing = static_cast<std::uint32_t>(Opened::missing);
constexpr auto asked = static_cast<std::uint32_t>(Opened::asked);

class ReadLogTest : public ::testing::Test {
 protected:
  std::vector<std::string> inputs() { return log->inputs(unknown); }

  const std::unique_ptr<ReadLog> log = std::make_unique<ReadLog>();
  std::string unknown;
};

TEST_F(ReadLogTest, ListsEachFileOnceInTheOrderOfItsFirstOpening) {
  for (const char* const path : {"/b", "/a", "/b", "/c/d", "/a"}) log->note(path, read);
  EXPECT_EQ(inputs(), (std::vector<std::string>{"/b", "/a", "/c/d"}));
  EXPECT_EQ(unknown, "");
}

TEST_F(ReadLogTest, KernelFilesAreNotInputs) {
  for (const char* const path : {"/proc/self/maps", "/sys/devices/system/cpu", "/dev/urandom", "/proc"})
    log->note(path, read);
  EXPECT_TRUE(inputs().empty());
  log->note("/process", read);
  EXPECT_EQ(inputs(), (std::vector<std::string>{"/process"}));
}

TEST_F(ReadLogTest, FilesThatTheProcessMadeAreNotInputs) {
  log->note("/made", made);
  log->note("/made", read);
  log->note("/made", written);
  log->note("/output", written);
  EXPECT_TRUE(inputs().empty());
  EXPECT_EQ(unknown, "");
}

TEST_F(ReadLogTest, AMissingFileThatWasLookedForIsAnInput) {
  log->note("/missing", missing);
  EXPECT_EQ(inputs(), (std::vector<std::string>{"/missing"}));
  EXPECT_EQ(unknown, "");
}

TEST_F(ReadLogTest, AFileThatWasOnlyAskedAboutIsAnInput) {
  log->note("/asked", asked);
  log->note("/asked and read", asked);
  log->note("/asked and read", read);
  EXPECT_EQ(inputs(), (std::vector<std::string>{"/asked", "/asked and read"}));
  EXPECT_EQ(unknown, "");
}

TEST_F(ReadLogTest, WhatTheProcessMakesAfterAskingIsItsOwn) {
  for (const char* const path : {"/made", "/log"}) log->note(path, asked);
  log->note("/made", made);
  log->note("/made", read);
  log->note("/log", written);  // as an output that was not looked for
  EXPECT_TRUE(inputs().empty());
  EXPECT_EQ(unknown, "");
}

TEST_F(ReadLogTest, WhatIsAskedAboutInAnOwnFolderIsNotAnInput) {
  log->note("/tmp/x1", made);
  for (const char* const path : {"/tmp/x1/data/weights", "/tmp/x1", "/tmp/x10/data", "/tmp/other"})
    log->note(path, asked);
  log->note("/tmp/x1/read", read);
  EXPECT_EQ(inputs(), (std::vector<std::string>{"/tmp/x10/data", "/tmp/other", "/tmp/x1/read"}));
}

TEST_F(ReadLogTest, AnInputThatIsChangedIsNotKnown) {
  const std::pair<std::uint32_t, std::uint32_t> orders[] = {
      {read, written}, {written, read}, {read, made}, {missing, made}, {missing, read}};
  for (const auto& [first, second] : orders) {
    const auto one = std::make_unique<ReadLog>();
    one->note("/cache", first);
    one->note("/cache", second);
    std::string why;
    (void)one->inputs(why);
    EXPECT_EQ(why, "it changes a file that it reads: /cache") << first << ", " << second;
  }
}

TEST_F(ReadLogTest, KeepsTheFirstReason) {
  log->note_unknown("first");
  log->note_unknown("second");
  (void)inputs();
  EXPECT_EQ(unknown, "first");
}

TEST_F(ReadLogTest, MoreFilesThanFitAreNotKnown) {
  for (std::size_t i = 0; i < ReadLog::most_files; ++i) log->note("/f" + std::to_string(i), read);
  EXPECT_EQ(inputs().size(), ReadLog::most_files);
  EXPECT_EQ(unknown, "");
  log->note("/f7", read);  // known
  (void)inputs();
  EXPECT_EQ(unknown, "");
  log->note("/one more", read);
  (void)inputs();
  EXPECT_EQ(unknown, "it opens more files than can be recorded");
}

TEST_F(ReadLogTest, KnowsWhatItHasMadeAmongMany) {
  for (std::size_t i = 0; i + 1 < ReadLog::most_files; ++i)
    log->note("/f" + std::to_string(i), i % 2 == 0 ? made : read);
  EXPECT_TRUE(log->has_made("/f20000"));
  EXPECT_FALSE(log->has_made("/f20001"));
  EXPECT_FALSE(log->has_made("/another"));
}

TEST_F(ReadLogTest, LongNamesFillTheirRoomFirst) {
  const std::string folder = "/" + std::string(4000, 'x');
  for (std::size_t i = 0; i < ReadLog::most_bytes / 4000; ++i) log->note(folder + std::to_string(i), read);
  (void)inputs();
  EXPECT_EQ(unknown, "it opens more files than can be recorded");
}

TEST_F(ReadLogTest, ThreadsNoteTheSameFilesOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) log->note("/shared" + std::to_string(i), read);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(inputs().size(), 500U);
  EXPECT_EQ(unknown, "");
}

TEST(AllFilesRead, IsTheUnionOfTheRanksOrUnknown) {
  const FilesRead first{std::vector<std::string>{"/a", "/b"}, ""};
  const FilesRead second{std::vector<std::string>{"/b", "/c"}, ""};
  const FilesRead unknown{std::nullopt, "it starts another program"};
  EXPECT_EQ(torchgate::bench::all_files_read({first, second}).paths, (std::vector<std::string>{"/a", "/b", "/c"}));
  EXPECT_FALSE(torchgate::bench::all_files_read({first, unknown}).paths);
  EXPECT_EQ(torchgate::bench::all_files_read({first, unknown}).unknown, "it starts another program");
}

}  // namespace
