// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/site/commit_order.hpp"

#include <gtest/gtest.h>

#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow {
namespace {

using Order = std::vector<std::size_t>;

class CommitOrder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.make_repository();
    for (int i = 0; i < 6; ++i) all_.push_back(folder_.commit("content " + std::to_string(i)));
  }
  /// Of runs of these commits; -1: of no commit.
  [[nodiscard]] Order order(const std::vector<int>& runs) const {
    std::vector<std::optional<std::string>> commits;
    for (const int run : runs)
      commits.push_back(run < 0 ? std::nullopt : std::optional(all_[static_cast<std::size_t>(run)]));
    const auto repository = git::Repository::open(".");
    EXPECT_TRUE(repository);
    return order_by_commit(commits, *repository);
  }

  testing::WorkingFolder folder_;
  std::vector<std::string> all_;
};

TEST_F(CommitOrder, OldCommitsMeasuredLaterComeBeforeNewerOnes) {
  EXPECT_EQ(order({0, 1, 2, 3}), (Order{0, 1, 2, 3}));
  EXPECT_EQ(order({0, 2, 1, 3}), (Order{0, 2, 1, 3}));
  EXPECT_EQ(order({0, 1, 4, 5, 0, 1}), (Order{0, 4, 1, 5, 2, 3})) << "runs of one commit as measured";
}

TEST_F(CommitOrder, WhatGitDoesNotKnowKeepsItsPlace) {
  all_.emplace_back(40, 'f');
  EXPECT_EQ(order({4, -1, 6, 1}), (Order{3, 1, 2, 0}));
  EXPECT_EQ(order({}), Order{});
}

TEST_F(CommitOrder, HoldsInACheckoutOfAnOldCommit) {
  folder_.git({"checkout", "--quiet", all_[1]});
  EXPECT_EQ(order({0, 4, 5, 3, 1}), (Order{0, 4, 3, 1, 2}));
}

TEST_F(CommitOrder, ABranchKeepsItsPlaceAmongTheRunsOfTheMainLine) {
  folder_.git({"checkout", "--quiet", "-b", "release", all_[1]});
  folder_.git({"commit", "--quiet", "--allow-empty", "-m", "fix"});
  std::string hash = testing::read_text(".git/refs/heads/release");
  hash.erase(hash.find_last_not_of('\n') + 1);
  all_.push_back(hash);
  folder_.git({"checkout", "--quiet", "main"});
  EXPECT_EQ(order({0, 2, 6, 4, 3}), (Order{0, 1, 2, 4, 3}));
}

}  // namespace
}  // namespace torchgate::workflow
