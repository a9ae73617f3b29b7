// SPDX-License-Identifier: Apache-2.0
// Which files of two sides are compared with each other, with builds of tests/harness/code/fixture.cpp.
#include "ci/workflow/code/code_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;

class CodeFilesTest : public ::testing::Test {
 protected:
  // A program of a side (of any content: it is the same) and libraries beside it, all of which execute `leaf`.
  launch::CountedCase side(const std::string& name, const std::vector<std::pair<std::string, std::string>>& libraries) {
    const fs::path program = folder_.path() / name / "program";
    fs::create_directories(program.parent_path());
    fs::copy_file(TORCHGATE_CODE_BASE, program);
    request_.sides.push_back({name, {program}, {}, {}});
    launch::CountedCase counted;
    counted.functions[{program.string(), "leaf"}] = 10;
    for (const auto& [path, content] : libraries) {
      const fs::path file = folder_.path() / name / path;
      fs::create_directories(file.parent_path());
      fs::copy_file(content, file);
      counted.functions[{file.string(), "leaf"}] = 10;
    }
    return counted;
  }

  record::CodeComparison compare(const launch::CountedCase& before, const launch::CountedCase& after) const {
    auto files = CodeFiles::open(request_);
    EXPECT_TRUE(files) << files.error().message;
    return files->compare(before, after);
  }

  base::testing::TemporaryFolder folder_;
  launch::Request request_;
};

TEST_F(CodeFilesTest, LibrariesOfOneNameAreCompared) {
  const auto before = side("before", {{"libk.so", TORCHGATE_CODE_BASE}});
  const auto same = side("after", {{"libk.so", TORCHGATE_CODE_BASE}});
  EXPECT_TRUE(compare(before, same).identical());
  const auto changed = side("changed", {{"libk.so", TORCHGATE_CODE_LEAF}});
  const auto code = compare(before, changed);
  ASSERT_EQ(code.changed_count, 1);
  EXPECT_EQ(code.changed.front().name, "leaf");
}

TEST_F(CodeFilesTest, TwoFilesOfOneNameOnASideAreNotGuessedAt) {
  const auto before = side("before", {{"a/libk.so", TORCHGATE_CODE_BASE}, {"b/libk.so", TORCHGATE_CODE_BASE}});
  const auto after = side("after", {{"a/libk.so", TORCHGATE_CODE_LEAF}, {"b/libk.so", TORCHGATE_CODE_BASE}});
  const auto code = compare(before, after);
  EXPECT_FALSE(code.identical());
  EXPECT_NE(code.unknown.find("several of the files that it executes are named libk.so"), std::string::npos);
}

TEST_F(CodeFilesTest, ALibraryOfOneSideOnlyIsAChange) {
  const auto code = compare(side("before", {}), side("after", {{"libk.so", TORCHGATE_CODE_BASE}}));
  ASSERT_EQ(code.changed_count, 1);
  EXPECT_EQ(code.changed.front().what, "it is used after only");
}

TEST_F(CodeFilesTest, FoldersOfExecutablesAreTheirExecutables) {
  const auto before = side("before", {{"lib/libk.so", TORCHGATE_CODE_BASE}});
  auto after = side("after", {{"lib/libk.so", TORCHGATE_CODE_BASE}});
  // The program has another name on each side, as a baseline's file that a store keeps.
  const std::string program = (folder_.path() / "after" / "program").string();
  fs::rename(program, program + "_2");
  auto executed = after.functions.extract({program, "leaf"});
  executed.key().object += "_2";
  after.functions.insert(std::move(executed));
  request_.sides.back().suites = {program + "_2"};
  const auto of_files = compare(before, after);
  EXPECT_TRUE(of_files.identical()) << of_files.unknown;
  for (launch::SideRequest& each : request_.sides) each.suites = {each.suites.front().parent_path()};
  const auto of_folders = compare(before, after);
  EXPECT_TRUE(of_folders.identical()) << of_folders.unknown;
  EXPECT_EQ(of_folders.changed_count, 0);
}

TEST_F(CodeFilesTest, NothingExecutedIsNotIdentical) {
  EXPECT_FALSE(compare({}, {}).identical());
}

}  // namespace
}  // namespace torchgate::workflow
