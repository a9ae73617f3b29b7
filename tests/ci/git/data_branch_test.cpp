// SPDX-License-Identifier: Apache-2.0
// A data branch against real bare repositories.
#include "ci/git/data_branch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "harness/process/process.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::git {
namespace {

namespace fs = std::filesystem;

class DataBranchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    git({"init", "--quiet", "--bare", origin().string()});
    git({"init", "--quiet", "--initial-branch=main", root().string()});
    git({"-C", root().string(), "remote", "add", "origin", "../origin.git"});
  }

  [[nodiscard]] fs::path scratch() const { return scratch_.path(); }
  [[nodiscard]] fs::path origin() const { return scratch() / "origin.git"; }
  [[nodiscard]] fs::path root() const { return scratch() / "repository"; }

  std::string git(std::vector<std::string> arguments) const {
    process::Command command;
    command.executable = "/usr/bin/env";
    command.arguments = {"git", "-c", "user.name=A", "-c", "user.email=a@example.org"};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.environment = {{"GIT_CONFIG_GLOBAL", "/dev/null"}, {"GIT_CONFIG_SYSTEM", "/dev/null"}};
    command.working_directory = scratch();
    const auto outcome = process::run_process(command);
    EXPECT_EQ(outcome.exit_code, 0) << arguments.at(0) << ": " << outcome.tail << outcome.error;
    return outcome.tail;
  }
  [[nodiscard]] std::string in_origin(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"-C", origin().string()});
    return git(std::move(arguments));
  }

  [[nodiscard]] std::string empty_tree() const {
    return in_origin({"hash-object", "-w", "-t", "tree", "/dev/null"}).substr(0, 40);
  }

  [[nodiscard]] DataBranch open(const std::string& name = "data") const {
    auto remote = Remote::find(Repository::open(root()).value(), "origin", [](const char*) { return std::string(); });
    EXPECT_TRUE(remote) << remote.error().message;
    auto branch = DataBranch::open(std::move(remote).value(), name);
    EXPECT_TRUE(branch) << branch.error().message;
    return std::move(branch).value();
  }
  [[nodiscard]] NewFile file(const std::string& path, const std::string& content) {
    const fs::path on_disk = scratch() / ("new-" + std::to_string(++files_));
    std::ofstream(on_disk, std::ios::binary) << content;
    return {path, on_disk};
  }
  PushOutcome push(DataBranch& branch, const std::optional<std::string>& parent, const std::vector<NewFile>& files) {
    const auto commit = branch.commit(parent, files, "message");
    EXPECT_TRUE(commit) << commit.error().message;
    const auto answer = branch.push(*commit);
    EXPECT_TRUE(answer) << answer.error().message;
    words_ = answer->words;
    return answer->outcome;
  }
  void hook(const std::string& name, const std::string& script) const {
    std::ofstream(origin() / "hooks" / name) << "#!/bin/sh\n" << script << '\n';
    fs::permissions(origin() / "hooks" / name, fs::perms::all);
  }

  std::string words_;

 private:
  process::TemporaryFolder scratch_ = process::TemporaryFolder::create().value();
  int files_ = 0;
};

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

TEST_F(DataBranchTest, IsMadeAppendedToAndRead) {
  auto branch = open();
  EXPECT_EQ(branch.fetch().value(), std::nullopt);
  const std::string binary("a\r\n\0b\n", 6);
  ASSERT_EQ(push(branch, std::nullopt, {file("runs/one", binary), file("marker", "m")}), PushOutcome::pushed) << words_;

  auto other = open();
  const auto first = other.fetch().value();
  ASSERT_TRUE(first.has_value());
  ASSERT_EQ(push(other, first, {file("runs/two", "2")}), PushOutcome::pushed) << words_;
  EXPECT_EQ(in_origin({"rev-list", "--count", "data"}), "2\n");

  const auto tip = branch.fetch().value();
  const auto files = branch.files(*tip).value();
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].path, "marker");
  EXPECT_EQ(files[1].path, "runs/one");
  EXPECT_EQ(files[1].mode, regular_file_mode);
  EXPECT_EQ(files[1].bytes, binary.size());
  const auto folder = branch.check_out(*tip, {"runs/one"});
  ASSERT_TRUE(folder) << folder.error().message;
  EXPECT_EQ(content(*folder / "runs/one"), binary);
  EXPECT_FALSE(fs::exists(*folder / "runs/two"));
  EXPECT_EQ(branch.blobs_of({*folder / "runs/one"}).value().front(), files[1].blob);
}

TEST_F(DataBranchTest, AttributesOfTheUserDoNotChangeFiles) {
  std::ofstream(scratch() / "attributes") << "* text eol=crlf\n";
  git({"-C", root().string(), "config", "core.attributesFile", (scratch() / "attributes").string()});
  git({"-C", root().string(), "config", "core.autocrlf", "true"});
  auto branch = open();
  ASSERT_EQ(push(branch, std::nullopt, {file("text", "a\nb\n")}), PushOutcome::pushed) << words_;
  const auto folder = branch.check_out(branch.fetch().value().value(), {"text"});
  ASSERT_TRUE(folder) << folder.error().message;
  EXPECT_EQ(content(*folder / "text"), "a\nb\n");
}

