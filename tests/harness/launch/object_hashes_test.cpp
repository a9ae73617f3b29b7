// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/object_hashes.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "harness/base/content_hash.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

namespace fs = std::filesystem;

// printf abc | sha256sum (the test vector of FIPS 180-2, appendix B.1)
constexpr const char* hash_of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

class ObjectHashesTest : public ::testing::Test {
 protected:
  void write(const std::string& text) { std::ofstream(file_) << text; }
  record::LoadedObject mapped() const {
    struct stat status {};
    stat(file_.c_str(), &status);
    record::LoadedObject object;
    object.path = file_.string();
    object.bytes = status.st_size;
    object.inode = status.st_ino;
    object.mtime_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    return object;
  }
  base::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "libx.so";
  ObjectHashes hashes_;
};

TEST_F(ObjectHashesTest, HashesContent) {
  write("abc");
  record::LoadedObject object = mapped();
  EXPECT_EQ(hashes_.fill_in(object), "");
  EXPECT_EQ(object.sha256, hash_of_abc);
}

TEST_F(ObjectHashesTest, AHardLinkMadeWhileItIsReadChangesNothing) {
  write("");
  fs::resize_file(file_, 256 << 20);  // sparse, and takes 100 ms and more to hash
  const auto expected = base::sha256_of_file(file_);
  ASSERT_TRUE(expected);
  std::this_thread::sleep_for(std::chrono::milliseconds(150));  // "a moment ago" is over
  std::thread another([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    fs::create_hard_link(file_, folder_.path() / "kept");
  });
  const auto hash = hashes_.sha256_of(file_);
  another.join();
  ASSERT_TRUE(hash) << hash.error().message;
  EXPECT_EQ(*hash, *expected);
}

TEST_F(ObjectHashesTest, AReplacedFileIsUnknown) {
  write("abc");
  record::LoadedObject object = mapped();
  write("abcd");
  EXPECT_NE(hashes_.fill_in(object).find("changed since the suite ran it"), std::string::npos);
  EXPECT_EQ(object.sha256, "");
}

TEST_F(ObjectHashesTest, AGoneFileIsUnknown) {
  record::LoadedObject object;
  object.path = "/no/such/libx.so";
  EXPECT_NE(hashes_.fill_in(object), "");
  EXPECT_EQ(object.sha256, "");
}

TEST_F(ObjectHashesTest, WhatWasHashedOnceStaysKnownAfterAReplacement) {
  write("abc");
  record::LoadedObject first = mapped();
  record::LoadedObject again = first;
  ASSERT_EQ(hashes_.fill_in(first), "");
  write("abcd");
  EXPECT_EQ(hashes_.fill_in(again), "");
  EXPECT_EQ(again.sha256, hash_of_abc);
  record::LoadedObject second = mapped();
  EXPECT_EQ(hashes_.fill_in(second), "");
  EXPECT_NE(second.sha256, hash_of_abc);
}

TEST_F(ObjectHashesTest, ARewriteWithTheOldTimeIsSeen) {
  write("abc");
  record::LoadedObject first = mapped();
  ASSERT_EQ(hashes_.fill_in(first), "");
  ASSERT_EQ(*hashes_.sha256_of(file_), hash_of_abc);
  write("abd");
  const timespec times[2] = {{0, UTIME_OMIT}, {first.mtime_ns / 1'000'000'000, first.mtime_ns % 1'000'000'000}};
  ASSERT_EQ(utimensat(AT_FDCWD, file_.c_str(), times, 0), 0);
  record::LoadedObject second = mapped();
  ASSERT_EQ(second.mtime_ns, first.mtime_ns);
  ASSERT_EQ(hashes_.fill_in(second), "");
  EXPECT_NE(second.sha256, hash_of_abc);
  EXPECT_NE(*hashes_.sha256_of(file_), hash_of_abc);
}

TEST_F(ObjectHashesTest, TheExecutableThatRanIsHashedThoughAnotherOneHasItsName) {
  fs::copy_file("/bin/sleep", file_);
  process::Command command;
  command.executable = file_;
  command.arguments = {"0.3"};
  const std::string hash = *base::sha256_of_file(file_);
  ASSERT_EQ(*hashes_.sha256_of(file_), hash);
  command.look = [&](pid_t) {
    fs::remove(file_);
    write("another");
    command.look = nullptr;
  };
  const process::Outcome outcome = process::run_process(command);
  ASSERT_NE(outcome.executable, nullptr);
  record::LoadedObject object;
  object.path = outcome.executable->path;
  EXPECT_EQ(object.path, file_.string());
  EXPECT_EQ(hashes_.fill_in(object, *outcome.executable), "");
  EXPECT_EQ(object.sha256, hash);
}

TEST_F(ObjectHashesTest, RefusesAPipe) {
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  EXPECT_NE(hashes_.sha256_of(file_).error().message.find("not a regular file"), std::string::npos);
}

}  // namespace
}  // namespace torchgate::launch
