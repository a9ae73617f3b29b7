// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/object_hashes.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

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
  testing::TestFolder folder_;
  std::filesystem::path file_ = folder_.path() / "libx.so";
  ObjectHashes hashes_;
};

TEST_F(ObjectHashesTest, HashesContent) {
  write("abc");
  record::LoadedObject object = mapped();
  EXPECT_EQ(hashes_.fill_in(object), "");
  EXPECT_EQ(object.sha256, hash_of_abc);
}

TEST_F(ObjectHashesTest, AReplacedFileIsUnknown) {
  write("abc");
  record::LoadedObject object = mapped();
  write("abcd");
  EXPECT_NE(hashes_.fill_in(object).find("not the file any more"), std::string::npos);
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

}  // namespace
}  // namespace torchgate::launch
