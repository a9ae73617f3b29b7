// SPDX-License-Identifier: Apache-2.0
// At most three doubts on the first screen; the others are counted, and are where the count says.
#include <gtest/gtest.h>

#include "reports/formats/json.hpp"
#include "reports/formats/markdown.hpp"
#include "reports/formats/terminal.hpp"
#include "tests/reports/models.hpp"

namespace torchgate::reports {
namespace {

Report with_doubts(int count) {
  Report report = models::all_pass();
  report.doubts.clear();
  for (int i = 1; i <= count; ++i) report.doubts.emplace_back("doubt number " + std::to_string(i));
  return report;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Doubts, ThreeAreAllShown) {
  const Report report = with_doubts(3);
  for (const std::string& text : {render_terminal(report), render_markdown(report)}) {
    EXPECT_TRUE(has(text, "doubt number 1") && has(text, "doubt number 3")) << text;
    EXPECT_FALSE(has(text, " more doubt") || has(text, "more: see")) << text;
  }
}

TEST(Doubts, OfSevenATerminalShowsThreeAndCountsFour) {
  const Report report = with_doubts(7);
  const std::string text = render_terminal(report);
  EXPECT_TRUE(has(text, "- doubt number 3\n  - and 4 more: see --verbose or --format json\n")) << text;
  EXPECT_FALSE(has(text, "doubt number 4"));
  const std::string verbose = render_terminal(report, {.verbose = true});
  EXPECT_TRUE(has(verbose, "doubt number 7"));
  EXPECT_FALSE(has(verbose, "more: see"));
  EXPECT_TRUE(has(render_json(report), "doubt number 7"));
}

TEST(Doubts, OfFourMarkdownFoldsOne) {
  const std::string text = render_markdown(with_doubts(4));
  EXPECT_TRUE(has(text, "> - doubt number 3\n\n")) << text;
  EXPECT_TRUE(has(text, "<details><summary>⚠️ 1 more doubt</summary>\n\n- doubt number 4\n")) << text;
}

TEST(Doubts, ACommandIsNotCutInTheMiddle) {
  Report report = models::all_pass();
  report.doubts = {std::string(110, 'x') + " have no direction; set it with `--better \"hits=higher\"` (or lower)"};
  const std::string text = render_markdown(report);
  EXPECT_TRUE(has(text, "x have no direction; set it with …\n")) << text;
}

TEST(Doubts, OfALongOneMarkdownShowsALineAboveTheTableAndAllOfItBelow) {
  Report report = models::all_pass();
  const std::string words = "begins " + std::string(300, 'x') + " ends";
  report.doubts = {words};
  const std::string text = render_markdown(report);
  EXPECT_FALSE(has(text, "> - " + words));
  EXPECT_TRUE(has(text, "> - begins xxx")) << text;
  EXPECT_TRUE(has(text, "<details><summary>⚠️ Doubts in full</summary>\n\n- " + words + "\n")) << text;
}

}  // namespace
}  // namespace torchgate::reports
