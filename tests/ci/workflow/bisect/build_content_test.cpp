// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/bisect/build_content.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow {
namespace {

namespace fs = std::filesystem;
using testing::WorkingFolder;
using testing::write_text;

std::string note(std::size_t bytes, char value) {
  std::string text("\x04\0\0\0", 4);
  text += std::string(1, static_cast<char>(bytes)) + std::string(3, '\0');
  text += std::string("\x03\0\0\0GNU\0", 8);
  return text + std::string(bytes, value);
}

TEST(BuildContent, LeavesOutThePlaceAndTheBuildId) {
  const std::string one = "code /w/old/x.c " + note(20, 'a') + " end";
  const std::string other = "code /w/new/x.c " + note(20, 'b') + " end";
  EXPECT_EQ(without_place(one, "/w/old"), without_place(other, "/w/new"));
  EXPECT_EQ(without_place(one, "/w/old").size(), one.size());
  EXPECT_NE(without_place(one, "/w/old"), without_place("c0de" + one.substr(4), "/w/old"));
  // Not a note: too large for a build id, or cut off.
  EXPECT_NE(without_place(note(20, 'a').substr(0, 30), "/w"), without_place(note(20, 'b').substr(0, 30), "/w"));
  EXPECT_NE(without_place(note(65, 'a'), "/w"), without_place(note(65, 'b'), "/w"));
}

class TwoTrees : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* tree : {"old", "new"}) {
      fs::create_directories(fs::path(tree) / "build");
      write_text(path(tree) / "build" / "suite", "program in " + path(tree).string());
      fs::permissions(path(tree) / "build" / "suite", fs::perms::all);
      write_text(path(tree) / "build" / "data", "weights");
    }
  }
  [[nodiscard]] static fs::path path(const char* tree) { return fs::absolute(tree).lexically_normal(); }
  [[nodiscard]] std::string content(const char* tree) const {
    return build_content(path(tree), {"build/data", "build/lib.so"}, {"build"}).value();
  }
  WorkingFolder folder_;
};

TEST_F(TwoTrees, AreTheSameUntilAFileOfTheBuildDiffers) {
  EXPECT_EQ(content("old"), content("new"));
  write_text("new/README", "not of the build");
  EXPECT_EQ(content("old"), content("new"));
  write_text("new/build/data", "other weights");
  EXPECT_NE(content("old"), content("new"));
  write_text("new/build/data", "weights");
  write_text("new/build/lib.so", "a library that only one has");
  EXPECT_NE(content("old"), content("new"));
  fs::remove("new/build/lib.so");
  EXPECT_EQ(content("old"), content("new"));
  write_text("new/build/suite", "another program");
  EXPECT_NE(content("old"), content("new"));
}

TEST_F(TwoTrees, FilesAreThoseThatProcessesLoadedAndReadBelowTheTree) {
  record::Run run;
  run.objects = {{"/w/old/build/suite", "", 1, 0, 0, "", true, false},
                 {"/usr/lib/libc.so.6", "", 0, 0, 0, ""},
                 {"/w/older/other", "", 0, 0, 0, ""}};
  run.files = {{"/w/old/data", ""}, {"$HOME", ""}};
  record::Process process;
  process.objects = {0, 1, 2};
  process.files = {0, 1};
  run.processes = {process};
  EXPECT_EQ(files_of_build(run, 0, "/w/old"), (std::vector<std::string>{"build/suite", "data"}));
  EXPECT_TRUE(files_of_build(run, 1, "/w/old").empty());
}

}  // namespace
}  // namespace torchgate::workflow
