// SPDX-License-Identifier: Apache-2.0
#include "reports/forest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reports/families.hpp"
#include "tests/reports/model_parts.hpp"
#include "tests/reports/models.hpp"

namespace torchgate::reports {
namespace {

std::vector<std::string> names_of(const Forest& forest) {
  std::vector<std::string> names;
  for (const ForestRow& row : forest.rows) names.push_back(forest_name(row));
  return names;
}

using Names = std::vector<std::string>;

Report mixed() {
  Report report = models::base();
  using models::timed;
  report.findings = {timed("quiet", Verdict::equivalent, GateAction::pass, 1e6, 0.001),
                     timed("open/little", Verdict::inconclusive, GateAction::note, 1e6, 0.01, 0.1),
                     timed("warns", Verdict::regressed, GateAction::warn, 1e6, 0.02),
                     timed("fails", Verdict::regressed, GateAction::fail, 1e6, 0.08),
                     timed("fails/more", Verdict::regressed, GateAction::fail, 1e6, 0.2),
                     timed("better", Verdict::improved, GateAction::pass, 1e6, -0.2),
                     timed("open/much", Verdict::inconclusive, GateAction::note, 1e6, 0.04, 0.1),
                     models::without_numbers("new", Verdict::new_case, GateAction::note, "new"),
                     models::without_numbers("skipped", Verdict::skipped, GateAction::note, "no device")};
  return report;
}

TEST(Forest, TheWorstIsFirstAndWhatImprovedIsBeforeWhatStayed) {
  const Report report = mixed();
  const Forest forest = forest_of(report, ForestCases::compared, most_forest_rows);
  EXPECT_EQ(names_of(forest), (Names{"fails/more", "fails", "warns", "open/much", "open/little", "better", "quiet"}));
  EXPECT_EQ(shapes_in(forest), (std::vector<ForestShape>{ForestShape::fails, ForestShape::warns, ForestShape::open,
                                                         ForestShape::improved, ForestShape::quiet}));
  EXPECT_EQ(forest.more, 0);
}

TEST(Forest, OnlyWhatIsAskedFor) {
  const Report report = mixed();
  EXPECT_EQ(names_of(forest_of(report, ForestCases::open, 40)),
            (Names{"fails/more", "fails", "warns", "open/much", "open/little"}));
  EXPECT_EQ(names_of(forest_of(report, ForestCases::notable, 40)),
            (Names{"fails/more", "fails", "warns", "open/much", "open/little", "better"}));
  EXPECT_FALSE(forest_of(models::no_baseline(), ForestCases::compared, 40).has_numbers());
}

TEST(Forest, MoreCasesThanRowsAreCounted) {
  const Report report = models::five_hundred_rows();
  const Forest forest = forest_of(report, ForestCases::compared, most_forest_rows);
  EXPECT_EQ(forest.rows.size(), 40U);
  EXPECT_EQ(forest.cases + forest.more, 560);
  EXPECT_EQ(forest_of(report, ForestCases::compared, 0).rows.size(), 1U);
}

TEST(Forest, ACaseHasOneRowOfItsWorstMetric) {
  Report report = models::base();
  report.findings = {models::timed("a", Verdict::equivalent, GateAction::pass, 1e6, 0.001),
                     models::exact("a", models::peak_bytes, Verdict::regressed, GateAction::fail, 1000, 1300),
                     models::timed("b", Verdict::equivalent, GateAction::pass, 1e6, 0.001),
                     models::exact("b", models::peak_bytes, Verdict::equivalent, GateAction::pass, 1000, 1000)};
  const Forest forest = forest_of(report, ForestCases::compared, 40);
  EXPECT_EQ(names_of(forest), (Names{"a peak_bytes", "b"}));
  EXPECT_EQ(forest.rows[0].span->low, forest.rows[0].span->change);  // a count has no interval
}

TEST(Forest, AnUndecidedRateIsNotHiddenByItsTime) {
  Report report = models::base();
  Finding rate = models::timed("a", Verdict::inconclusive, GateAction::note, 1e6, -0.04, 0.1);
  rate.metric = {"items_per_second", "1/s", record::Direction::higher_is_better, record::MetricKind::timed, false};
  report.findings = {models::timed("a", Verdict::equivalent, GateAction::pass, 1e6, 0.001), rate,
                     models::timed("b", Verdict::equivalent, GateAction::pass, 1e6, 0.001)};
  EXPECT_EQ(names_of(forest_of(report, ForestCases::open, 40)), Names{"a items_per_second"});
  EXPECT_EQ(names_of(forest_of(report, ForestCases::compared, 40)), (Names{"a items_per_second", "b"}));
  report.findings[0].verdict = Verdict::improved;
  EXPECT_EQ(names_of(forest_of(report, ForestCases::compared, 40)), (Names{"a", "b"}));
}

TEST(Forest, AHigherRateIsNotWorse) {
  Report report = models::base();
  for (const double change : {0.03, -0.04}) {
    Finding rate = models::timed(change > 0 ? "up" : "down", Verdict::inconclusive, GateAction::note, 1e6, change, 0.1);
    rate.metric.direction = record::Direction::higher_is_better;
    report.findings.push_back(rate);
  }
  const Forest forest = forest_of(report, ForestCases::compared, 40);
  EXPECT_EQ(names_of(forest), (Names{"down", "up"}));
  EXPECT_EQ(forest.gates, std::vector<double>{1 / 1.05 - 1});
  EXPECT_EQ(forest_gate_words(forest, Format()), "gate -4.76 %");
}

TEST(Forest, ARowWithAGateOfItsOwnHasNoOther) {
  Report report = mixed();
  const auto own_gate = [&](std::size_t at, double gate) { report.findings[at].own_gate = gate; };
  own_gate(3, 0.02);  // "fails"
  Forest forest = forest_of(report, ForestCases::open, 40);
  ASSERT_EQ(forest.rows[1].finding->case_name, "fails");
  EXPECT_EQ(forest.gates_through(forest.rows[0]), std::vector<double>{0.05});
  EXPECT_EQ(forest.gates_through(forest.rows[1]), std::vector<double>{0.02});
  EXPECT_EQ(forest_gate_words(forest, Format()), "gate +5 %, own gate +2 %");
  own_gate(4, 0.1);
  forest = forest_of(report, ForestCases::open, 40);
  EXPECT_EQ(forest_gate_words(forest, Format()), "gate +5 %, own gates +2 % and +10 %");
  report.findings[3].metric.direction = record::Direction::higher_is_better;
  EXPECT_NEAR(gate_of(report.findings[3], report), 1 / 1.02 - 1, 1e-12);
}

TEST(Forest, ALargeTickHasNoExponent) {
  EXPECT_EQ(forest_percent(999, Format()), "+99,900 %");
  EXPECT_EQ(forest_percent(9, Format()), "+900 %");
}

TEST(Forest, AFailedCaseIsARowWithoutAChange) {
  const Report report = models::failed_wrong_missing();
  const Forest forest = forest_of(report, ForestCases::open, 40);
  ASSERT_EQ(forest.rows.size(), 3U);
  for (const ForestRow& row : forest.rows) {
    EXPECT_FALSE(row.span);
    EXPECT_EQ(row.shape, ForestShape::fails);
  }
  EXPECT_EQ(forest_sentence(forest.rows[0], report, Format()), "failed (fails): no change is known");
}

TEST(Forest, AnUnknownIntervalIsAPoint) {
  Report report = mixed();
  report.findings[3].interval.reset();
  report.findings[4].interval = Interval{std::nan(""), 0.3, 0.99};
  const Forest forest = forest_of(report, ForestCases::compared, 40);
  for (const std::size_t row : {0U, 1U}) {
    EXPECT_EQ(forest.rows[row].span->low, forest.rows[row].span->change);
    EXPECT_EQ(forest.rows[row].span->high, forest.rows[row].span->change);
  }
  report.findings[3].change = std::nan("");
  EXPECT_FALSE(forest_of(report, ForestCases::compared, 40).rows[1].span);
}

TEST(Forest, AnIntervalWithoutAnEndSaysSo) {
  Report report = mixed();
  report.findings[1].interval =
      Interval{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), 0.99};
  const Forest forest = forest_of(report, ForestCases::open, 40);
  EXPECT_NE(forest_sentence(forest.rows.back(), report, Format()).find("+1.00 % [-inf, +inf]"), std::string::npos);
}

/// Twelve of one benchmark, CHANGES of its first ones, and twelve of another that stayed.
Report two_benchmarks(const std::vector<double>& changes, GateAction action) {
  Report report = models::base();
  for (std::size_t i = 0; i < 12; ++i) {
    const bool moved = i < changes.size();
    report.findings.push_back(models::timed("BM_UFlat/" + std::to_string(i),
                                            moved ? Verdict::regressed : Verdict::equivalent,
                                            moved ? action : GateAction::pass, 1e6, moved ? changes[i] : 0.001));
    report.findings.push_back(
        models::timed("BM_ZFlat/" + std::to_string(i), Verdict::equivalent, GateAction::pass, 1e6, 0.001));
  }
  report.families = families_of(report.findings);
  return report;
}

TEST(Forest, AFamilyThatMovedTogetherIsOneRow) {
  const Report report = two_benchmarks({0.08, 0.09, 0.10, 0.11, 0.12, 0.09, 0.1, 0.1, 0.1, 0.1, 0.1}, GateAction::fail);
  const Forest forest = forest_of(report, ForestCases::open, 40);
  ASSERT_EQ(names_of(forest), Names{"BM_UFlat: 11 of 12 cases"});
  const ForestRow& row = forest.rows.front();
  EXPECT_NEAR(row.span->change, 0.1, 1e-12);
  EXPECT_NEAR(row.span->low, 0.06, 1e-12);
  EXPECT_NEAR(row.span->high, 0.14, 1e-12);
  EXPECT_EQ(row.finding->case_name, "BM_UFlat/4");
  EXPECT_EQ(forest.cases, 11);
  EXPECT_EQ(forest_sentence(row, report, Format()),
            "regressed (fail): median +10.0 %, intervals within [+6.00 %, +14.0 %]; the worst is BM_UFlat/4");
}

TEST(Forest, OneThatMovedMuchFurtherHasARowOfItsOwn) {
  const Report report = two_benchmarks({0.08, 0.09, 0.10, 0.9, 0.12, 0.09, 0.1, 0.1, 0.1, 0.1}, GateAction::fail);
  EXPECT_EQ(names_of(forest_of(report, ForestCases::open, 40)), (Names{"BM_UFlat/3", "BM_UFlat: 9 of 12 cases"}));
}

TEST(Forest, WhatFailsIsNotFoldedIntoWhatWarns) {
  Report report = two_benchmarks({0.08, 0.09, 0.10, 0.07, 0.12, 0.09, 0.1, 0.1, 0.1, 0.1}, GateAction::warn);
  report.findings[0].action = GateAction::fail;
  EXPECT_EQ(names_of(forest_of(report, ForestCases::open, 40)), (Names{"BM_UFlat/0", "BM_UFlat: 9 of 12 cases"}));
}

TEST(Forest, CasesOfOtherGatesAreNotFolded) {
  Report report = two_benchmarks({0.08, 0.09, 0.10, 0.07, 0.12, 0.09, 0.1, 0.1, 0.1, 0.1}, GateAction::fail);
  report.findings[0].own_gate = 0.02;
  EXPECT_EQ(names_of(forest_of(report, ForestCases::open, 40)), (Names{"BM_UFlat: 9 of 12 cases", "BM_UFlat/0"}));
}

TEST(Forest, CasesWithNothingInCommonAreNotFolded) {
  Report report = models::base();
  for (int i = 0; i < 10; ++i)
    report.findings.push_back(
        models::timed("case" + std::to_string(i), Verdict::regressed, GateAction::fail, 1e6, 0.1));
  report.families = families_of(report.findings);
  EXPECT_EQ(forest_of(report, ForestCases::open, 40).rows.size(), 10U);
}

TEST(Forest, AWaivedChangeIsNeitherUndecidedNorQuiet) {
  Report report = mixed();
  for (const std::size_t at : {3U, 6U}) {
    report.findings[at].action = GateAction::pass;
    report.findings[at].waived = true;
  }
  report.findings[6].verdict = Verdict::suspected;
  const Forest forest = forest_of(report, ForestCases::open, 40);
  EXPECT_EQ(names_of(forest), (Names{"fails/more", "warns", "fails", "open/much", "open/little"}));
  EXPECT_EQ(forest_shape_words(forest.rows[3].shape, forest, report, Format()), "waived");
  EXPECT_EQ(forest_verdict(forest.rows[3], report, Format()), "suspected (waived)");
}

TEST(Forest, TheLegendNamesTheShapes) {
  const Report report = mixed();
  const Forest forest = forest_of(report, ForestCases::compared, 40);
  EXPECT_EQ(forest_shape_words(ForestShape::quiet, forest, report, Format()), "within ±5 %");
  Report noted = mixed();
  noted.findings[3].verdict = Verdict::layout;
  noted.findings[3].action = GateAction::note;
  EXPECT_EQ(forest_shape_words(ForestShape::quiet, forest_of(noted, ForestCases::compared, 40), noted, Format()),
            "passes");
}

}  // namespace
}  // namespace torchgate::reports
