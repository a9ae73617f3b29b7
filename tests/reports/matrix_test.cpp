// SPDX-License-Identifier: Apache-2.0
#include "reports/matrix.hpp"

#include <gtest/gtest.h>

#include "reports/formats/matrix_formats.hpp"
#include "tests/reports/model_parts.hpp"
#include "tests/reports/upgrade_models.hpp"

namespace torchgate::reports {
namespace {

TEST(Matrix, HasARowForEachCaseAndTheWorstFirst) {
  const Matrix matrix = models::two_versions();
  ASSERT_EQ(matrix.columns.size(), 2U);
  ASSERT_EQ(matrix.rows.size(), 4U);
  EXPECT_EQ(matrix.rows[0].case_name, "fusion/conv_bn/eager/device:cpu/batch:8") << "the one that fails";
  for (const MatrixRow& row : matrix.rows) EXPECT_EQ(row.cells.size(), 2U);
  EXPECT_EQ(matrix.rows[0].cells[0]->verdict, Verdict::equivalent);
  EXPECT_EQ(matrix.rows[0].cells[1]->verdict, Verdict::regressed);
}

TEST(Matrix, IsAsBadAsItsWorstColumn) {
  const Matrix matrix = models::two_versions();
  EXPECT_EQ(matrix.columns[0].outcome, Outcome::pass);
  EXPECT_EQ(matrix.outcome, Outcome::fail);
  Report none;
  Report pass;
  pass.outcome = Outcome::pass;
  EXPECT_EQ(matrix_of("a", {{"b", pass}, {"c", none}}).outcome, Outcome::no_verdict);
  EXPECT_EQ(matrix_of("a", {{"b", pass}}).outcome, Outcome::pass);
}

TEST(Matrix, APassThatDecidedLittleIsWeak) {
  Report clear;
  clear.outcome = Outcome::pass;
  Report weak = clear;
  weak.decided.cases = 3;
  const Matrix matrix = matrix_of("a", {{"b", clear}, {"c", weak}});
  EXPECT_EQ(matrix.outcome, Outcome::pass);
  EXPECT_TRUE(matrix_text(matrix, {}).starts_with("PASS (weak)  2 versions")) << matrix_text(matrix, {});
  EXPECT_TRUE(matrix_markdown(matrix, {}).starts_with("## PASS (weak): "));
  EXPECT_NE(matrix_html(matrix).find("<p class=\"outcome warn\">PASS (weak)</p>"), std::string::npos);
  EXPECT_EQ(matrix_columns(matrix, Format()).rows[0][1], "pass");
  EXPECT_EQ(matrix_columns(matrix, Format()).rows[1][1], "pass (weak)");
  EXPECT_TRUE(matrix_text(matrix_of("a", {{"b", clear}}), {}).starts_with("PASS  1 version"));
  Report fail;
  fail.outcome = Outcome::fail;
  EXPECT_FALSE(is_weak(matrix_of("a", {{"b", fail}, {"c", weak}})));
}

// "fail" beside "slower 0" would contradict the report of the two sides.
TEST(Matrix, ASuspectThatFailsIsCountedAsSlower) {
  Report report;
  report.outcome = Outcome::fail;
  report.findings = {models::timed("a/fails", Verdict::suspected, GateAction::fail, 1e6, 0.5),
                     models::timed("a/warns", Verdict::suspected, GateAction::warn, 1e6, 0.04)};
  const Table table = matrix_columns(matrix_of("a", {{"b", report}}), Format());
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][1], "fail");
  EXPECT_EQ(table.rows[0][2], "1") << "slower";
  EXPECT_EQ(table.rows[0][5], "1") << "undecided";
  EXPECT_EQ(table.notes.back(), "slower: decided, or suspected and failing");
}

TEST(Matrix, AFallToNothingIsTheLargestChange) {
  Report report;
  for (const auto& [name, change] : {std::pair("a/half", -0.5), std::pair("b/gone", -1.0)}) {
    Finding finding = models::timed(name, Verdict::regressed, GateAction::fail, 1e6, change);
    finding.metric.direction = record::Direction::higher_is_better;
    report.findings.push_back(finding);
  }
  EXPECT_EQ(matrix_of("a", {{"b", report}}).rows.front().case_name, "b/gone");
}

