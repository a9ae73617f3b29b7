// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/target_branch.hpp"

#include <gtest/gtest.h>

#include "ci/git/remote.hpp"
#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow::testing {
namespace {

class TargetBranch : public ::testing::Test {
 protected:
  TargetBranch() {
    folder_.make_repository();
    old_ = folder_.commit("old");
    main_ = folder_.commit("main");
    folder_.git({"update-ref", "refs/remotes/origin/main", main_});
    (void)folder_.commit("later");
  }

  [[nodiscard]] static std::string tip() {
    return target_tip(git::Repository::open(".").value(), git::environment_variable);
  }

  WorkingFolder folder_;
  std::string old_;
  std::string main_;
};

TEST_F(TargetBranch, OfAPullRequestIsItsRemoteBranch) {
  EXPECT_EQ(tip(), "") << "nothing says that this is a job";
  folder_.set("CI_MERGE_REQUEST_IID", "1");
  folder_.set("CI_MERGE_REQUEST_DIFF_BASE_SHA", old_);
  EXPECT_EQ(tip(), old_);
  folder_.set("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main");
  EXPECT_EQ(tip(), main_);
  folder_.set("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "release");
  EXPECT_EQ(tip(), old_) << "the branch was not fetched";
}

TEST_F(TargetBranch, OfAPushIsWhatItWasBefore) {
  folder_.set("CI_COMMIT_BEFORE_SHA", std::string(40, '0'));
  EXPECT_EQ(tip(), "") << "a new branch";
  folder_.set("CI_COMMIT_BEFORE_SHA", main_);
  EXPECT_EQ(tip(), main_);
}

TEST_F(TargetBranch, GitHubSaysItInTheEvent) {
  folder_.set("GITHUB_EVENT_NAME", "push");
  folder_.set("GITHUB_EVENT_PATH", "event.json");
  EXPECT_EQ(tip(), "") << "no such file";
  write_text("event.json", R"({"after": "x", "commits": [{"before": 1}], "before": ")" + old_ + R"("})");
  EXPECT_EQ(tip(), old_);
  write_text("event.json", R"({"before": 7})");
  EXPECT_EQ(tip(), "");
  write_text("event.json", R"({"before": ")" + old_);
  EXPECT_EQ(tip(), "") << "the file is cut off";
}

}  // namespace
}  // namespace torchgate::workflow::testing
