// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

const std::string fixture = std::string(TORCHGATE_TESTS_DIR) + "/fixtures/import/google_benchmark_1.7.1.json";

TEST(ImportCommand, KeepsAnotherToolsFile) {
  const ProgramFolder folder;
  const Ran ran = folder.torchgate({"import", fixture, "--save", "theirs"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, ".torchgate/runs/theirs.json: "));
  EXPECT_TRUE(has(ran.out, " cases of 1 process"));
  EXPECT_EQ(folder.torchgate({"report", "theirs"}).code, 0);
  const Ran again = folder.torchgate({"compare", "theirs"});
  EXPECT_EQ(again.code, 2) << "it cannot be measured from here";
}

TEST(ImportCommand, RefusesBadInput) {
  const ProgramFolder folder;
  folder.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "ours");
  const Ran ours = folder.torchgate({"import", ".torchgate/runs/ours.json"});
  EXPECT_EQ(ours.code, 2);
  EXPECT_TRUE(has(ours.err, "Google Benchmark"));
  EXPECT_EQ(folder.torchgate({"import", "nothing.json"}).code, 2);
  const Ran list = folder.torchgate({"import", fixture + "," + fixture, "--save", "x"});
  EXPECT_EQ(list.code, 2);
  EXPECT_TRUE(has(list.err, ": no such file; name the files of one side with spaces between them, not commas"));
  EXPECT_EQ(folder.torchgate({"import", fixture, fixture}).code, 2) << "one process, not two";
  EXPECT_EQ(folder.torchgate({"import", fixture, "--save", "a/b"}).code, 2);
}

}  // namespace
}  // namespace torchgate::cli::testing
