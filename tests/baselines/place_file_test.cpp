// SPDX-License-Identifier: Apache-2.0
#include "baselines/place_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "harness/base/content_hash.hpp"
#include "tests/baselines/sample_run.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::baselines::testing {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

class PlaceFile : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path at(const std::string& name) const { return folder_.path() / name; }
  [[nodiscard]] std::size_t files() const {
    std::size_t n = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) n += entry.is_regular_file() ? 1U : 0U;
    return n;
  }
  static ino_t inode(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_ino;
  }

  base::testing::TemporaryFolder folder_;
};

TEST_F(PlaceFile, CopiesASmallFile) {
  write(at("from"), "content");
  ASSERT_TRUE(place_file(at("from"), at("a/b/to"), base::sha256("content"), CopyMode::as_it_was));
  EXPECT_EQ(read(at("a/b/to")), "content");
  EXPECT_NE(inode(at("from")), inode(at("a/b/to")));
  constexpr auto writable = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  EXPECT_EQ(fs::status(at("a/b/to")).permissions() & writable, fs::perms::none);
  EXPECT_EQ(files(), 2U) << "no temporary file stays";
}

TEST_F(PlaceFile, ACopyIsExecutableOnlyWhenTheSourceWasOrTheStoreKeptIt) {
  constexpr auto execute = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  const auto executable = [&](fs::perms source, CopyMode mode) {
    write(at("from"), "content");
    fs::permissions(at("from"), source);
    EXPECT_TRUE(place_file(at("from"), at("to"), base::sha256("content"), mode));
    return (fs::status(at("to")).permissions() & execute) != fs::perms::none;
  };
  EXPECT_FALSE(executable(fs::perms(0644), CopyMode::as_it_was));
  EXPECT_TRUE(executable(fs::perms(0755), CopyMode::as_it_was));
  EXPECT_TRUE(executable(fs::perms(0644), CopyMode::executable));
}

TEST_F(PlaceFile, CopiesAnEmptyFile) {
  write(at("from"), "");
  ASSERT_TRUE(place_file(at("from"), at("to"), base::sha256(""), CopyMode::as_it_was));
  EXPECT_EQ(fs::file_size(at("to")), 0U);
}

TEST_F(PlaceFile, SharesTheBytesOfABigFile) {
  for (const auto bytes : {link_from_bytes - 1, link_from_bytes}) {
    write(at("from"), std::string(bytes, 'x'));
    ASSERT_TRUE(place_file(at("from"), at("to"), base::sha256_of_file(at("from")).value(), CopyMode::as_it_was));
    EXPECT_EQ(inode(at("from")) == inode(at("to")), bytes >= link_from_bytes) << bytes;
    fs::remove(at("from"));
  }
  EXPECT_EQ(files(), 1U);
}

TEST_F(PlaceFile, PlacingABigFileOverItselfIsFine) {
  write(at("from"), std::string(link_from_bytes, 'x'));
  const auto hash = base::sha256_of_file(at("from")).value();
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(place_file(at("from"), at("to"), hash, CopyMode::as_it_was));
  EXPECT_EQ(files(), 2U) << "rename of two names of one file does nothing: the temporary name must be removed anyway";
}

TEST_F(PlaceFile, OtherContentLeavesEverythingAsItWas) {
  for (const auto bytes : {std::uintmax_t{7}, link_from_bytes}) {
    write(at("from"), std::string(bytes, 'x'));
    write(at("to"), "as it was");
    const auto placed = place_file(at("from"), at("to"), base::sha256("other"), CopyMode::as_it_was);
    ASSERT_FALSE(placed);
    EXPECT_EQ(placed.error().code, ErrorCode::bad_input);
    EXPECT_NE(placed.error().message.find(at("from").string()), std::string::npos);
    EXPECT_EQ(read(at("to")), "as it was");
    EXPECT_EQ(files(), 2U);
  }
}

TEST_F(PlaceFile, NamesTheMissingFile) {
  const auto placed = place_file(at("from"), at("to"), base::sha256(""), CopyMode::as_it_was);
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().code, ErrorCode::not_found);
  EXPECT_NE(placed.error().message.find(at("from").string()), std::string::npos);
  EXPECT_EQ(place_file(folder_.path(), at("to"), base::sha256(""), CopyMode::as_it_was).error().code,
            ErrorCode::not_found)
      << "a folder";
}

TEST_F(PlaceFile, SaysWhereItCannotWrite) {
  write(at("from"), "content");
  write(at("file"), "in the way");
  const auto placed = place_file(at("from"), at("file/to"), base::sha256("content"), CopyMode::as_it_was);
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace torchgate::baselines::testing
