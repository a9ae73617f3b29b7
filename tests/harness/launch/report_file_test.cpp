// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/report_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/launch/running.hpp"

namespace torchgate::launch {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

class ReportFileTest : public ::testing::Test {
 protected:
  void write(const fs::path& path, const std::string& text) const { std::ofstream(path) << text; }
  [[nodiscard]] std::string refusal() const {
    const auto text = file_.text(100);
    EXPECT_FALSE(text);
    EXPECT_FALSE(file_.source(100));
    return text ? "" : text.error().message;
  }
  base::testing::TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "report.json";
  fs::path other_ = folder_.path() / "other";
  ReportFile file_{path_};
};

TEST_F(ReportFileTest, ReadsWhatWasWrittenInPlaceOrRenamed) {
  EXPECT_EQ(file_.text(100).error().code, ErrorCode::not_found);
  EXPECT_FALSE(file_.exists());
  write(path_, "in place");
  EXPECT_EQ(*file_.text(100), "in place");
  write(other_, "renamed");
  fs::rename(other_, path_);
  EXPECT_EQ(*file_.text(100), "renamed");
  EXPECT_TRUE(file_.exists());
  file_.remove();
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(ReportFileTest, NothingButARegularFileOfItsOwnIsRead) {
  write(other_, "another file");
  fs::create_symlink(other_, path_);
  EXPECT_NE(refusal().find("not a regular file"), std::string::npos);
  EXPECT_TRUE(file_.exists());
  fs::remove(path_);
  fs::create_hard_link(other_, path_);
  EXPECT_NE(refusal().find("hard links"), std::string::npos);
  fs::remove(path_);
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);  // it has no writer
  EXPECT_NE(refusal().find("not a regular file"), std::string::npos);
  fs::remove(path_);
  fs::create_directory(path_);
  EXPECT_NE(refusal().find("not a regular file"), std::string::npos);
  fs::remove(path_);
  fs::create_symlink("/dev/zero", path_);
  EXPECT_NE(refusal().find("not a regular file"), std::string::npos);
}

TEST_F(ReportFileTest, ALimitIsKept) {
  write(path_, std::string(100, 'x'));
  EXPECT_EQ(file_.text(100)->size(), 100U);
  fs::resize_file(path_, std::uintmax_t{1} << 40);  // a file with a hole takes no space
  EXPECT_NE(refusal().find("larger than the limit of 100 bytes"), std::string::npos);
}

TEST_F(ReportFileTest, AnotherFolderInThePlaceOfItsOwnChangesNothing) {
  const fs::path own = folder_.path() / "own";
  fs::create_directory(own);
  const ReportFile file(own / "report.json");
  write(own / "report.json", "its own");
  fs::rename(own, folder_.path() / "moved");
  fs::create_directory(own);
  write(own / "report.json", "planted");
  EXPECT_EQ(*file.text(100), "its own");
}

TEST_F(ReportFileTest, AMissingFolderHasNoReport) {
  const ReportFile nowhere("/no/such/folder/report.json");
  EXPECT_EQ(nowhere.text(100).error().code, ErrorCode::not_found);
  EXPECT_FALSE(nowhere.exists());
  nowhere.remove();
}

}  // namespace
}  // namespace torchgate::launch
