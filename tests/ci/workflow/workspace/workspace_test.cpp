// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/workspace.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/ci/gate/made_run.hpp"
#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow::testing {
namespace {

namespace fs = std::filesystem;
using gate::testing::empty_run;

TEST(WorkspaceTest, AFileDoesNotStandForTheSavedRunOfItsName) {
  const WorkingFolder folder;
  folder.save(empty_run("aaaaaaaaaaaaaaaa"), "after");
  folder.save(empty_run("bbbbbbbbbbbbbbbb"), "other");
  EXPECT_EQ(Workspace().load("after")->id, "aaaaaaaaaaaaaaaa");
  fs::copy_file(".torchgate/runs/other.json", "after");
  const auto either = Workspace().load("after");
  ASSERT_FALSE(either);
  EXPECT_EQ(either.error().code, base::ErrorCode::bad_input);
  EXPECT_EQ(either.error().message,
            "\"after\": both a file and a saved run; use ./after or .torchgate/runs/after.json");
  EXPECT_EQ(Workspace().load("./after")->id, "bbbbbbbbbbbbbbbb");
  EXPECT_EQ(Workspace().load(".torchgate/runs/after.json")->id, "aaaaaaaaaaaaaaaa");
  fs::remove("after");
  fs::create_directory("after");
  EXPECT_EQ(Workspace().load("after")->id, "aaaaaaaaaaaaaaaa") << "a folder of something else";
}

}  // namespace
}  // namespace torchgate::workflow::testing
