// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/ci/cli/program_folder.hpp"
#include "tests/ci/github/artifact/made_zip.hpp"

namespace torchgate::cli::testing {
namespace {

std::string zip_of(const std::string& name, const std::string& content) {
  return github::testing::zip_of({github::testing::entry(name, content)});
}

TEST(UnpackCommand, UnpacksAnArtifact) {
  const ProgramFolder folder;
  write_text("artifact.zip", zip_of("run.json", "{}"));
  const Ran ran = folder.torchgate({"unpack", "artifact.zip", "--into", "results"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "results: 1 file, 2 bytes\n");
  EXPECT_EQ(read_text("results/run.json"), "{}");
  const Ran again = folder.torchgate({"unpack", "artifact.zip", "--into", "results"});
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.err, "torchgate: results: not empty; give --into a new folder\n");
}

TEST(UnpackCommand, RefusesAHostileArtifact) {
  const ProgramFolder folder;
  write_text("artifact.zip", zip_of("../\x1b[2Jrun.json", "{}"));
  const Ran ran = folder.torchgate({"unpack", "artifact.zip", "--into", "results"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(
      ran.err,
      "torchgate: artifact.zip: entry 1 \"../?[2Jrun.json\": name not allowed in an artifact; only NAME.json (a-z, "
      "0-9, _ and -), SHA256.samples or commit\n");
  EXPECT_FALSE(std::filesystem::exists("results"));
}

TEST(UnpackCommand, NeedsAFileAndAFolder) {
  const ProgramFolder folder;
  write_text("artifact.zip", zip_of("run.json", "{}"));
  EXPECT_EQ(folder.torchgate({"unpack", "artifact.zip"}).code, 2);
  EXPECT_EQ(folder.torchgate({"unpack", "--into", "results"}).code, 2);
  EXPECT_EQ(folder.torchgate({"unpack", "none.zip", "--into", "results"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists("results"));
}

}  // namespace
}  // namespace torchgate::cli::testing
