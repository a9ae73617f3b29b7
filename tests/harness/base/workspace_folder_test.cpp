// SPDX-License-Identifier: Apache-2.0
#include "harness/base/workspace_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "harness/base/atomic_file.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::base {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  const auto text = read_file(file, 100);
  return text ? *text : "(none)";
}

TEST(WorkspaceFolder, IsIgnoredByGit) {
  const testing::TemporaryFolder folder;
  std::error_code failed;
  create_folders(folder / ".torchgate" / "runs", failed);
  EXPECT_FALSE(failed);
  EXPECT_TRUE(fs::is_directory(folder / ".torchgate" / "runs"));
  EXPECT_EQ(text_of(folder / ".torchgate" / ".gitignore"), "*\n");
  EXPECT_EQ(folder.listing(), std::vector<std::string>{".torchgate"});
}

TEST(WorkspaceFolder, KeepsAnExistingFile) {
  const testing::TemporaryFolder folder;
  std::error_code failed;
  fs::create_directory(folder / ".torchgate");
  std::ofstream(folder / ".torchgate" / ".gitignore") << "runs\n";  // to have the store listed by git
  create_folders(folder / ".torchgate", failed);
  EXPECT_EQ(text_of(folder / ".torchgate" / ".gitignore"), "runs\n");
}

TEST(WorkspaceFolder, FillsAnEmptyFile) {
  const testing::TemporaryFolder folder;
  std::error_code failed;
  fs::create_directory(folder / ".torchgate");
  std::ofstream(folder / ".torchgate" / ".gitignore").flush();  // created on a full disk
  create_folders(folder / ".torchgate", failed);
  EXPECT_EQ(text_of(folder / ".torchgate" / ".gitignore"), "*\n");
}

TEST(WorkspaceFolder, FollowsNoLink) {
  const testing::TemporaryFolder folder;
  std::error_code failed;
  fs::create_directory(folder / ".torchgate");
  fs::create_symlink(folder / "elsewhere", folder / ".torchgate" / ".gitignore");
  create_folders(folder / ".torchgate", failed);
  EXPECT_FALSE(failed);
  EXPECT_FALSE(fs::exists(folder / "elsewhere"));
}

TEST(WorkspaceFolder, OtherFoldersGetNoFile) {
  const testing::TemporaryFolder folder;
  std::error_code failed;
  create_folders(folder / "perf" / "store", failed);
  EXPECT_TRUE(fs::is_empty(folder / "perf" / "store"));
  create_folders(folder.path(), failed);
  EXPECT_EQ(folder.listing(), std::vector<std::string>{"perf"});
}

}  // namespace
}  // namespace torchgate::base
