// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/build_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/process/process.hpp"
#include "harness/process/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;
using torchgate::workflow::BuildFolder;
using namespace torchgate;

class BuildFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    process::Command init;
    init.executable = "/usr/bin/env";
    init.arguments = {"git", "init", "--quiet", root().string()};
    ASSERT_EQ(process::run_process(init).exit_code, 0);
  }
  [[nodiscard]] fs::path root() const { return scratch_.path() / "repository"; }
  [[nodiscard]] fs::path trees() const { return root() / ".torchgate" / "work_trees"; }
  [[nodiscard]] base::Result<BuildFolder> take() const {
    return BuildFolder::take(root() / ".torchgate", git::Repository::open(root()).value());
  }

 private:
  process::TemporaryFolder scratch_ = std::move(process::TemporaryFolder::create().value());
};

TEST_F(BuildFolderTest, IsTheSameEveryTimeAndGoesAway) {
  for (int time = 0; time < 2; ++time) {
    const auto folder = take();
    ASSERT_TRUE(folder.ok());
    EXPECT_EQ(folder->path(), trees() / "1");
    EXPECT_TRUE(fs::exists(folder->path()));
  }
  EXPECT_FALSE(fs::exists(trees()));
}

TEST_F(BuildFolderTest, TwoAtOnceAreTwo) {
  auto first = take();
  ASSERT_TRUE(first.ok());
  {
    const auto second = take();
    ASSERT_TRUE(second.ok());
    EXPECT_EQ(second->path(), trees() / "2");
  }
  EXPECT_TRUE(fs::exists(first->path()));
}

TEST_F(BuildFolderTest, WhatAKilledOneLeftIsRemoved) {
  fs::create_directories(trees() / "1" / "old" / "build");
  std::ofstream(trees() / "1" / "old" / "build" / "suite") << "left";
  std::ofstream(trees() / "1" / "lock");
  const auto folder = take();
  ASSERT_TRUE(folder.ok());
  EXPECT_EQ(folder->path(), trees() / "1");
  EXPECT_FALSE(fs::exists(folder->path() / "old"));
}

}  // namespace
