// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/measure/changed_data.hpp"

#include <gtest/gtest.h>

#include "ci/git/tracked_files.hpp"

namespace torchgate::workflow {
namespace {

record::Run run_of(const std::optional<std::string>& commit, std::optional<bool> modified) {
  record::Run run;
  run.sides.push_back({"run", {commit, modified, {}}, {}});
  return run;
}

const std::string commit(40, 'a');

TEST(ChangedData, IsWhatAProgramMayOpen) {
  for (const char* path : {"data/model.txt", "model.pt", "config.yaml", "a/b", "weights.bin", "gen.py",
                           "third_party/models", "data/README.bin", "x.json", ".env", ".github/workflows/ci.yml",
                           ".gitlab-ci.yml", "CMakeLists.txt", "cmake/x.cmake", "a/Makefile"})
    EXPECT_TRUE(may_be_data(path)) << path;
  for (const char* path :
       {"src/a.cpp", "src/a.hpp", "k.cu", "README.md", "docs/x.rst", ".gitignore", ".github/dependabot.yml",
        ".github/workflows/README.md", "LICENSE", ".clang-format", "torchgate.toml"})
    EXPECT_FALSE(may_be_data(path)) << path;
}

TEST(ChangedData, OfOneCommitThereIsNone) {
  ASSERT_TRUE(changed_data(run_of(commit, false), run_of(commit, false)));
  EXPECT_TRUE(changed_data(run_of(commit, false), run_of(commit, false))->empty());
}

TEST(ChangedData, IsNotKnownWithoutCommits) {
  EXPECT_FALSE(changed_data(run_of(std::nullopt, false), run_of(commit, false)));
  EXPECT_FALSE(changed_data(run_of(commit, false), run_of(std::nullopt, false)));
  EXPECT_FALSE(changed_data(run_of(commit, true), run_of(commit, false)));
  EXPECT_FALSE(changed_data(run_of(commit, false), run_of(commit, std::nullopt)));
  EXPECT_FALSE(changed_data(run_of(commit, false), run_of(std::string(40, 'b'), false))) << "of another repository";
}

TEST(ChangedData, MayBeInACommitThatThisCloneLacks) {
  const auto repository = git::enclosing_repository(".");
  if (!repository || !*repository || !(*repository)->head()) GTEST_SKIP() << "not in a repository";
  const auto here = run_of((*repository)->head()->commit, false);
  const auto elsewhere = run_of(std::string(40, 'b'), false);
  EXPECT_EQ(missing_commit(elsewhere, here), std::string(40, 'b'));
  EXPECT_FALSE(missing_commit(here, here));
  EXPECT_FALSE(missing_commit(elsewhere, elsewhere)) << "runs of another repository";
  EXPECT_FALSE(missing_commit(run_of(std::string(40, 'b'), true), here)) << "of modified files";
  EXPECT_FALSE(missing_commit(run_of(std::nullopt, std::nullopt), here));
}

}  // namespace
}  // namespace torchgate::workflow
