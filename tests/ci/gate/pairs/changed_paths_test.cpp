// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/changed_paths.hpp"

#include <gtest/gtest.h>

namespace torchgate::gate {
namespace {

TEST(ChangedPaths, AJobMaySetVariables) {
  for (const char* path : {".github/workflows/performance.yml", ".github/actions/build/action.yml", ".gitlab-ci.yml",
                           ".gitlab/ci.yml", ".circleci/config.yml", "Jenkinsfile", "ci/Jenkinsfile"})
    EXPECT_TRUE(may_set_variables(path)) << path;
  for (const char* path : {".github/CODEOWNERS", ".github/workflows/README.md", "a/.github/workflows/x.yml",
                           "src/a.cpp", ".gitignore", "workflows/x.yml"})
    EXPECT_FALSE(may_set_variables(path)) << path;
}

TEST(ChangedPaths, ABuildMayGenerateFiles) {
  for (const char* path :
       {"CMakeLists.txt", "bench/CMakeLists.txt", "cmake/data.cmake", "a/Makefile", "meson.build", "BUILD"})
    EXPECT_TRUE(may_generate_files(path)) << path;
  for (const char* path : {"src/a.cpp", "BUILD.md", "notes/CMakeLists.txt.md", "data/model.txt"})
    EXPECT_FALSE(may_generate_files(path)) << path;
}

TEST(ChangedPaths, SourceTextIsKnownByItsName) {
  for (const char* path : {"src/a.cpp", "bench/input.c", "k.cu", "a/b.rs", "x.h", "a.S"})
    EXPECT_TRUE(is_source_text(path)) << path;
  for (const char* path : {"data/model.txt", "README.md", "a.cpp/b", "cc", ".c", "gen.py", "CMakeLists.txt"})
    EXPECT_FALSE(is_source_text(path)) << path;
}

TEST(ChangedPaths, ADocumentMayBeTheInputOfAProgram) {
  for (const char* path : {"data/corpus.md", "bench/inputs/large.rst", "spec.adoc", "src/a.cpp", "mydocs/a.md"})
    EXPECT_TRUE(may_be_text_input(path)) << path;
  for (const char* path : {"README.md", "bench/README.md", "docs/guide.md", "a/docs/guide.rst", "CHANGELOG.md",
                           ".github/workflows/x.md", "CONTRIBUTING.rst", "data/model.txt"})
    EXPECT_FALSE(may_be_text_input(path)) << path;
}

}  // namespace
}  // namespace torchgate::gate
