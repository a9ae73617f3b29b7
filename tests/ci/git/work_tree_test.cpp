// SPDX-License-Identifier: Apache-2.0
// Against a real repository, made by the real git.
#include "ci/git/work_tree.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>

#include "harness/process/interrupt.hpp"
#include "harness/process/process.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::git {
namespace {

namespace fs = std::filesystem;

class WorkTreeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    git({"init", "--quiet", "--initial-branch=main", root().string()}, scratch_.path());
    commit("first");
    commit("second");
    std::ofstream(root() / ".git" / "hooks" / "post-checkout") << "#!/bin/sh\ntouch " << scratch_.path() / "hook ran";
    fs::permissions(root() / ".git" / "hooks" / "post-checkout", fs::perms::all);
    std::ofstream(root() / "file") << "modified";
  }

  [[nodiscard]] fs::path root() const { return scratch_.path() / "repository"; }
  [[nodiscard]] fs::path folder() const { return scratch_.path() / "tree"; }
  [[nodiscard]] fs::path hook_mark() const { return scratch_.path() / "hook ran"; }
  [[nodiscard]] Repository open() const { return Repository::open(root()).value(); }

  std::string git(std::vector<std::string> arguments, const fs::path& where) {
    process::Command command;
    command.executable = "/usr/bin/env";
    command.arguments = {"git", "-c", "user.name=A", "-c", "user.email=a@example.org"};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.environment = {{"GIT_CONFIG_GLOBAL", "/dev/null"}, {"GIT_CONFIG_SYSTEM", "/dev/null"}};
    command.working_directory = where;
    const auto outcome = process::run_process(command);
    EXPECT_EQ(outcome.exit_code, 0) << arguments.at(0) << ": " << outcome.tail << outcome.error;
    return outcome.tail;
  }
  void commit(const std::string& content) {
    std::ofstream(root() / "file") << content;
    git({"add", "file"}, root());
    git({"commit", "--quiet", "-m", content}, root());
  }
  /// What must not change.
  std::string state() {
    return git({"status", "--porcelain"}, root()) + git({"worktree", "list", "--porcelain"}, root()) +
           git({"for-each-ref"}, root()) + (fs::exists(root() / ".git" / "worktrees") ? "worktrees" : "");
  }
  static std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

 private:
  process::TemporaryFolder scratch_ = std::move(process::TemporaryFolder::create().value());
};

TEST_F(WorkTreeTest, HasTheCommitAndGoesAway) {
  const std::string before = state();
  const std::string first = open().resolve("HEAD~1").value();
  {
    const auto tree = WorkTree::add(open(), first, folder());
    ASSERT_TRUE(tree.ok()) << tree.error().message;
    EXPECT_EQ(content(tree->path() / "file"), "first");
    const auto head = Repository::open(tree->path())->head();
    EXPECT_EQ(head->commit, first);
    EXPECT_FALSE(head->modified);
    EXPECT_FALSE(head->branch.has_value());
    std::ofstream(tree->path() / "file") << "changed by the build";
    std::ofstream(tree->path() / "built") << "by the build";
    EXPECT_TRUE(Repository::open(tree->path())->head()->modified);
  }
  EXPECT_FALSE(fs::exists(folder()));
  EXPECT_EQ(state(), before);
  EXPECT_EQ(content(root() / "file"), "modified");
  EXPECT_FALSE(fs::exists(hook_mark()));
}

TEST_F(WorkTreeTest, AnExistingFolderIsNotTouched) {
  fs::create_directories(folder());
  std::ofstream(folder() / "mine") << "mine";
  EXPECT_FALSE(WorkTree::add(open(), open().resolve("HEAD").value(), folder()).ok());
  EXPECT_TRUE(fs::exists(folder() / "mine"));
}

TEST_F(WorkTreeTest, AFailureLeavesNothing) {
  const std::string before = state();
  const auto tree = WorkTree::add(open(), std::string(40, 'a'), folder());
  ASSERT_FALSE(tree.ok());
  EXPECT_NE(tree.error().message.find("making a work tree of commit aaaa"), std::string::npos) << tree.error().message;
  EXPECT_FALSE(fs::exists(folder()));
  EXPECT_EQ(state(), before);
}

TEST_F(WorkTreeTest, GoesAwayAlsoWhenWeWereAskedToStop) {
  const std::string before = state();
  {
    const process::InterruptScope scope;
    const Repository repository = open();
    const std::string head = repository.resolve("HEAD").value();
    const auto tree = WorkTree::add(repository, head, folder());
    ASSERT_TRUE(tree.ok());
    std::raise(SIGINT);
    const auto other = WorkTree::add(repository, head, folder() / "other");
    ASSERT_FALSE(other.ok());
    EXPECT_EQ(other.error().code, base::ErrorCode::interrupted);
  }
  EXPECT_FALSE(fs::exists(folder()));
  EXPECT_EQ(state(), before);
}

TEST_F(WorkTreeTest, HalfOfOneIsRemovedToo) {
  const std::string before = state();
  const std::string head = open().resolve("HEAD").value();
  git({"worktree", "add", "--detach", "--lock", folder().string(), head}, root());
  fs::remove_all(folder());  // git still knows of it
  WorkTree::remove(root(), folder());
  EXPECT_EQ(state(), before);
  fs::create_directories(folder() / "build");  // git does not know it
  WorkTree::remove(root(), folder());
  EXPECT_FALSE(fs::exists(folder()));
  EXPECT_EQ(state(), before);
}

}  // namespace
}  // namespace torchgate::git
