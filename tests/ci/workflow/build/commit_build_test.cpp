// SPDX-License-Identifier: Apache-2.0
// Building a commit with a command that is certain; tests/e2e/ab_commits_test.sh interrupts some.
#include "ci/workflow/build/commit_build.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ci/workflow/build/run_build.hpp"
#include "tests/ci/workflow/told.hpp"
#include "tests/ci/workflow/working_folder.hpp"

namespace {

using namespace torchgate;
using workflow::cache_environment;
using workflow::command_in;

std::string value(const std::vector<record::Parameter>& environment, const std::string& name) {
  const auto found =
      std::find_if(environment.begin(), environment.end(), [&](const auto& p) { return p.name == name; });
  return found == environment.end() ? "(not set)" : found->value;
}

TEST(CommitBuild, PutsThePathIntoTheCommand) {
  EXPECT_EQ(command_in("cmake --build {dir}/build && ls {dir}", "/a/b"), "cmake --build /a/b/build && ls /a/b");
  EXPECT_EQ(command_in("make", "/a/b"), "make");
  EXPECT_EQ(command_in("ls {dir}", "/a b/it's"), R"(ls '/a b/it'\''s')");
  EXPECT_EQ(command_in("ls {dir}", "/a/{dir}"), "ls '/a/{dir}'");
  EXPECT_EQ(command_in(R"(ls "{dir}" "{dir}/x" {dir})", "/a/b"), R"(ls "/a/b" "/a/b/x" /a/b)");
}

// Each is given to a shell.
TEST(CommitBuild, APathIsOneWordBetweenQuotesToo) {
  const std::string dir = "/a b/it's $HOME \"x\" `y` \\z";
  for (const char* const command :
       {"printf %s {dir}", R"(printf %s "{dir}")", "printf %s '{dir}'", R"(printf %s "a"{dir} | cut -c2-)",
        R"(printf %s \"{dir} | cut -c2-)", R"(printf %s "\"{dir}" | cut -c2-)"}) {
    FILE* const shell = popen(command_in(command, dir).c_str(),
                              "r");  // NOLINT(cert-env33-c): what the words of a command are, a shell says
    ASSERT_NE(shell, nullptr);
    std::string said;
    for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell)) said += static_cast<char>(c);
    EXPECT_EQ(pclose(shell), 0) << command;
    while (said.ends_with('\n')) said.pop_back();
    EXPECT_EQ(said, dir) << command_in(command, dir);
  }
}

TEST(CommitBuild, MakesACompilerCacheKnowAnotherWorkTree) {
  const auto plain = cache_environment({}, "/r/.torchgate/work_trees/1/old", true);
  EXPECT_EQ(value(plain, "CCACHE_BASEDIR"), "/r/.torchgate/work_trees/1/old");
  EXPECT_EQ(value(plain, "CCACHE_NOHASHDIR"), "1");
  EXPECT_EQ(value(plain, "CMAKE_CXX_COMPILER_LAUNCHER"), "ccache");
  EXPECT_EQ(value(cache_environment({}, "/r/t", false), "CMAKE_CXX_COMPILER_LAUNCHER"), "(not set)");
}

TEST(CommitBuild, LeavesWhatTheUserHasSet) {
  const std::map<std::string, std::string> ours{
      {"CCACHE_BASEDIR", "/r"}, {"CCACHE_NOHASHDIR", "1"}, {"CMAKE_CXX_COMPILER_LAUNCHER", "sccache"}};
  const auto kept = cache_environment(ours, "/r/.torchgate/work_trees/1/old", true);
  EXPECT_EQ(value(kept, "CCACHE_BASEDIR"), "(not set)");
  EXPECT_EQ(value(kept, "CCACHE_NOHASHDIR"), "(not set)");
  EXPECT_EQ(value(kept, "CMAKE_CXX_COMPILER_LAUNCHER"), "(not set)");
  EXPECT_EQ(value(kept, "CMAKE_C_COMPILER_LAUNCHER"), "ccache");
  // A base folder that the work tree is not in would hash its absolute paths.
  EXPECT_EQ(value(cache_environment(ours, "/elsewhere/t", true), "CCACHE_BASEDIR"), "/elsewhere/t");
}

