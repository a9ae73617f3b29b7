// SPDX-License-Identifier: Apache-2.0
#include "reports/forest_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "reports/columns.hpp"
#include "tests/reports/model_parts.hpp"
#include "tests/reports/models.hpp"

namespace torchgate::reports {
namespace {

std::vector<std::string> texts(const Report& report, const ForestTextOptions& options,
                               ForestCases which = ForestCases::compared) {
  std::vector<std::string> lines;
  for (const ForestLine& line : forest_lines(forest_of(report, which, most_forest_lines), report, options))
    lines.push_back(line.text());
  return lines;
}

Report three_cases() {
  Report report = models::base();
  report.findings = {models::timed("slower", Verdict::regressed, GateAction::fail, 1e6, 0.08),
                     models::timed("open", Verdict::inconclusive, GateAction::note, 1e6, 0.02, 0.5),
                     models::timed("better", Verdict::improved, GateAction::pass, 1e6, -0.1)};
  return report;
}

TEST(ForestText, OneAxisForAllRows) {
  EXPECT_EQ(texts(three_cases(), {.width = 60}),
            (std::vector<std::string>{"                 -25 %        0 %     +25 %  +50 %",
                                      "■ slower                       ┊ ┼■─                 +8.00 %",
                                      "○ open    ←────────────────────┼○┼───────────────    +2.00 %",
                                      "▲ better                  ─▲   ┊ │                   -10.0 %",
                                      "■ fails, ○ undecided, ▲ improved; │ gate +5 %"}));
}

TEST(ForestText, AGateOfItsOwnIsDrawnInItsRowAlone) {
  Report report = three_cases();
  report.findings[1].own_gate = 0.2;
  const auto lines = texts(report, {.width = 60});
  EXPECT_EQ(lines[1], "■ slower                          ┊ ■─               +8.00 %");
  EXPECT_EQ(lines[2].find("┼○┼"), std::string::npos) << lines[2];
  // The gate of the row is where that of all cases is not.
  EXPECT_NE(lines[2].find("○─"), std::string::npos) << lines[2];
  EXPECT_NE(lines[lines.size() - 2].find("│ gate +5 %, own gate"), std::string::npos) << lines[lines.size() - 2];
}

TEST(ForestText, AsciiMeansAscii) {
  for (const models::Named& model : models::all()) {
    for (const std::string& line : texts(model.report, {.width = 80, .unicode = false}))
      EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; })) << line;
  }
}

TEST(ForestText, NoLineIsWiderThanAskedFor) {
  for (const models::Named& model : models::all()) {
    for (const std::size_t width : {40U, 58U, 78U, 88U, 98U, 200U}) {
      for (const std::string& line : texts(model.report, {.width = width}))
        EXPECT_LE(display_width(line), width) << model.name << ": " << line;
    }
  }
}

TEST(ForestText, WhatIsBeyondTheAxisIsAnArrow) {
  Report report = three_cases();
  report.findings[1].interval = Interval{-std::numeric_limits<double>::infinity(), 40, 0.99};
  const auto lines = texts(report, {.width = 60});
  ASSERT_GT(lines.size(), 2U);
  EXPECT_NE(lines[2].find("←"), std::string::npos) << lines[2];
  EXPECT_NE(lines[2].find("→"), std::string::npos) << lines[2];
  EXPECT_EQ(lines[1].find("→"), std::string::npos) << lines[1];
}

TEST(ForestText, AMarkIsNotDrawnWhereTheChangeIsNot) {
  Report report = three_cases();
  report.findings[0] = models::timed("slower", Verdict::regressed, GateAction::fail, 1e6, 90, 1);
  const auto lines = texts(report, {.width = 60});
  ASSERT_GT(lines.size(), 1U);
  EXPECT_EQ(lines[1].find("■", 3), std::string::npos) << lines[1];  // after the one at its beginning
  EXPECT_NE(lines[1].find("→"), std::string::npos) << lines[1];
}

TEST(ForestText, NothingWithoutNumbers) {
  EXPECT_TRUE(texts(models::no_baseline(), {}).empty());
  EXPECT_TRUE(texts(models::failed_wrong_missing(), {}, ForestCases::open).empty());
}

TEST(ForestText, CasesWithoutARowAreCounted) {
  const auto lines = texts(models::five_hundred_rows(), {.width = 80});
  EXPECT_LE(lines.size(), most_forest_lines + 3);
  EXPECT_NE(lines.back().find("more cases"), std::string::npos) << lines.back();
}

}  // namespace
}  // namespace torchgate::reports
