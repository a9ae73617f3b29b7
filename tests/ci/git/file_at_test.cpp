// SPDX-License-Identifier: Apache-2.0
// What a file said at a commit, against a real repository.
#include "ci/git/file_at.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/process/process.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::git {
namespace {

namespace fs = std::filesystem;

class FileAt : public ::testing::Test {
 protected:
  void SetUp() override {
    git({"init", "--quiet", "--initial-branch=main"});
    fs::create_directories(root() / "deep");
    write("torchgate.toml", "first\n");
    write("deep/-odd [name]*.toml", "odd\n");
    fs::create_symlink("torchgate.toml", root() / "link.toml");
    git({"add", "."});
    git({"commit", "--quiet", "-m", "first"});
  }

  [[nodiscard]] const fs::path& root() const { return scratch_.path(); }
  [[nodiscard]] Repository open() const { return Repository::open(root()).value(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(root() / name) << text; }

  void git(std::vector<std::string> arguments) const {
    process::Command command;
    command.executable = "/usr/bin/env";
    command.arguments = {"git", "-c", "user.name=A", "-c", "user.email=a@example.org"};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.environment = {{"GIT_CONFIG_GLOBAL", "/dev/null"}, {"GIT_CONFIG_SYSTEM", "/dev/null"}};
    command.working_directory = root();
    const auto outcome = process::run_process(command);
    ASSERT_EQ(outcome.exit_code, 0) << arguments.front() << ": " << outcome.tail << outcome.error;
  }

 private:
  process::TemporaryFolder scratch_ = process::TemporaryFolder::create().value();
};

TEST_F(FileAt, IsWhatTheCommitSaidWhateverTheWorkTreeSays) {
  const auto repository = open();
  const auto first = repository.resolve("HEAD").value();
  write("torchgate.toml", "second\nwith a long line\n");
  git({"commit", "--quiet", "-am", "second"});
  write("torchgate.toml", "third\n");
  fs::remove(root() / "deep/-odd [name]*.toml");
  EXPECT_EQ(file_at(repository, first, "torchgate.toml").value(), "first\n");
  EXPECT_EQ(file_at(repository, repository.resolve("HEAD").value(), "./torchgate.toml").value(),
            "second\nwith a long line\n");
  EXPECT_EQ(file_at(repository, first, "deep/-odd [name]*.toml").value(), "odd\n");
}

TEST_F(FileAt, AbsentIsAnAnswerAndAnotherKindIsAnError) {
  const auto repository = open();
  const auto head = repository.resolve("HEAD").value();
  EXPECT_EQ(file_at(repository, head, "none.toml").value(), std::nullopt);
  EXPECT_EQ(file_at(repository, head, "none/torchgate.toml").value(), std::nullopt);
  EXPECT_EQ(file_at(repository, head, "*.toml").value(), std::nullopt) << "a name is not a pattern";
  EXPECT_FALSE(file_at(repository, head, "deep").ok());
  EXPECT_FALSE(file_at(repository, head, "link.toml").ok());
  EXPECT_FALSE(file_at(repository, std::string(40, '1'), "torchgate.toml").ok());
}

TEST_F(FileAt, FindsAnEmptyFile) {
  write("empty.toml", "");
  git({"add", "."});
  git({"commit", "--quiet", "-m", "empty"});
  const auto repository = open();
  EXPECT_EQ(file_at(repository, repository.resolve("HEAD").value(), "empty.toml").value(), "");
}

}  // namespace
}  // namespace torchgate::git
