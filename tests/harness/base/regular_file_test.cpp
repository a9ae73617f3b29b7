// SPDX-License-Identifier: Apache-2.0
// What lies where a file is expected: none of it may make the program wait, or read for ever.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/base/atomic_file.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/base/text_source.hpp"
#include "harness/record/codec.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/record/example_record.hpp"

namespace torchgate::base {
namespace {

namespace fs = std::filesystem;
constexpr std::int64_t limit = 1000;

std::string refusal(const fs::path& path, Links links = Links::followed) {
  const auto read = read_file(path, limit, links);
  return read ? "read" : read.error().message;
}

struct RegularFile : ::testing::Test {
  RegularFile() { std::ofstream(folder / "file") << "text"; }
  testing::TemporaryFolder folder;
};

TEST_F(RegularFile, IsReadThroughALinkOnlyWhereAPersonNamedIt) {
  fs::create_symlink("file", folder / "link");
  EXPECT_EQ(refusal(folder / "file", Links::refused), "read");
  EXPECT_EQ(refusal(folder / "link"), "read");
  EXPECT_EQ(refusal(folder / "link", Links::refused),
            (folder / "link").string() + ": expected a regular file, found a symbolic link");
}

TEST_F(RegularFile, RefusesAPipe) {
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string expected = pipe.string() + ": expected a regular file, found a pipe; write it to a file first";
  EXPECT_EQ(refusal(pipe), expected);
  EXPECT_EQ(refusal(pipe, Links::refused), expected);
  EXPECT_EQ(text_of_file(pipe).error().message, expected);
  EXPECT_EQ(sha256_of_file(pipe).error().message, expected);
}

TEST_F(RegularFile, RefusesADeviceFolderOrSocket) {
  fs::create_symlink("/dev/zero", folder / "zero");
  EXPECT_EQ(refusal(folder / "zero"), (folder / "zero").string() + ": expected a regular file, found a device");
  EXPECT_EQ(refusal(folder.path()), folder.path().string() + ": expected a regular file, found a folder");
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = (folder / "socket").string();
  ASSERT_LT(name.size(), sizeof address.sun_path);
  name.copy(address.sun_path, name.size());
  ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(listener);
  EXPECT_EQ(refusal(name), name + ": expected a regular file, found a socket");
}

TEST_F(RegularFile, OfSamplesIsNoLongerThanTheRecordSays) {
  record::Run run = record::testing::example_run();
  ASSERT_TRUE(record::save_run(run, folder / "run.json", false).ok());
  ASSERT_TRUE(run.samples.has_value());
  auto loaded = record::load_run(folder / "run.json");
  ASSERT_TRUE(loaded.ok());
  const fs::path samples = folder / (run.samples->sha256 + ".samples");
  fs::resize_file(samples, std::uintmax_t{1} << 30U);  // sparse: a gigabyte that takes no space
  const auto long_one = record::load_samples(*loaded, folder / "run.json");
  ASSERT_FALSE(long_one.ok());
  EXPECT_NE(long_one.error().message.find("larger than the limit"), std::string::npos) << long_one.error().message;
  fs::remove(samples);
  fs::create_symlink("/dev/zero", samples);
  const auto linked = record::load_samples(*loaded, folder / "run.json");
  ASSERT_FALSE(linked.ok());
  EXPECT_NE(linked.error().message.find("found a symbolic link"), std::string::npos) << linked.error().message;
}

}  // namespace
}  // namespace torchgate::base
