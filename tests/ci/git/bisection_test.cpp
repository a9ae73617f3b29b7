// SPDX-License-Identifier: Apache-2.0
// Against real repositories, made by the real git.
#include "ci/git/bisection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "harness/process/temporary_folder.hpp"
#include "tests/ci/git/real_git.hpp"

namespace torchgate::git {
namespace {

namespace fs = std::filesystem;
using Kind = BisectAnswer::Kind;
using testing::run_git;

class BisectionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    run_git({"init", "--quiet", "--initial-branch=main", root().string()}, scratch_.path());
    commits_.push_back(commit("first"));
  }

  std::string commit(const std::string& subject) {
    std::ofstream(root() / "file", std::ios::app) << subject << "\n";
    run_git({"add", "file"}, root());
    run_git({"commit", "--quiet", "-m", subject}, root());
    return run_git({"rev-parse", "HEAD"}, root());
  }
  void line_of(int count) {
    for (int i = 0; i < count; ++i) commits_.push_back(commit("change " + std::to_string(i)));
  }
  [[nodiscard]] fs::path root() const { return scratch_.path() / "repository"; }
  [[nodiscard]] fs::path folder() const { return scratch_.path() / "bisection"; }
  [[nodiscard]] Repository open() const { return Repository::open(root()).value(); }

  /// What must not change.
  std::string state() {
    std::string text;
    for (const auto& arguments :
         {std::vector<std::string>{"status", "--porcelain"}, {"worktree", "list"}, {"for-each-ref"}})
      text += run_git(arguments, root()) + "\n";
    return text + (fs::exists(root() / ".git" / "BISECT_LOG") ? "bisecting" : "");
  }

  /// Marks as PLACE says until git has an answer; how many commits were asked about.
  template <class Mark>
  static int finish(Bisection& bisection, Mark&& mark_of) {
    int asked = 0;
    for (; bisection.now().kind == Kind::test; ++asked) {
      const auto marked = bisection.mark(mark_of(bisection.now().commit));
      EXPECT_TRUE(marked.ok()) << marked.error().message;
      if (!marked.ok()) break;
    }
    return asked;
  }
  [[nodiscard]] std::size_t place_of(const std::string& commit) const {
    return static_cast<std::size_t>(std::find(commits_.begin(), commits_.end(), commit) - commits_.begin());
  }

  std::vector<std::string> commits_;

 private:
  process::TemporaryFolder scratch_ = std::move(process::TemporaryFolder::create().value());
};

TEST_F(BisectionTest, FindsEachCommitOfALine) {
  line_of(16);
  std::ofstream(root() / "file", std::ios::app) << "the user's own change\n";
  const std::string before = state();
  for (std::size_t culprit = 1; culprit < commits_.size(); culprit += 5) {
    auto bisection = Bisection::start(open(), commits_.front(), commits_.back(), false, folder());
    ASSERT_TRUE(bisection.ok()) << bisection.error().message;
    EXPECT_EQ(bisection->now().steps_left, 3);
    EXPECT_EQ(bisection->now().revisions_left, 7);
    const int asked = finish(*bisection, [&](const std::string& commit) {
      return place_of(commit) < culprit ? BisectMark::good : BisectMark::bad;
    });
    EXPECT_LE(asked, 5);
    EXPECT_EQ(bisection->now().kind, Kind::found);
    EXPECT_EQ(bisection->now().commit, commits_[culprit]);
    EXPECT_NE(bisection->log()->find("git bisect start"), std::string::npos);
  }
  EXPECT_EQ(state(), before);
  EXPECT_FALSE(fs::exists(folder()));
}

TEST_F(BisectionTest, SaysWhichAreLeftWhenTheyWereSkipped) {
  line_of(8);
  auto bisection = Bisection::start(open(), commits_.front(), commits_.back(), false, folder());
  ASSERT_TRUE(bisection.ok());
  finish(*bisection, [&](const std::string& commit) {
    const std::size_t place = place_of(commit);
    return place == 4 || place == 5 ? BisectMark::skip : place < 4 ? BisectMark::good : BisectMark::bad;
  });
  EXPECT_EQ(bisection->now().kind, Kind::only_skipped);
  EXPECT_EQ(bisection->now().candidates, (std::vector<std::string>{commits_[4], commits_[5], commits_[6]}));
}

