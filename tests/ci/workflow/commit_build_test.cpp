// SPDX-License-Identifier: Apache-2.0
// The parts of building a commit that need no commit; tests/e2e/ab_commits_test.sh builds some.
#include "ci/workflow/commit_build.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

}  // namespace
