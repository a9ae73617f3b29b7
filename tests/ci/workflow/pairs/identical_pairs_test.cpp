// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/identical_pairs.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/base/atomic_file.hpp"
#include "harness/process/temporary_folder.hpp"

namespace torchgate::workflow {
namespace {

class IdenticalPairsFile : public ::testing::Test {
 protected:
  process::TemporaryFolder folder_ = process::TemporaryFolder::create().value();
  std::filesystem::path file_ = folder_.path() / "below" / "pairs.json";
};

IdenticalRow row(const std::string& run, const std::string& host, std::int64_t comparisons, std::int64_t different) {
  return {run, "2026-01-01T00:00:00.000Z", host, {comparisons, different}};
}

TEST_F(IdenticalPairsFile, KeepsEachRunOnceAndCountsByHost) {
  EXPECT_TRUE(load_identical_pairs(file_)->empty());
  ASSERT_TRUE(add_identical_pairs(row("aaaa", "one", 300, 0), file_));
  ASSERT_TRUE(add_identical_pairs(row("bbbb", "two", 50, 1), file_));
  ASSERT_TRUE(add_identical_pairs(row("cccc", "one", 12, 1), file_));
  ASSERT_TRUE(add_identical_pairs(row("cccc", "one", 12, 1), file_)) << "judged again";
  const auto rows = load_identical_pairs(file_).value();
  EXPECT_EQ(rows.size(), 3U);
  EXPECT_EQ(total_of(rows, "one").comparisons, 312);
  EXPECT_EQ(total_of(rows, "one").different, 1);
  EXPECT_EQ(total_of(rows, "three").comparisons, 0);
  EXPECT_EQ(identical_pairs_table(rows, "one"),
            "Pairs of identical builds on this runner:\n"
            "  2026-01-01T00:00:00.000Z  aaaa   300 comparisons, 0 called different\n"
            "  2026-01-01T00:00:00.000Z  cccc    12 comparisons, 1 called different\n"
            "  together 1 of 312 comparisons of identical builds was called different (0.32 %)\n");
  EXPECT_EQ(identical_pairs_table(rows, "three"), "");
}

TEST_F(IdenticalPairsFile, AnotherFileIsRefusedAndLeftAlone) {
  std::filesystem::create_directories(file_.parent_path());
  const std::string other = R"({"schema": "torchgate.run/1", "pairs": []})";
  ASSERT_TRUE(base::write_file_atomically(file_, other, true));
  const auto added = add_identical_pairs(row("aaaa", "one", 1, 0), file_);
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().message.find("expected torchgate.identical/1"), std::string::npos) << added.error().message;
  EXPECT_EQ(base::read_file(file_, 1000).value(), other);
}

TEST(IdenticalPairs, TheReportSaysHowOftenTheTestErred) {
  reports::Report report;
  tell_identical_pairs({}, 0.01, report);
  EXPECT_TRUE(report.notes.empty());
  tell_identical_pairs({312, 0}, 0.01, report);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_EQ(report.notes.back(), "on this runner 0 of 312 comparisons of identical builds were called different");
  EXPECT_TRUE(report.doubts.empty());
}

TEST(IdenticalPairs, AnAlarmRateAboveAlphaIsADoubt) {
  reports::Report report;
  tell_identical_pairs({20, 1}, 0.01, report);  // one may be chance
  tell_identical_pairs({312, 3}, 0.01, report);
  EXPECT_TRUE(report.doubts.empty());
  tell_identical_pairs({312, 4}, 0.01, report);
  ASSERT_EQ(report.doubts.size(), 1U);
  EXPECT_EQ(report.doubts.front().fact,
            "on this runner 4 of 312 comparisons of identical builds were called different, more than the 1 % of "
            "gate.alpha: this machine distorts timings");
}

}  // namespace
}  // namespace torchgate::workflow
