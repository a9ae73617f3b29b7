// SPDX-License-Identifier: Apache-2.0
#include "harness/base/named_output.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/base/atomic_file.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::base {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

std::string refusal_of(const fs::path& path) {
  const auto file = output_file(path);
  return file ? "" : file.error().message;
}

TEST(OutputFile, IsTheFileThatALinkLeadsTo) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "dated");
  fs::create_symlink("dated/today.json", folder / "latest.json");
  fs::create_symlink(folder / "latest.json", folder / "again.json");
  EXPECT_EQ(output_file(folder / "plain.json").value(), folder / "plain.json");
  EXPECT_EQ(output_file(folder / "again.json").value(), folder / "dated" / "today.json");
  for (const std::string text : {"first", "second"}) {  // the target is created, then replaced
    ASSERT_TRUE(write_output_file(folder / "again.json", text));
    EXPECT_EQ(read_file(folder / "dated" / "today.json", 100).value(), text);
    EXPECT_TRUE(fs::is_symlink(folder / "latest.json"));
    EXPECT_TRUE(fs::is_symlink(folder / "again.json"));
  }
}

// With `> log` /dev/stdout leads to a regular file, and a rename would put another in its place or in that of the link.
TEST(OutputFile, RefusesOpenFilesAndDevices) {
  const TemporaryFolder folder;
  const std::string link = (folder / "link").string();
  fs::create_symlink("/proc/self/fd/1", link);
  EXPECT_EQ(refusal_of(link), link +
                                  ": leads to /proc/self/fd/1, an open file or a device, not a file; "
                                  "give the name of a file");
  EXPECT_FALSE(write_output_file(link, "text").ok());
  EXPECT_TRUE(fs::is_symlink(link));
  for (const char* const name : {"/proc/self/fd/1", "/proc/thread-self/fd/1", "/dev/fd/1", "/dev/no-such-file"})
    EXPECT_EQ(refusal_of(name), std::string(name) + ": an open file or a device, not a file; give the name of a file");
  EXPECT_EQ(refusal_of("/dev/null"), "/dev/null: not a regular file; give the name of a file");
  EXPECT_EQ(refusal_of("/dev/shm/report.json"), "");
}

TEST(OutputFile, RefusesLinksThatLeadToNoFile) {
  const TemporaryFolder folder;
  fs::create_symlink("loop", folder / "loop");
  EXPECT_EQ(refusal_of(folder / "loop"),
            (folder / "loop").string() + ": too many symbolic links; give the name of a file");
  fs::create_symlink(folder.path(), folder / "folder");
  EXPECT_EQ(refusal_of(folder / "folder"), (folder / "folder").string() + ": leads to " + folder.path().string() +
                                               ", not a regular file; give the name of a file");
}

}  // namespace
}  // namespace torchgate::base
