// SPDX-License-Identifier: Apache-2.0
#include "reports/fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace torchgate::reports {
namespace {

std::function<std::string(std::size_t)> says_more() {
  return [](std::size_t count) { return "(" + std::to_string(count) + " more)\n"; };
}

Section section(int rank, char letter, std::size_t rows, double share = 1) {
  Section made{rank, share, std::string("<") + letter + ">\n", {}, std::string("</") + letter + ">\n", says_more()};
  made.rows.assign(rows, std::string(9, letter) + "\n");
  return made;
}

std::ptrdiff_t rows_of(const std::string& text, char letter) {
  std::ptrdiff_t rows = 0;
  for (std::size_t at = 0; (at = text.find(std::string(9, letter) + "\n", at)) != std::string::npos; at += 10) ++rows;
  return rows;
}

TEST(Fit, EverythingThatFitsIsPrintedInOrder) {
  EXPECT_EQ(fit({section(2, 'a', 1), section(1, 'b', 2)}, 1000),
            "<a>\naaaaaaaaa\n</a>\n<b>\nbbbbbbbbb\nbbbbbbbbb\n</b>\n");
}

TEST(Fit, ExactlyTheLimitFits) {
  const std::string whole = fit({section(1, 'a', 3)}, 1000);
  EXPECT_EQ(fit({section(1, 'a', 3)}, whole.size()), whole);
  EXPECT_NE(fit({section(1, 'a', 3)}, whole.size() - 1), whole);
}

TEST(Fit, AnEmptySectionPrintsNothing) {
  EXPECT_EQ(fit({section(1, 'a', 0)}, 1000), "");
}

TEST(Fit, WhatIsLeftOutIsCounted) {
  EXPECT_EQ(fit({section(1, 'a', 5)}, 50), "<a>\naaaaaaaaa\naaaaaaaaa\naaaaaaaaa\n</a>\n(2 more)\n");
}

TEST(Fit, UnwrittenRowsAreCountedAsLeftOut) {
  Section some = section(1, 'a', 3);
  some.unwritten = 997;
  EXPECT_EQ(fit({some}, 1000), "<a>\naaaaaaaaa\naaaaaaaaa\naaaaaaaaa\n</a>\n(997 more)\n");
  EXPECT_EQ(fit({some}, 45), "<a>\naaaaaaaaa\naaaaaaaaa\n</a>\n(998 more)\n");
}

TEST(Fit, AFrameIsNotPrintedWithoutRows) {
  EXPECT_EQ(fit({section(1, 'a', 5)}, 12), "(5 more)\n");
}

TEST(Fit, TheMoreImportantSectionGetsTheRoom) {
  const std::string text = fit({section(2, 'a', 10), section(1, 'b', 10)}, 150);
  EXPECT_EQ(rows_of(text, 'b'), 10);
  EXPECT_LT(rows_of(text, 'a'), 10);
}

TEST(Fit, AShareIsAllThatASectionGetsBeforeTheOthers) {
  const std::string text = fit({section(1, 'a', 100, 0.5), section(2, 'b', 100, 0.5)}, 400);
  EXPECT_GT(rows_of(text, 'a'), 10);
  EXPECT_GT(rows_of(text, 'b'), 10);
}

TEST(Fit, ASectionThatWaitsGetsNothingBeforeTheRowsOfTheOther) {
  std::vector<Section> sections = {section(1, 'a', 25, 0.5), section(2, 'b', 30, 0.3), section(3, 'c', 5, 0.2)};
  EXPECT_LT(rows_of(fit(sections, 400), 'a'), 25);
  sections[1].waits_for = 1;
  const std::string text = fit(sections, 400);
  EXPECT_EQ(rows_of(text, 'a'), 25);
  EXPECT_EQ(rows_of(text, 'c'), 5) << "it has its share";
  EXPECT_GT(rows_of(text, 'b'), 0) << "what is left";
}

TEST(Fit, ASectionTakesMoreThanItsShareWhenThereIsRoom) {
  EXPECT_EQ(rows_of(fit({section(1, 'a', 30, 0.1), section(2, 'b', 1, 0.1)}, 400), 'a'), 30);
}

TEST(Fit, NeverMoreThanTheLimitAndNeverHalfARow) {
  const std::vector<Section> sections = {section(1, 'a', 7, 0.5), section(3, 'b', 4, 0.2), section(2, 'c', 9, 0.3)};
  for (std::size_t limit = 0; limit < 300; ++limit) {
    const std::string text = fit(sections, limit);
    EXPECT_LE(text.size(), limit);
    for (const char letter : {'a', 'b', 'c'}) {
      EXPECT_EQ(std::count(text.begin(), text.end(), letter) - 2 * (rows_of(text, letter) > 0 ? 1 : 0),
                9 * rows_of(text, letter))
          << "limit " << limit;
    }
  }
}

TEST(Fit, ALargerLimitNeverPrintsLess) {
  const std::vector<Section> sections = {section(1, 'a', 7), section(2, 'b', 4)};
  for (std::size_t limit = 0; limit < 200; ++limit) {
    EXPECT_LE(rows_of(fit(sections, limit), 'a'), rows_of(fit(sections, limit + 1), 'a')) << limit;
  }
}

}  // namespace
}  // namespace torchgate::reports
