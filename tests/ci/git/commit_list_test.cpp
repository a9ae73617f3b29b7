// SPDX-License-Identifier: Apache-2.0
// Who committed what, against a real repository.
#include "ci/git/commit_list.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "harness/process/process.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::git {
namespace {

class CommitList : public ::testing::Test {
 protected:
  void SetUp() override {
    git({"init", "--quiet", "--initial-branch=main"});
    for (const char* subject : {"first", "second", "third\twith a tab | @someone"})
      git({"commit", "--quiet", "--allow-empty", "-m", subject});
    git({"checkout", "--quiet", "-b", "side", "HEAD~2"});
    git({"commit", "--quiet", "--allow-empty", "-m", "on a branch"});
    git({"checkout", "--quiet", "main"});
    git({"merge", "--quiet", "--no-ff", "-m", "merge", "side"});
  }

  [[nodiscard]] Repository open() const { return Repository::open(scratch_.path()).value(); }

  void git(std::vector<std::string> arguments) const {
    process::Command command;
    command.executable = "/usr/bin/env";
    command.arguments = {"git", "-c", "user.name=Ann B", "-c", "user.email=a@example.org"};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.environment = {{"GIT_CONFIG_GLOBAL", "/dev/null"},
                           {"GIT_CONFIG_SYSTEM", "/dev/null"},
                           {"GIT_COMMITTER_DATE", "2026-11-22T12:00:00Z"}};
    command.working_directory = scratch_.path();
    const auto outcome = process::run_process(command);
    ASSERT_EQ(outcome.exit_code, 0) << arguments.front() << ": " << outcome.tail << outcome.error;
  }

 private:
  process::TemporaryFolder scratch_ = process::TemporaryFolder::create().value();
};

TEST_F(CommitList, PathsThatChanged) {
  const auto write = [&](const std::string& path, const std::string& text) {
    const auto file = open().root() / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    git({"add", "--all"});
  };
  write("data/a b.txt", "1");
  write("removed.bin", "same content");
  write("code.cpp", "1");
  git({"commit", "--quiet", "-m", "files"});
  const std::string before = open().resolve("HEAD").value();
  write("data/a b.txt", "2");
  git({"mv", "removed.bin", "moved.bin"});
  git({"commit", "--quiet", "-m", "changed"});
  const std::string after = open().resolve("HEAD").value();
  const std::vector<std::string> all{"data/a b.txt", "moved.bin", "removed.bin"};
  EXPECT_EQ(paths_changed(open(), before, after).value(), all);
  EXPECT_EQ(paths_changed(open(), before, "").value(), all);
  EXPECT_TRUE(paths_changed(open(), after, after)->empty());
  std::ofstream(open().root() / "code.cpp") << "2";
  EXPECT_EQ(paths_changed(open(), after, "").value(), std::vector<std::string>{"code.cpp"});
  EXPECT_FALSE(paths_changed(open(), std::string(40, 'a'), after));
  EXPECT_FALSE(paths_changed(open(), before, std::string(40, 'a')));
}

// It is not taken for a file, whatever its name ends with.
TEST_F(CommitList, ASubmoduleIsAFolder) {
  const auto point = [&](char digit) {
    git({"update-index", "--add", "--cacheinfo", "160000," + std::string(40, digit) + ",third_party/model.cpp"});
    git({"commit", "--quiet", "-m", "submodule"});
    return open().resolve("HEAD").value();
  };
  const std::string none = open().resolve("HEAD").value();
  const std::string before = point('1');
  const std::string after = point('2');
  const std::vector<std::string> submodule{"third_party/model.cpp/"};
  EXPECT_EQ(paths_changed(open(), before, after).value(), submodule);
  EXPECT_EQ(paths_changed(open(), none, after).value(), submodule) << "added";
  EXPECT_EQ(paths_changed(open(), after, none).value(), submodule) << "removed";
}

TEST_F(CommitList, HasTheCommitsOfTheBranchNewestFirst) {
  const auto repository = open();
  const std::string first = repository.resolve("main~3").value();
  const std::string last = repository.resolve("main").value();
  const auto commits = commits_between(repository, first, last, 10);
  ASSERT_TRUE(commits) << commits.error().message;
  ASSERT_EQ(commits->size(), 3U);
  EXPECT_EQ(commits->at(0).commit, last);
  EXPECT_EQ(commits->at(0).subject, "merge");
  EXPECT_EQ(commits->at(0).author, "Ann B");
  EXPECT_EQ(commits->at(0).date, "2026-11-22");
  EXPECT_EQ(commits->at(1).subject, "third");
  EXPECT_EQ(commits->at(2).subject, "second");
  EXPECT_EQ(commits_between(repository, first, last, 2)->size(), 2U);
  EXPECT_TRUE(commits_between(repository, last, first, 10)->empty());
}

TEST_F(CommitList, SaysWhichCommitIsMissing) {
  const auto repository = open();
  const auto commits = commits_between(repository, std::string(40, '1'), repository.resolve("main").value(), 10);
  ASSERT_FALSE(commits);
  EXPECT_EQ(commits.error().code, base::ErrorCode::not_found);
  EXPECT_NE(commits.error().message.find(std::string(40, '1')), std::string::npos);
}

TEST_F(CommitList, OfSeveralCommitsThoseOfThisClone) {
  const std::string first = open().resolve("HEAD~2").value();
  const std::string newest = open().resolve("HEAD").value();
  const auto known = known_commits(open(), {newest, std::string(40, '0'), first, "not a hash", first});
  ASSERT_TRUE(known) << known.error().message;
  ASSERT_EQ(known->size(), 2U);
  const auto& of_first = (*known)[0].commit == first ? (*known)[0] : (*known)[1];
  EXPECT_EQ(of_first.commit, first);
  EXPECT_EQ(of_first.subject, "second");
  EXPECT_EQ(of_first.author, "Ann B");
}

TEST_F(CommitList, WhatComesAfterACommit) {
  const Repository repository = open();
  const auto commit = [&](const char* name) { return repository.resolve(name).value(); };
  const std::vector<std::string> asked{commit("main"),   commit("main^1"), commit("side"),
                                       commit("main~3"), "main",           std::string(40, 'f')};
  const auto with = [&](const std::string& of) { return commits_with(repository, of, asked).value(); };
  EXPECT_EQ(with(commit("side")), (std::set<std::string>{asked[0], asked[2]}));
  EXPECT_EQ(with(commit("main~2")), (std::set<std::string>{asked[0], asked[1]}));
  EXPECT_EQ(with(commit("main~3")), (std::set<std::string>{asked[0], asked[1], asked[2], asked[3]}));
  EXPECT_TRUE(commits_with(repository, commit("side"), {}).value().empty());
  EXPECT_EQ(commits_with(repository, std::string(40, 'f'), asked).error().code, base::ErrorCode::not_found);
}

TEST_F(CommitList, OfUnknownCommitsNone) {
  for (const std::vector<std::string>& commits :
       {std::vector<std::string>{}, std::vector<std::string>{std::string(40, '0')}, {std::string("HEAD")}}) {
    const auto known = known_commits(open(), commits);
    ASSERT_TRUE(known) << known.error().message;
    EXPECT_TRUE(known->empty());
  }
}

}  // namespace
}  // namespace torchgate::git
