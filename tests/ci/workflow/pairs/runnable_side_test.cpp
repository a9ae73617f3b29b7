// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/runnable_side.hpp"

#include <gtest/gtest.h>

#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;

launch::Request in_job_of(const std::string& nodes) {
  launch::Request pairs;
  pairs.ranks_with = launch::RanksWith::srun;
  pairs.machine.hostname = "n1";
  pairs.machine.environment = {{"SLURM_JOB_ID", "4711"}, {"SLURM_JOB_NUM_NODES", nodes}};
  return pairs;
}

TEST(FolderForRestored, IsOfThisMachineUnlessRanksAreOnSeveralNodes) {
  const testing::WorkingFolder here;
  EXPECT_EQ(folder_for_restored(in_job_of("1"))->path().parent_path(), fs::temp_directory_path());
  launch::Request pairs = in_job_of("2");
  pairs.ranks_with = launch::RanksWith::torchgate;
  EXPECT_EQ(folder_for_restored(pairs)->path().parent_path(), fs::temp_directory_path());
  EXPECT_FALSE(fs::exists(".torchgate"));
}

TEST(FolderForRestored, IsWhereAllNodesSeeIt) {
  const testing::WorkingFolder here;
  const fs::path parent = fs::current_path() / ".torchgate" / "restored" / "n1";
  const fs::path abandoned = parent / "torchgate-scratch-abcdef";  // of a killed program
  fs::create_directories(abandoned);
  fs::permissions(abandoned, fs::perms::owner_all);
  {
    const auto folder = folder_for_restored(in_job_of("2"));
    ASSERT_TRUE(folder) << folder.error().message;
    EXPECT_EQ(folder->path().parent_path(), parent);
    EXPECT_FALSE(fs::exists(abandoned));
    EXPECT_TRUE(fs::exists(folder->path()));
  }
  EXPECT_TRUE(fs::is_empty(parent));
}

TEST(FolderForRestored, NeedsAFolderThatCanBeWritten) {
  const testing::WorkingFolder here;
  testing::write_text(".torchgate", "a file");
  const auto folder = folder_for_restored(in_job_of("2"));
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("cannot create the folder"), std::string::npos) << folder.error().message;
}

}  // namespace
}  // namespace torchgate::workflow
