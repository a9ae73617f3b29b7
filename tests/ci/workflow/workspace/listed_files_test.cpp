// SPDX-License-Identifier: Apache-2.0
// A run that is a list of files and folders of another tool: "a1.json,a2.json".
#include <gtest/gtest.h>

#include <fstream>

#include "ci/workflow/workspace/workspace.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;

class ListedFilesTest : public ::testing::Test {
 protected:
  // A folder of Criterion with one benchmark.
  std::string criterion(const std::string& name, const std::string& times) {
    const fs::path folder = scratch_.path() / name / "sum/new";
    fs::create_directories(folder);
    std::ofstream(folder / "benchmark.json") << R"({"group_id":"sum","full_id":"sum"})";
    std::ofstream(folder / "sample.json") << R"({"iters":[1,2],"times":[)" << times << "]}";
    return (scratch_.path() / name).string();
  }

  [[nodiscard]] std::string error_of(const std::string& run) const {
    const auto loaded = Workspace().load(run);
    return loaded ? "none" : loaded.error().message;
  }

  process::TemporaryFolder scratch_ = process::TemporaryFolder::create().value();
};

TEST_F(ListedFilesTest, FoldersOfCriterionAreProcesses) {
  const auto run = Workspace().load(criterion("a", "10,20") + "," + criterion("b", "11,22"));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->processes.size(), 2U);
}

TEST_F(ListedFilesTest, NamesThePartThatCannotBeRead) {
  const std::string there = criterion("a", "10,20");
  const std::string gone = (scratch_.path() / "gone.json").string();
  EXPECT_EQ(error_of(there + "," + gone),
            "\"" + gone + "\": no such file; it is part of the list " + there + "," + gone);
  fs::create_directories(scratch_.path() / "empty");
  const std::string empty = (scratch_.path() / "empty").string();
  EXPECT_EQ(error_of(empty + "," + there), error_of(empty));
  EXPECT_NE(error_of("one,two").find("no run \"one,two\""), std::string::npos);
}

}  // namespace
}  // namespace torchgate::workflow
