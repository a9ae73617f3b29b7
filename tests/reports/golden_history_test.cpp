// SPDX-License-Identifier: Apache-2.0
// The history of a case in its formats, byte for byte.
#include <gtest/gtest.h>

#include "reports/formats/history_json.hpp"
#include "reports/formats/history_markdown.hpp"
#include "reports/formats/history_text.hpp"
#include "tests/golden/golden.hpp"
#include "tests/reports/history_models.hpp"

namespace torchgate::reports {
namespace {

TEST(GoldenHistory, TwoChanges) {
  EXPECT_TRUE(golden::matches(render_history_text(models::two_changes()), "reports/history/two_changes.txt"));
  EXPECT_TRUE(golden::matches(render_history_json(models::two_changes()), "reports/history/two_changes.json"));
}

TEST(GoldenHistory, WideAsciiAndVerbose) {
  const HistoryTextOptions options{.width = 120, .verbose = true, .unicode = false};
  EXPECT_TRUE(golden::matches(render_history_text(models::two_changes(), options), "reports/history/wide_ascii.txt"));
}

TEST(GoldenHistory, TooFewRuns) {
  EXPECT_TRUE(golden::matches(render_history_text(models::too_few_runs()), "reports/history/too_few_runs.txt"));
  EXPECT_TRUE(golden::matches(render_history_json(models::too_few_runs()), "reports/history/too_few_runs.json"));
}

TEST(GoldenHistory, QuietThroughput) {
  EXPECT_TRUE(golden::matches(render_history_text(models::quiet_throughput()), "reports/history/quiet_throughput.txt"));
}

TEST(GoldenHistory, Markdown) {
  EXPECT_TRUE(golden::matches(history_markdown(models::two_changes()), "reports/history/two_changes.md"));
  EXPECT_TRUE(golden::matches(history_markdown(models::hostile_history()), "reports/history/hostile.md"));
  EXPECT_LE(history_markdown(models::two_changes(), {.limit_bytes = 600}).size(), 600U);
}

TEST(GoldenHistory, HostileNames) {
  EXPECT_TRUE(golden::matches(render_history_text(models::hostile_history()), "reports/history/hostile.txt"));
  EXPECT_TRUE(golden::matches(render_history_json(models::hostile_history()), "reports/history/hostile.json"));
}

}  // namespace
}  // namespace torchgate::reports
