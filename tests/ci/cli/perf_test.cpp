// SPDX-License-Identifier: Apache-2.0
// `perf` without GitHub: what asks for nothing, and bad input. With it: tests/e2e/perf_command_test.sh.
#include <gtest/gtest.h>

#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

class PerfCommand : public ::testing::Test {
 protected:
  void comment(const std::string& body, const std::string& type = "User") {
    write_text("event.json",
               R"({"action": "created", "issue": {"number": 7, "pull_request": {}}, "comment": {"id": 3, "body": ")" +
                   body + R"(", "created_at": "2026-03-01T11:00:00Z", "user": {"login": "ann", "id": 5, "type": ")" +
                   type + R"("}}})");
    folder_.set("GITHUB_EVENT_PATH", "event.json");
    folder_.set("GITHUB_TOKEN", "");
    folder_.set("TORCHGATE_GITHUB_TOKEN", "");
  }
  ProgramFolder folder_;
};

TEST_F(PerfCommand, CallsNothingForOtherComments) {
  comment("looks good");
  const Ran ran = folder_.torchgate({"perf", "--output", "out"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(read_text("out"), "command<<torchgate_"));
  EXPECT_TRUE(has(read_text("out"), "\nnone\n"));
  comment("/perf rerun", "Bot");
  EXPECT_EQ(folder_.torchgate({"perf"}).code, 0) << "without a token";
}

TEST_F(PerfCommand, RefusesBadInput) {
  folder_.set("GITHUB_EVENT_PATH", "");
  EXPECT_EQ(folder_.torchgate({"perf"}).code, 2);
  write_text("event.json", R"({"pull_request": {"number": 7}})");
  folder_.set("GITHUB_EVENT_PATH", "event.json");
  const Ran other = folder_.torchgate({"perf"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(has(other.err, "issue_comment"));
  comment("/perf rerun");
  const Ran without = folder_.torchgate({"perf"});
  EXPECT_EQ(without.code, 2);
  EXPECT_TRUE(has(without.err, "GITHUB_TOKEN"));
  EXPECT_EQ(folder_.torchgate({"perf", "--output", "nowhere/out"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"perf", "what"}).code, 2);
}

}  // namespace
}  // namespace torchgate::cli::testing
