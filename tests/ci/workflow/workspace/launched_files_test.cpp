// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/launched_files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "ci/workflow/workspace/recorded_files.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;

const std::string hash(64, 'a');
const std::string other(64, 'b');

class LaunchedFilesTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string text() const {
    std::ifstream in(list_);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  process::TemporaryFolder scratch_ = process::TemporaryFolder::create().value();
  fs::path list_ = scratch_.path() / "workspace" / "launched";
};

TEST_F(LaunchedFilesTest, KnowsPathAndContentTogether) {
  LaunchedFiles files(list_);
  EXPECT_FALSE(files.has("/a/suite", hash));
  ASSERT_TRUE(files.add({{"/a/suite", hash}, {"/a/lib with space.so", other}}));
  for (const LaunchedFiles& same : {files, LaunchedFiles(list_)}) {
    EXPECT_TRUE(same.has("/a/suite", hash));
    EXPECT_TRUE(same.has("/a/b/../suite", hash));
    EXPECT_TRUE(same.has("/a/lib with space.so", other));
    EXPECT_FALSE(same.has("/a/suite", other));
    EXPECT_FALSE(same.has("/b/suite", hash));
    EXPECT_FALSE(same.has("/a/suite", ""));
    EXPECT_FALSE(same.has_suites("/a/suite"));
  }
  const std::string once = text();
  ASSERT_TRUE(LaunchedFiles(list_).add({{"/a/suite", hash}}));
  EXPECT_EQ(text(), once) << "each line once";
}

TEST_F(LaunchedFilesTest, ARelativePathIsOneFromHere) {
  LaunchedFiles files(list_);
  ASSERT_TRUE(files.add_suites({"build/bin"}));
  EXPECT_TRUE(files.has_suites(fs::current_path() / "build/bin"));
  EXPECT_TRUE(LaunchedFiles(list_).has_suites("./build/bin"));
  EXPECT_FALSE(files.has_suites("/build/bin"));
  EXPECT_FALSE(files.has("build/bin", "suites")) << "the name of a suite is not a hash";
}

TEST_F(LaunchedFilesTest, IgnoresALineThatWasCutOff) {
  ASSERT_TRUE(LaunchedFiles(list_).add({{"/a/suite", hash}}));
  std::ofstream(list_, std::ios::app) << other << "  /a/cut";
  EXPECT_FALSE(LaunchedFiles(list_).has("/a/cut", other));
  ASSERT_TRUE(LaunchedFiles(list_).add({{"/a/later", other}}));
  EXPECT_TRUE(LaunchedFiles(list_).has("/a/suite", hash));
  EXPECT_TRUE(LaunchedFiles(list_).has("/a/later", other));
}

TEST_F(LaunchedFilesTest, APathCannotBeTwoLines) {
  ASSERT_TRUE(LaunchedFiles(list_).add({{"/a\n" + other + "  /evil", hash}, {"/a/suite", hash}}));
  EXPECT_FALSE(LaunchedFiles(list_).has("/evil", other));
  EXPECT_TRUE(LaunchedFiles(list_).has("/a/suite", hash));
}

TEST_F(LaunchedFilesTest, AListThatOthersCanWriteIsNotRead) {
  ASSERT_TRUE(LaunchedFiles(list_).add({{"/a/suite", hash}}));
  ASSERT_EQ(::chmod(list_.c_str(), 0666), 0);
  EXPECT_FALSE(LaunchedFiles(list_).has("/a/suite", hash));
  EXPECT_FALSE(LaunchedFiles(list_).add({{"/b/suite", hash}}));
  ASSERT_EQ(::chmod(list_.c_str(), 0600), 0);
  fs::rename(list_, scratch_.path() / "elsewhere");
  fs::create_symlink(scratch_.path() / "elsewhere", list_);
  EXPECT_FALSE(LaunchedFiles(list_).has("/a/suite", hash));
  fs::remove(list_);
  ASSERT_EQ(::mkfifo(list_.c_str(), 0600), 0);
  EXPECT_FALSE(LaunchedFiles(list_).has("/a/suite", hash)) << "and does not wait";
}

TEST_F(LaunchedFilesTest, WhatARecordNamesRunsOnlyWhenItWasLaunchedHere) {
  const Workspace workspace(scratch_.path() / "workspace");
  ASSERT_TRUE(LaunchedFiles(workspace.launched()).add({{"/a/suite", hash}}));
  const RecordedFiles careful(workspace, false);
  const RecordedFiles told(workspace, true);
  const auto object = [](const std::string& path, const std::string& sha256) {
    return baselines::ExpectedObject{"", sha256, path, true, false, true};
  };
  EXPECT_TRUE(careful.may_run(object("/a/suite", hash)));
  EXPECT_FALSE(careful.may_run(object("/a/suite", other)));
  EXPECT_FALSE(careful.may_run(object("/bin/sh", hash)));
  EXPECT_TRUE(told.may_run(object("/bin/sh", hash)));
  EXPECT_FALSE(told.may_run(object("bin/sh", hash))) << "never by a relative path";

  record::Run run;
  EXPECT_FALSE(careful.measured_here(run)) << "nothing is known of what it ran";
  run.objects.resize(2);
  run.objects[0].path = "/a/suite";
  run.objects[0].sha256 = hash;
  run.objects[0].executable = true;
  run.objects[1].path = "/lib/libc.so.6";
  run.objects[1].system = true;
  EXPECT_TRUE(careful.measured_here(run));
  run.objects[1].system = false;
  EXPECT_FALSE(careful.measured_here(run));
  EXPECT_TRUE(told.measured_here(run));

  run.sides.resize(1);
  run.sides[0].suite_paths = {"/a/bin"};
  EXPECT_FALSE(careful.check_measured_again(run, {}));
  EXPECT_TRUE(careful.check_measured_again(run, {"/a/bin/"}));
  EXPECT_TRUE(told.check_measured_again(run, {}));
  ASSERT_TRUE(LaunchedFiles(workspace.launched()).add_suites({"/a/bin"}));
  EXPECT_TRUE(RecordedFiles(workspace, false).check_measured_again(run, {}));
}

}  // namespace
}  // namespace torchgate::workflow