TEST(CommitBuild, LeavesSuitesAndTellsWhatItDoes) {
  const workflow::testing::WorkingFolder folder;
  folder.make_repository();
  const std::string commit = folder.commit("first build");
  workflow::testing::Told told;
  const auto repository = git::Repository::open(".").value();
  const std::string command = "mkdir build && printf '#!/bin/sh\\n' >build/suite && chmod +x build/suite && cat code";
  {
    const auto built = workflow::build_commit(repository, {"before", "main", commit}, {command, {"build"}},
                                              std::filesystem::absolute("tree"), told);
    ASSERT_TRUE(built) << built.error().message;
    EXPECT_EQ(built->suites, std::vector<std::string>{std::filesystem::absolute("tree/build").string()});
    EXPECT_EQ(built->source.commit, commit);
    EXPECT_TRUE(std::filesystem::exists("tree/build/suite"));
  }
  EXPECT_FALSE(std::filesystem::exists("tree")) << "it goes with its owner";
  ASSERT_EQ(told.notes.size(), 2U);
  EXPECT_EQ(told.notes[0], "building before (main, " + commit.substr(0, 12) + "): " + command);
  EXPECT_TRUE(told.warnings.empty());
  EXPECT_EQ(workflow::testing::read_text(".torchgate/builds/before-" + commit.substr(0, 12) + ".log"), "first build");
}

// A push moved the folder of the suites; the baseline's commit has them in the other one.
TEST(CommitBuild, TakesTheSuitesThatTheCommitItselfNames) {
  const workflow::testing::WorkingFolder folder;
  folder.make_repository();
  workflow::testing::write_text("torchgate.toml", "[run]\nsuites = [\"old\"]\n");
  folder.git({"add", "torchgate.toml"});
  const std::string commit = folder.commit("before the move");
  workflow::testing::write_text("torchgate.toml", "[run]\nsuites = [\"new\"]\n");
  workflow::testing::Told told;
  const auto repository = git::Repository::open(".").value();
  const auto build = [&](const std::string& built, bool own_suites) {
    const std::string command =
        "mkdir " + built + " && printf '#!/bin/sh\\n' >" + built + "/suite && chmod +x " + built + "/suite";
    return workflow::build_commit(repository, {"baseline", commit, commit}, {command, {"new"}, own_suites},
                                  std::filesystem::absolute("tree"), told);
  };
  {
    const auto moved = build("old", true);
    ASSERT_TRUE(moved) << moved.error().message;
    EXPECT_EQ(moved->suites, std::vector<std::string>{std::filesystem::absolute("tree/old").string()});
    EXPECT_NE(told.notes.back().find("its suites are in old"), std::string::npos);
  }
  {
    const auto there = build("new", true);
    ASSERT_TRUE(there) << there.error().message;
    EXPECT_EQ(there->suites, std::vector<std::string>{std::filesystem::absolute("tree/new").string()});
  }
  EXPECT_FALSE(build("old", false)) << "suites that were asked for by name";
  const auto neither = build("other", true);
  ASSERT_FALSE(neither);
  EXPECT_NE(neither.error().message.find("its work tree has no new"), std::string::npos) << neither.error().message;
}

TEST(CommitBuild, SaysWhenTheDiskIsFull) {
  const workflow::testing::WorkingFolder folder;
  folder.make_repository();
  const std::string commit = folder.commit("too large");
  workflow::testing::Told told;
  const auto repository = git::Repository::open(".").value();
  const auto built =
      workflow::build_commit(repository, {"before", "main", commit},
                             {"echo 'ld: final link failed: No space left on device'; exit 1", {"build"}},
                             std::filesystem::absolute("tree"), told);
  ASSERT_FALSE(built.ok());
  EXPECT_EQ(built.error().code, base::ErrorCode::io);
  EXPECT_NE(built.error().message.find("no space left on the disk; free some"), std::string::npos)
      << built.error().message;
}

TEST(CommitBuild, TellsTheLastLinesOfABuildThatFails) {
  const workflow::testing::WorkingFolder folder;
  folder.make_repository();
  const std::string commit = folder.commit("second");
  workflow::testing::Told told;
  const auto failed = workflow::build_commit(git::Repository::open(".").value(), {"after", commit, commit},
                                             {"for i in $(seq 30); do echo line $i; done; exit 4", {"build"}},
                                             std::filesystem::absolute("tree"), told);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, base::ErrorCode::bad_input);
  EXPECT_NE(failed.error().message.find("ended with exit code 4"), std::string::npos) << failed.error().message;
  ASSERT_EQ(told.notes.size(), 21U) << "the command and twenty lines";
  EXPECT_EQ(told.notes[1], "  | line 11");
  EXPECT_EQ(told.notes[20], "  | line 30");
}

}  // namespace
