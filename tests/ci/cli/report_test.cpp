// SPDX-License-Identifier: Apache-2.0
// `report` shows stored runs. Its exit code says whether that worked, not what the verdicts are.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

class ReportCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
    folder_.save(made_run("bbbbbbbbbbbbbbbb", 1.3e5), "slower");
  }
  ProgramFolder folder_;
};

TEST_F(ReportCommand, ShowsARun) {
  const Ran ran = folder_.torchgate({"report", "before"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "1 case measured"));
}

TEST_F(ReportCommand, ShowsTwoRunsInEveryFormat) {
  EXPECT_TRUE(has(folder_.torchgate({"report", "before", "slower"}).out, "FAIL"));
  EXPECT_TRUE(has(folder_.torchgate({"report", "before", "slower", "--format", "json"}).out, "torchgate.report/1"));
  const Ran file = folder_.torchgate({"report", "before", "slower", "--format", "markdown", "--output", "report.md"});
  EXPECT_EQ(file.code, 0) << file.err;
  EXPECT_EQ(file.out, "");
  EXPECT_TRUE(has(read_text("report.md"), made_case));
}

TEST_F(ReportCommand, ShowsThatThereIsNoVerdict) {
  record::Run other = made_run("dddddddddddddddd", 1e5);
  other.machine.host_key = "host-b";
  folder_.save(other, "other");
  const Ran ran = folder_.torchgate({"report", "other", "slower"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "NO VERDICT  the hosts differ")) << ran.out;
}

TEST_F(ReportCommand, DoubtsSidesThatMayBeSwapped) {
  record::Run newer = made_run("eeeeeeeeeeeeeeee", 1e5);
  newer.created = "2026-02-01T00:00:00.000Z";
  folder_.save(newer, "newer");
  const Ran ran = folder_.torchgate({"report", "newer", "slower"});
  EXPECT_TRUE(has(ran.out, "the sides may be swapped")) << ran.err;
}

TEST_F(ReportCommand, ASiteTakesNoOptionOfAReport) {
  folder_.make_repository();
  record::Run base = made_run("cccccccccccccccc", 1e5);
  base.sides.front().source = {folder_.commit("base"), false, std::nullopt};
  folder_.save(base, "base");
  ASSERT_EQ(folder_.torchgate({"baseline", "add", "base", "--without-objects"}).code, 0);
  const std::vector<std::vector<std::string>> of_a_report{
      {"--json", "x.json"},   {"--markdown", "x.md"},   {"--html", "x.html"}, {"--write", "json=x.json"},
      {"--output", "x.json"}, {"--format", "markdown"}, {"--verbose"},        {"--vary", "libtorch"}};
  for (const std::vector<std::string>& option : of_a_report) {
    std::vector<std::string> arguments{"report", "--site", "site"};
    arguments.insert(arguments.end(), option.begin(), option.end());
    const Ran refused = folder_.torchgate(arguments);
    EXPECT_EQ(refused.code, 2) << option.front();
    EXPECT_TRUE(has(refused.err, option.front()));
  }
  EXPECT_FALSE(std::filesystem::exists("site"));
  EXPECT_TRUE(has(folder_.torchgate({"report", "--site", "site"}).out, "site/index.html"));
  const Ran quiet = folder_.torchgate({"report", "--site", "site", "--quiet"});
  EXPECT_EQ(quiet.code, 0) << quiet.err;
  EXPECT_EQ(quiet.out, "");
}

TEST_F(ReportCommand, RefusesBadInput) {
  EXPECT_EQ(folder_.torchgate({"report", "nothing"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"report", "before", "nothing"}).code, 2);
  EXPECT_EQ(folder_.torchgate({"report", "before", "--output", "/nonexistent/report"}).code, 2);
  const Ran format = folder_.torchgate({"report", "before", "--format", "pdf"});
  EXPECT_EQ(format.code, 2);
  EXPECT_TRUE(has(format.err, "pdf"));
  EXPECT_TRUE(has(format.err, "terminal, markdown, html, json"));
}

}  // namespace
}  // namespace torchgate::cli::testing