TEST_F(DataBranchTest, TheSecondOfTwoPushesLosesAndForcesNothing) {
  auto branch = open();
  auto other = open();
  ASSERT_EQ(push(branch, std::nullopt, {file("a", "a")}), PushOutcome::pushed);
  EXPECT_EQ(push(other, std::nullopt, {file("b", "b")}), PushOutcome::lost_race) << words_;  // it did not exist before

  const auto tip = branch.fetch().value();
  ASSERT_EQ(other.fetch().value(), tip);
  ASSERT_EQ(push(branch, tip, {file("c", "c")}), PushOutcome::pushed);
  EXPECT_EQ(push(other, tip, {file("b", "b")}), PushOutcome::lost_race) << words_;
  ASSERT_EQ(push(other, other.fetch().value(), {file("b", "b")}), PushOutcome::pushed) << words_;
  EXPECT_EQ(in_origin({"ls-tree", "--name-only", "data"}), "a\nb\nc\n");
  EXPECT_EQ(in_origin({"rev-list", "--count", "--first-parent", "data"}), "3\n");
}

TEST_F(DataBranchTest, ALockedReferenceIsARaceAndAHookIsNot) {
  auto branch = open();
  ASSERT_EQ(push(branch, std::nullopt, {file("a", "a")}), PushOutcome::pushed);
  const auto tip = branch.fetch().value();
  std::ofstream(origin() / "refs/heads/data.lock") << "";
  EXPECT_EQ(push(branch, tip, {file("b", "b")}), PushOutcome::lost_race) << words_;
  fs::remove(origin() / "refs/heads/data.lock");
  hook("pre-receive", "echo 'not today' >&2; exit 1");
  EXPECT_EQ(push(branch, tip, {file("b", "b")}), PushOutcome::refused) << words_;
  EXPECT_NE(words_.find("not today"), std::string::npos) << words_;
  hook("pre-receive", "kill -9 $PPID");
  EXPECT_EQ(push(branch, tip, {file("b", "b")}), PushOutcome::unclear) << words_;
}

// git itself answers "cannot lock ref", as for a race.
TEST_F(DataBranchTest, ANameThatIsPartOfAnotherBranchIsTaken) {
  for (const char* other : {"data/sub", "more/data"}) {
    SCOPED_TRACE(other);
    EXPECT_EQ(in_origin({"update-ref", std::string("refs/heads/") + other,
                         in_origin({"commit-tree", "-m", "x", empty_tree()}).substr(0, 40)}),
              "");
  }
  auto branch = open();
  EXPECT_EQ(push(branch, branch.fetch().value(), {file("a", "a")}), PushOutcome::refused) << words_;
  EXPECT_NE(words_.find("the name data is taken"), std::string::npos) << words_;
  EXPECT_NE(words_.find("baseline.branch"), std::string::npos) << words_;
  EXPECT_EQ(in_origin({"update-ref", "-d", "refs/heads/data/sub"}), "");
  EXPECT_EQ(push(branch, branch.fetch().value(), {file("a", "a")}), PushOutcome::pushed) << words_;
  auto below = open("data/below");
  EXPECT_EQ(push(below, below.fetch().value(), {file("a", "a")}), PushOutcome::refused) << words_;
  EXPECT_NE(words_.find("the name data/below is taken"), std::string::npos) << words_;
}

// As of a proxy that answers 200 with a page: git finds no reference in it, and no error.
TEST_F(DataBranchTest, AnAnswerWithoutAnyBranchIsAnErrorOnceSomeWereFetched) {
  auto first = open();
  EXPECT_EQ(first.fetch().value(), std::nullopt) << "a new repository";
  const std::string commit = in_origin({"commit-tree", "-m", "x", empty_tree()}).substr(0, 40);
  EXPECT_EQ(in_origin({"update-ref", "refs/heads/main", commit}), "");
  git({"-C", root().string(), "fetch", "--quiet", "origin"});
  EXPECT_EQ(open().fetch().value(), std::nullopt) << "other branches";
  EXPECT_EQ(in_origin({"update-ref", "-d", "refs/heads/main"}), "");
  const auto fetched = open().fetch();
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().code, base::ErrorCode::io);
  EXPECT_NE(fetched.error().message.find("fetching branch data of origin: the answer has no branch at all"),
            std::string::npos)
      << fetched.error().message;
  git({"-C", root().string(), "fetch", "--quiet", "--prune", "origin"});
  EXPECT_EQ(open().fetch().value(), std::nullopt) << "the repository was emptied";
}

TEST_F(DataBranchTest, LeavesNothingInTheRepositoryOfTheUser) {
  auto branch = open();
  ASSERT_EQ(push(branch, std::nullopt, {file("a", "a")}), PushOutcome::pushed);
  ASSERT_EQ(push(branch, branch.fetch().value(), {file("b", "b")}), PushOutcome::pushed);
  ASSERT_TRUE(open().fetch().ok());
  EXPECT_EQ(git({"-C", root().string(), "for-each-ref"}), "");
  EXPECT_EQ(git({"-C", root().string(), "rev-parse", "--is-shallow-repository"}), "false\n");
  EXPECT_FALSE(fs::exists(root() / ".git/FETCH_HEAD"));
}

TEST_F(DataBranchTest, RefusesWhatCannotBeABranchAndNamesWhatCannotBeReached) {
  const auto remote = [&] {
    return Remote::find(std::nullopt, (scratch() / "gone.git").string(), [](const char*) { return std::string(); })
        .value();
  };
  EXPECT_EQ(DataBranch::open(remote(), "a..b").error().code, base::ErrorCode::bad_input);
  EXPECT_EQ(DataBranch::open(remote(), "").error().code, base::ErrorCode::bad_input);
  const auto fetched = DataBranch::open(remote(), "data")->fetch();
  ASSERT_FALSE(fetched.ok());
  EXPECT_EQ(fetched.error().code, base::ErrorCode::io);
  EXPECT_NE(fetched.error().message.find("gone.git"), std::string::npos) << fetched.error().message;
}

}  // namespace
}  // namespace torchgate::git
