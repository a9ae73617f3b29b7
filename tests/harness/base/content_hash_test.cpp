// SPDX-License-Identifier: Apache-2.0
// Answers published by NIST: FIPS 180-4 example values (csrc.nist.gov, "Examples with Intermediate Values", SHA256) and
// the byte-oriented test vectors of the Cryptographic Algorithm Validation Program (SHA256ShortMsg.rsp).
#include "harness/base/content_hash.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::base {
namespace {

using testing::TemporaryFolder;

TEST(Sha256, OfPublishedMessages) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256("\xd3"), "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1");
  EXPECT_EQ(sha256("\x11\xaf"), "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfAFileLongerThanOnePiece) {
  const TemporaryFolder folder;
  const std::string content(3'000'001, 'x');
  std::ofstream(folder / "file") << content;
  const auto hash = sha256_of_file(folder / "file");
  ASSERT_TRUE(hash.ok()) << hash.error().message;
  EXPECT_EQ(*hash, sha256(content));
}

TEST(Sha256, OfAnEmptyFile) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file").close();
  EXPECT_EQ(sha256_of_file(folder / "file").value(), sha256(""));
}

TEST(Sha256, RefusesMissingFilesAndFolders) {
  const TemporaryFolder folder;
  const auto missing = sha256_of_file(folder / "missing");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_EQ(missing.error().message, (folder / "missing").string() + ": cannot open it: No such file or directory");
  const auto directory = sha256_of_file(folder.path());
  ASSERT_FALSE(directory.ok());
  EXPECT_EQ(directory.error().code, ErrorCode::bad_input);
}

}  // namespace
}  // namespace torchgate::base
