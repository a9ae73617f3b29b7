// SPDX-License-Identifier: Apache-2.0
// before x (1 + change) = after in the formats that are not of a report: histories and explanations. Those of a report are
// tested together with the verdicts (tests/ci/gate/agreeing_numbers_test.cpp).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reports/formats/explanation_text.hpp"
#include "reports/formats/history_text.hpp"
#include "tests/reports/printed_rows.hpp"

namespace torchgate::reports {
namespace {

/// Times from 0.1 ns to 1000 s, evenly over the magnitudes.
double any_time() {
  return std::pow(10.0, *rc::gen::map(rc::gen::inRange(-1000, 12000), [](int exponent) { return exponent / 1000.0; }));
}

void check(const std::vector<PrintedRow>& rows, std::size_t expected) {
  for (const PrintedRow& row : rows) {
    RC_LOG() << row.text << '\n';
    RC_ASSERT(agrees(row));
  }
  RC_ASSERT(rows.size() == expected);
}

RC_GTEST_PROP(AgreeingNumbers, InHistories, ()) {
  History history;
  history.case_name = "group/case";
  history.metric = {"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true};
  history.judged = true;
  history.runs.resize(4);
  HistoryChange change;
  change.run = 2;
  change.before = any_time();
  change.after = any_time();
  change.change = change.after / change.before - 1;
  history.changes.push_back(change);
  check(rows_with_arrow(render_history_text(history, {.width = 300})), 1);
}

RC_GTEST_PROP(AgreeingNumbers, InExplanations, ()) {
  Explanation explanation;
  explanation.case_name = "group/case";
  explanation.summary = "no cause visible";
  explanation.time_before = any_time();
  explanation.time_after = any_time();
  for (const Notation notation : {Notation::unicode, Notation::ascii})
    check(rows_with_arrow(explanation_text(explanation, notation, 200, true)), 1);
}

TEST(PrintedRows, ARowThatDoesNotAgreeIsFound) {
  const auto rows = rows_with_arrow("  114.1 us -> 114.4 us  +12.4 %\n  567.4 us -> 669.0 us  +17.9 %\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_FALSE(agrees(rows[0]));
  EXPECT_TRUE(agrees(rows[1]));
  EXPECT_DOUBLE_EQ(rows[0].before.value, 114.1e3);
  EXPECT_NEAR(rows[0].before.half_unit, 50, 1e-9);
  EXPECT_NEAR(rows[0].change.half_unit, 0.0005, 1e-12);
}

TEST(PrintedRows, OfATerminalAreReadByTheirHead) {
  const auto rows = rows_of_terminal(
      "        before     after  change\n"
      "fail  regressed     group/case\n"
      "      1,000 B  1,100 B  +10.0 %\n"
      "      - P95 12.00 ms [11.00 ms, 13.00 ms] → 15.00 ms [14.00 ms, 16.00 ms] (+25.0 %).\n"
      "      - throughput 12.31k/s → 6.155k/s (-50.0 %).\n");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_TRUE(agrees(rows[0]) && agrees(rows[1]) && agrees(rows[2]));
  EXPECT_DOUBLE_EQ(rows[2].before.value, 12310);
}

}  // namespace
}  // namespace torchgate::reports
