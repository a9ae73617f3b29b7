// SPDX-License-Identifier: Apache-2.0
// Against real repositories, made by the real git.
#include "ci/git/tracked_files.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "harness/process/temporary_folder.hpp"
#include "tests/ci/git/real_git.hpp"

namespace torchgate::git {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

class TrackedFiles : public ::testing::Test {
 protected:
  void SetUp() override { git({"init", "--quiet", root().string()}, scratch_.path()); }

  [[nodiscard]] fs::path root() const { return scratch_.path() / "repository"; }

  static void git(const std::vector<std::string>& arguments, const fs::path& folder) {
    testing::run_git(arguments, folder);
  }

  void write(const fs::path& name) const {
    fs::create_directories((root() / name).parent_path());
    std::ofstream(root() / name) << "content";
  }

  void commit() const {
    git({"add", "--all"}, root());
    git({"commit", "--quiet", "--allow-empty", "-m", "x"}, root());
  }

  [[nodiscard]] Paths below(const fs::path& folder) const {
    const auto tracked = tracked_below(Repository::open(root()).value(), folder);
    EXPECT_TRUE(tracked) << tracked.error().message;
    return tracked ? *tracked : Paths{"an error"};
  }

  process::TemporaryFolder scratch_ = process::TemporaryFolder::create().value();
};

TEST_F(TrackedFiles, AreThoseOfHead) {
  EXPECT_EQ(below(root() / "store"), Paths()) << "no commit yet";
  write("code");
  commit();
  write("store/runs/a b.json");
  EXPECT_EQ(below(root() / "store"), Paths()) << "there, but not tracked";
  commit();
  EXPECT_EQ(below(root() / "store"), Paths{"store/runs/a b.json"});
  EXPECT_EQ(below(root() / "store/runs/"), Paths{"store/runs/a b.json"});
  EXPECT_EQ(below(root() / "stor"), Paths());
  EXPECT_EQ(below(root() / "*"), Paths()) << "a name is not a pattern";
  EXPECT_EQ(below(scratch_.path()), Paths()) << "outside";
  EXPECT_EQ(below(root() / "other/../store"), Paths{"store/runs/a b.json"});
}

TEST_F(TrackedFiles, AreFoundThroughLinks) {
  write("elsewhere/store/run.json");
  fs::create_directory_symlink("elsewhere", root() / "link");
  git({"add", "link"}, root());
  git({"commit", "--quiet", "-m", "a link alone"}, root());
  EXPECT_EQ(below(root() / "link/store"), Paths{"link"}) << "where the store is, is the commit's choice";
  EXPECT_EQ(below(root() / "link"), Paths{"link"});
  git({"rm", "--quiet", "--cached", "link"}, root());
  git({"add", "elsewhere"}, root());
  git({"commit", "--quiet", "-m", "a file, and a link of the user's"}, root());
  EXPECT_EQ(below(root() / "link/store"), Paths{"elsewhere/store/run.json"});
}

TEST_F(TrackedFiles, AnotherCheckoutInsideIsNotTracked) {
  write("code");
  commit();
  git({"worktree", "add", "--quiet", "--detach", (root() / ".data").string()}, root());
  EXPECT_EQ(below(root() / ".data"), Paths());
  EXPECT_EQ(below(root() / ".data/store"), Paths());
}

TEST_F(TrackedFiles, ASubmoduleIsTracked) {
  const fs::path library = scratch_.path() / "library";
  git({"init", "--quiet", library.string()}, scratch_.path());
  git({"commit", "--quiet", "--allow-empty", "-m", "x"}, library);
  git({"submodule", "--quiet", "add", library.string(), "data"}, root());
  commit();
  EXPECT_EQ(below(root() / "data"), Paths{"data"});
  EXPECT_EQ(below(root() / "data/store"), Paths{"data"});
}

TEST_F(TrackedFiles, ARepositoryIsFoundUpwardsAndMustAnswer) {
  write("a/b/c");
  const auto found = enclosing_repository(root() / "a/b");
  ASSERT_TRUE(found);
  ASSERT_TRUE(*found);
  EXPECT_EQ((*found)->root(), fs::canonical(root()));
  const auto none = enclosing_repository(scratch_.path());
  EXPECT_TRUE(none && !*none);
  fs::create_directories(scratch_.path() / "broken/.git");
  EXPECT_FALSE(enclosing_repository(scratch_.path() / "broken"));
}

}  // namespace
}  // namespace torchgate::git