TEST(Matrix, AGrowthFromNothingIsTheLargestChange) {
  Report report;
  report.findings = {models::timed("a/twice", Verdict::regressed, GateAction::fail, 1e6, 1.0),
                     models::timed("b/from_nothing", Verdict::regressed, GateAction::fail, 0, 0)};
  report.findings[1].change.reset();
  report.findings[1].after->value = 300;
  EXPECT_EQ(matrix_of("a", {{"b", report}}).rows.front().case_name, "b/from_nothing");
}

TEST(Matrix, WithoutAVerdictShowsWhatIsUndecidedAndWhy) {
  Report report;
  report.headline = "no case could be judged: 1 process per side";
  Finding finding = models::timed("a/open", Verdict::inconclusive, GateAction::pass, 1e6, 0.3);
  report.findings.push_back(finding);
  const std::string text = matrix_text(matrix_of("a", {{"b", report}, {"c", report}}), {});
  EXPECT_NE(text.find("0 of 1 case changed"), std::string::npos) << text;
  EXPECT_NE(text.find("; 1 undecided"), std::string::npos) << text;
  EXPECT_NE(text.find("a/open"), std::string::npos) << text;
  EXPECT_NE(text.find("b, c: no case could be judged: 1 process per side"), std::string::npos) << text;
  EXPECT_EQ(text.find("did not change in any column"), std::string::npos) << text;
}

// gate.inconclusive = "fail": the table names the case.
TEST(Matrix, ShowsAnUndecidedCaseThatFails) {
  Report report;
  report.outcome = Outcome::fail;
  report.headline = "a/open: inconclusive";
  report.findings.push_back(models::timed("a/open", Verdict::inconclusive, GateAction::fail, 1e6, 0.3));
  report.findings.push_back(models::timed("a/other", Verdict::inconclusive, GateAction::pass, 1e6, 0.3));
  const std::string text = matrix_text(matrix_of("a", {{"b", report}}), {});
  EXPECT_NE(text.find("a/open"), std::string::npos) << text;
  EXPECT_NE(text.find("? (fails)"), std::string::npos) << text;
  EXPECT_EQ(text.find("a/other"), std::string::npos) << text;
  EXPECT_NE(text.find("1 case undecided in at least one column"), std::string::npos) << text;
  EXPECT_EQ(text.find("a/open: inconclusive"), std::string::npos) << text;
}

// gate.claim_broken = "fail": a broken claim has no row.
TEST(Matrix, SaysWhyAColumnFailsInWhichNoCaseDoes) {
  Report broken;
  broken.outcome = Outcome::fail;
  broken.headline = "claim broken: a/fused is at most 0.5 of a/plain";
  broken.findings.push_back(models::timed("a/plain", Verdict::equivalent, GateAction::pass, 1e6, 0.0));
  Report slower = broken;
  slower.headline = "a/plain: regressed";
  slower.findings.front() = models::timed("a/plain", Verdict::regressed, GateAction::fail, 1e6, 0.3);
  const std::string text = matrix_text(matrix_of("a", {{"b", slower}, {"c", broken}}), {});
  EXPECT_NE(text.find("c: claim broken: a/fused is at most 0.5 of a/plain"), std::string::npos) << text;
  EXPECT_EQ(text.find("b: a/plain"), std::string::npos) << text;
}

