// SPDX-License-Identifier: Apache-2.0
// Against real repositories with real submodules.
#include "ci/git/submodules.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "ci/git/work_tree.hpp"
#include "harness/process/temporary_folder.hpp"
#include "tests/ci/git/real_git.hpp"

namespace torchgate::git {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

class SubmodulesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    make("inner", "inner 1");
    make("library", "library 1");
    git({"submodule", "--quiet", "add", (scratch_.path() / "inner").string(), "third party/inner"}, "library");
    commit("library", "library 2");
    make("project", "project 1");
    git({"submodule", "--quiet", "add", (scratch_.path() / "library").string(), "deps/library"}, "project");
    git({"submodule", "--quiet", "update", "--init", "--recursive"}, "project");
    commit("project", "project 2");
  }

  void make(const std::string& name, const std::string& content) {
    git({"init", "--quiet", "--initial-branch=main", name}, ".");
    commit(name, content);
  }
  void commit(const std::string& name, const std::string& content) {
    std::ofstream(scratch_.path() / name / "file") << content;
    git({"add", "--all"}, name);
    git({"commit", "--quiet", "-m", content}, name);
  }
  void git(const std::vector<std::string>& arguments, const std::string& folder) {
    testing::run_git(arguments, scratch_.path() / folder);
  }
  static std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  [[nodiscard]] Repository project() const { return Repository::open(scratch_.path() / "project").value(); }
  [[nodiscard]] WorkTree tree_of(const std::string& commit) const {
    return WorkTree::add(project(), project().resolve(commit).value(), scratch_.path() / "tree").value();
  }

  process::TemporaryFolder scratch_ = process::TemporaryFolder::create().value();
};

TEST_F(SubmodulesTest, AreCheckedOutWithThoseInsideThem) {
  const WorkTree tree = tree_of("HEAD");
  const auto left = check_out_submodules(project(), tree.path());
  ASSERT_TRUE(left) << left.error().message;
  EXPECT_EQ(*left, Paths{});
  EXPECT_EQ(content(tree.path() / "deps/library/file"), "library 2");
  EXPECT_EQ(content(tree.path() / "deps/library/third party/inner/file"), "inner 1");
  EXPECT_FALSE(Repository::open(tree.path())->head()->modified);
}

TEST_F(SubmodulesTest, HaveTheCommitOfTheirWorkTree) {
  commit("project/deps/library", "library 3");
  commit("project", "project 3");
  const WorkTree tree = tree_of("HEAD~1");
  ASSERT_EQ(check_out_submodules(project(), tree.path()).value(), Paths{});
  EXPECT_EQ(content(tree.path() / "deps/library/file"), "library 2");
  EXPECT_EQ(content(scratch_.path() / "project/deps/library/file"), "library 3") << "the user's own stays as it is";
}

TEST_F(SubmodulesTest, ThoseThatTheRepositoryHasNotAreNamed) {
  git({"submodule", "--quiet", "deinit", "--force", "deps/library"}, "project");
  const WorkTree tree = tree_of("HEAD");
  EXPECT_EQ(check_out_submodules(project(), tree.path()).value(), Paths{"deps/library"});
}

TEST_F(SubmodulesTest, ACommitWithoutThemNeedsNone) {
  const WorkTree tree = tree_of("HEAD~1");
  EXPECT_EQ(check_out_submodules(project(), tree.path()).value(), Paths{});
}

}  // namespace
}  // namespace torchgate::git
