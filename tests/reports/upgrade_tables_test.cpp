// SPDX-License-Identifier: Apache-2.0
#include "reports/upgrade_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reports/case_group.hpp"
#include "reports/formats/table_formats.hpp"
#include "tests/reports/hostile_names.hpp"
#include "tests/reports/model_parts.hpp"
#include "tests/reports/read_back.hpp"
#include "tests/reports/upgrade_models.hpp"

namespace torchgate::reports {
namespace {

// Ratios 1.1, 0.5 and, of a rate that doubled, 0.5: (1.1 * 0.25)^(1/3).
TEST(CaseGroup, CountsVerdictsAndMultipliesRatios) {
  const Finding slower = models::timed("a", Verdict::regressed, GateAction::fail, 1e6, 0.1);
  const Finding faster = models::timed("b", Verdict::improved, GateAction::pass, 1e6, -0.5);
  Finding rate = models::timed("c", Verdict::inconclusive, GateAction::note, 100, 1.0);
  rate.metric.direction = record::Direction::higher_is_better;
  const Finding missing = models::without_numbers("d", Verdict::missing, GateAction::fail, "gone");
  const CaseGroup group = group_of("fusion", {&slower, &faster, &rate, &missing});
  EXPECT_EQ(group.name, "fusion");
  EXPECT_EQ(group.slower, 1);
  EXPECT_EQ(group.faster, 1);
  EXPECT_EQ(group.undecided, 1);
  EXPECT_EQ(group.equal, 0);
  EXPECT_EQ(group.not_compared, 1);
  EXPECT_EQ(group.compared(), 3);
  ASSERT_TRUE(group.mean_change);
  EXPECT_NEAR(*group.mean_change, std::cbrt(1.1 * 0.25) - 1, 1e-12);
}

TEST(CaseGroup, HasNoMeanWithoutAChange) {
  Finding unknown = models::timed("a", Verdict::unchanged, GateAction::pass, 1e6, 0);
  unknown.change.reset();
  Finding endless = models::timed("b", Verdict::inconclusive, GateAction::note, 1e6, -1);
  const CaseGroup group = group_of("", {&unknown, &endless});
  EXPECT_EQ(group.equal, 1);
  EXPECT_EQ(group.undecided, 1);
  EXPECT_FALSE(group.mean_change);
  EXPECT_FALSE(group_of("", {}).mean_change);
}

TEST(UpgradeTables, LeaveOutColumnsAndTablesThatSayNothing) {
  const Upgrade upgrade = *models::upgrade_without_records().upgrade;
  const auto tables = upgrade_tables(upgrade, Format());
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].columns, (std::vector<std::string>{"suite", "time", "slower", "faster", "equal", "undecided"}));
  ASSERT_EQ(tables[0].rows.size(), 1U) << "one suite needs no sum";
  EXPECT_EQ(tables[0].rows[0], (std::vector<std::string>{"BM", "+0.20 %", "0", "0", "1", "0"}));
  EXPECT_EQ(upgrade_title(upgrade, Format()), "Another LibTorch on the same code");
}

TEST(UpgradeTables, SayWhatIsNotKnown) {
  const auto sentences = upgrade_sentences(*models::upgrade_without_records().upgrade, Format());
  EXPECT_TRUE(std::any_of(sentences.begin(), sentences.end(),
                          [](const auto& each) { return each.starts_with("results: not known"); }));
  EXPECT_TRUE(std::any_of(sentences.begin(), sentences.end(),
                          [](const auto& each) { return each.starts_with("operators: not known"); }));
}

TEST(UpgradeTables, SumAllSuitesInTheLastRow) {
  const auto tables = upgrade_tables(*models::libtorch_upgrade().upgrade, Format());
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(tables[0].rows.back().front(), "all");
  EXPECT_EQ(tables[1].rows[1].back(), "7 → 5") << "calls of aten::copy_";
}

TEST(TableFormats, KeepToTheWidthAndCountTheRowsLeftOut) {
  Table table{"T", {"name", "value"}, {}, {}};
  for (int i = 0; i < 30; ++i) table.rows.push_back({std::string(200, 'x'), "+1.00 %"});
  const std::string text = table_text(table, Notation::ascii, 80, 20);
  EXPECT_NE(text.find("  10 more: see --verbose or --format json\n"), std::string::npos) << text;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; begin = end + 1, end = text.find('\n', begin))
    EXPECT_LE(end - begin, 80U);
}

TEST(TableFormats, MakeHostileNamesInert) {
  Table table{"T", {"name", "value"}, {}, {}};
  for (const std::string& name : models::hostile_names_corpus()) table.rows.push_back({name, name});
  const Section section = table_section(table, 1, 1, true);
  ASSERT_EQ(section.rows.size(), table.rows.size());
  for (const std::string& row : section.rows) {
    EXPECT_EQ(cells_in_row(row, false), 2U) << row;
    EXPECT_EQ(std::count(row.begin(), row.end(), '\n'), 1) << row;
  }
  EXPECT_EQ(table_html(table).find("<script"), std::string::npos);
  EXPECT_EQ(table_text(table, Notation::unicode, 80, 100).find('\x1B'), std::string::npos);
}

}  // namespace
}  // namespace torchgate::reports