TEST_F(BisectionTest, LooksIntoMergesUnlessAskedNotTo) {
  line_of(2);
  run_git({"checkout", "--quiet", "-b", "side"}, root());
  std::ofstream(root() / "other") << "other";
  run_git({"add", "other"}, root());
  run_git({"commit", "--quiet", "-m", "inside the bubble"}, root());
  const std::string inside = run_git({"rev-parse", "HEAD"}, root());
  run_git({"checkout", "--quiet", "main"}, root());
  line_of(1);
  run_git({"merge", "--quiet", "--no-edit", "--no-ff", "side"}, root());
  const std::string merge = run_git({"rev-parse", "HEAD"}, root());
  line_of(2);
  const std::set<std::string> slow{inside, merge, commits_[4], commits_[5]};
  for (const bool first_parent : {false, true}) {
    auto bisection = Bisection::start(open(), commits_.front(), commits_.back(), first_parent, folder());
    ASSERT_TRUE(bisection.ok()) << bisection.error().message;
    finish(*bisection,
           [&](const std::string& commit) { return slow.contains(commit) ? BisectMark::bad : BisectMark::good; });
    EXPECT_EQ(bisection->now().commit, first_parent ? merge : inside);
  }
}

TEST_F(BisectionTest, OneCommitBetweenNeedsNoStep) {
  line_of(1);
  const auto bisection = Bisection::start(open(), commits_[0], commits_[1], false, folder());
  ASSERT_TRUE(bisection.ok()) << bisection.error().message;
  EXPECT_EQ(bisection->now().kind, Kind::found);
  EXPECT_EQ(bisection->now().commit, commits_[1]);
}

TEST_F(BisectionTest, RefusesARangeWithoutAnOrder) {
  line_of(2);
  const auto message_of = [&](const std::string& good, const std::string& bad) {
    const auto range = check_bisect_range(open(), good, bad);
    return range.ok() ? std::string("accepted") : range.error().message;
  };
  EXPECT_EQ(message_of(commits_[0], commits_[2]), "accepted");
  EXPECT_NE(message_of(commits_[2], commits_[2]).find("are one commit"), std::string::npos);
  EXPECT_NE(message_of(commits_[2], commits_[0]).find("swap --good and --bad"), std::string::npos);
  run_git({"checkout", "--quiet", "-b", "other", commits_[1]}, root());
  const std::string other = commit("elsewhere");
  EXPECT_NE(message_of(other, commits_[2]).find("use the commit where they part, " + commits_[1].substr(0, 12)),
            std::string::npos);
  EXPECT_FALSE(Bisection::start(open(), other, commits_[2], false, folder()).ok());
  EXPECT_FALSE(fs::exists(folder()));
}

// Subjects are others' text: one that reads like an answer of git's is not one.
TEST_F(BisectionTest, ASubjectIsNotAnAnswer) {
  line_of(2);
  for (int i = 0; i < 4; ++i) commits_.push_back(commit(commits_[1] + " is the first bad commit"));
  auto bisection = Bisection::start(open(), commits_.front(), commits_.back(), false, folder());
  ASSERT_TRUE(bisection.ok());
  EXPECT_EQ(bisection->now().kind, Kind::test);
  finish(*bisection,
         [&](const std::string& commit) { return place_of(commit) < 5 ? BisectMark::good : BisectMark::bad; });
  EXPECT_EQ(bisection->now().commit, commits_[5]);
}

TEST_F(BisectionTest, LeavesABisectionOfTheUserAlone) {
  line_of(6);
  run_git({"bisect", "start", commits_.back(), commits_.front(), "--"}, root());
  const std::string head = run_git({"rev-parse", "HEAD"}, root());
  {
    auto bisection = Bisection::start(open(), commits_[1], commits_[5], false, folder());
    ASSERT_TRUE(bisection.ok()) << bisection.error().message;
    finish(*bisection, [&](const std::string&) { return BisectMark::good; });
  }
  EXPECT_EQ(run_git({"rev-parse", "HEAD"}, root()), head);
  EXPECT_TRUE(fs::exists(root() / ".git" / "BISECT_LOG"));
  run_git({"bisect", "good"}, root());
}

}  // namespace
}  // namespace torchgate::git