TEST(Matrix, AMetricThatFailsHasARow) {
  Report report;
  report.outcome = Outcome::fail;
  report.findings.push_back(models::timed("a/rate", Verdict::equivalent, GateAction::pass, 1e6, 0.0));
  Finding rate = models::timed("a/rate", Verdict::suspected, GateAction::fail, 1e6, -0.5);
  rate.metric.name = "items_per_second";
  rate.metric.primary = false;
  report.findings.push_back(rate);
  const Matrix matrix = matrix_of("a", {{"b", report}});
  ASSERT_EQ(matrix.rows.size(), 2U);
  EXPECT_FALSE(matrix.rows[0].is_primary);
  EXPECT_NE(matrix_headline(matrix).find("1 of 1 case changed"), std::string::npos) << matrix_headline(matrix);
  const Table table = matrix_table(matrix, Format(), false);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][0], "a/rate items_per_second");
  for (const std::string& note : table.notes) EXPECT_EQ(note.find("did not change"), std::string::npos) << note;
}

TEST(Matrix, NamesTheLibtorchOfEachColumn) {
  const Matrix matrix = models::two_versions();
  EXPECT_EQ(matrix.reference_libtorch, "2.11.0");
  EXPECT_EQ(matrix.columns[0].libtorch, "2.13.0");
  EXPECT_EQ(matrix_headline(matrix),
            "2 versions compared with v2.11 (2.11.0): 3 of 4 cases changed, may have changed or could not be "
            "compared in at least one of them; 1 undecided");
}

TEST(Matrix, MarksEachCellWithItsVerdict) {
  const Table table = matrix_table(models::two_versions(), Format(), true);
  EXPECT_EQ(table.columns, (std::vector<std::string>{"case", "v2.11 (2.11.0)", "v2.13 (2.13.0)", "v2.15 (2.15.0)"}));
  const auto row_of = [&](const std::string& name) {
    for (const auto& row : table.rows)
      if (row.front() == name) return row;
    return std::vector<std::string>();
  };
  EXPECT_EQ(row_of("fusion/gelu/fused/device:cpu"),
            (std::vector<std::string>{"fusion/gelu/fused/device:cpu", "2.200 ms", "-3.10 % faster", "-0.20 % ="}));
  EXPECT_EQ(row_of("dataloader/disk/workers:4"),
            (std::vector<std::string>{"dataloader/disk/workers:4", "4.000 ms", "+2.00 % ?", "+1.00 % ?"}));
  EXPECT_EQ(row_of("compile/packages"), (std::vector<std::string>{"compile/packages", "–", "missing", "–"}))
      << "the second column does not have it";
}

TEST(Matrix, CountsTheCasesThatItLeavesOut) {
  const Table table = matrix_table(models::two_versions(), Format(), false);
  EXPECT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.notes.back(),
            "1 case undecided in at least one column, and changed in none: see --verbose or --format json");
}

// Nothing is known of whether it changed.
TEST(Matrix, CountsNewCasesApartFromThoseThatDidNotChange) {
  Report report;
  report.findings = {models::timed("a/same", Verdict::equivalent, GateAction::pass, 1e6, 0.0),
                     models::timed("a/new", Verdict::new_case, GateAction::note, 1e6, 0.0),
                     models::timed("a/skipped", Verdict::skipped, GateAction::note, 1e6, 0.0)};
  report.findings[1].before.reset();
  Report without = report;
  without.findings.resize(1);
  const Table table = matrix_table(matrix_of("a", {{"b", without}, {"c", report}}), Format(), false);
  ASSERT_GE(table.notes.size(), 2U);
  EXPECT_EQ(table.notes[table.notes.size() - 2],
            "2 cases compared in no column, being new or skipped: see --verbose or --format json");
  EXPECT_EQ(table.notes.back(), "1 case did not change in any column: see --verbose or --format json");
}

TEST(Matrix, OfPairsHasNoCommonReference) {
  Report pairs;
  pairs.paired = true;
  pairs.upgrade.emplace();
  pairs.upgrade->before = "2.11.0";
  pairs.upgrade->after = "2.15.0";
  const Matrix matrix = matrix_of("before", {{"first", pairs}, {"second", pairs}});
  EXPECT_TRUE(matrix.paired);
  EXPECT_EQ(matrix_table(matrix, Format(), true).columns,
            (std::vector<std::string>{"case", "first (2.15.0)", "second (2.15.0)"}));
}

}  // namespace
}  // namespace torchgate::reports
