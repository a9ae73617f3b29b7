// SPDX-License-Identifier: Apache-2.0
// What a comment shows without a click.
#include <gtest/gtest.h>

#include <algorithm>

#include "reports/formats/markdown.hpp"
#include "tests/reports/models.hpp"
#include "tests/reports/read_back.hpp"

namespace torchgate::reports {
namespace {

/// Lines outside of folded blocks, and the line of each block that unfolds it.
std::vector<std::string> visible_lines(const std::string& markdown) {
  std::vector<std::string> visible;
  int depth = 0;
  for (const std::string& line : lines_of(markdown)) {
    if (line.starts_with("<details")) {
      if (depth == 0) visible.push_back(line);
      ++depth;
    } else if (line == "</details>") {
      --depth;
    } else if (depth == 0 && !line.empty()) {
      visible.push_back(line);
    }
  }
  EXPECT_EQ(depth, 0);
  return visible;
}

TEST(FirstScreen, OfACommentThatPassesHasEightLines) {
  std::size_t passing = 0;
  for (models::Named& model : models::all()) {
    if (model.report.outcome != Outcome::pass) continue;
    ++passing;
    for (int i = 0; i < 10; ++i) model.report.doubts.emplace_back("doubt " + std::to_string(i));
    EXPECT_LE(visible_lines(render_markdown(model.report)).size(), 8U) << model.name;
  }
  EXPECT_GT(passing, 3U);
}

TEST(FirstScreen, SaysThatThereAreWarnings) {
  const auto lines = visible_lines(render_markdown(models::below_gate()));
  EXPECT_EQ(lines.back(), "<details><summary>⚠️ 1 warning. What was compared, next steps, all cases</summary>");
  EXPECT_EQ(visible_lines(render_markdown(models::all_pass())).back(),
            "<details><summary>What was compared, next steps, all cases</summary>");
}

TEST(FirstScreen, OfACommentThatFailsHasTheForestAndTheTable) {
  const auto lines = visible_lines(render_markdown(models::confirmed_regression()));
  const auto forest = std::find(lines.begin(), lines.end(), "```");
  const auto table =
      std::find_if(lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("| verdict"); });
  ASSERT_NE(forest, lines.end());
  ASSERT_NE(table, lines.end());
  EXPECT_LT(forest - lines.begin(), table - lines.begin());
}

TEST(ClaimsNotMeasured, AreOneLine) {
  Report report = models::all_pass();
  for (int i = 0; i < 20; ++i) {
    ClaimFinding claim = report.claims.front();
    claim.state = ClaimState::not_measured;
    claim.case_name = "left/out/" + std::to_string(i);
    report.claims.push_back(claim);
  }
  const std::string markdown = render_markdown(report);
  EXPECT_NE(markdown.find("\n20 claims were not measured: `left/out/0`, `left/out/1`, `left/out/2` and 17 more.\n"),
            std::string::npos);
  EXPECT_EQ(markdown.find("left/out/3"), std::string::npos);
  EXPECT_NE(markdown.find("Claims: 1 holds, 20 not measured"), std::string::npos);
  // Without any other claim there is no table.
  report.claims.erase(report.claims.begin());
  EXPECT_NE(render_markdown(report).find("<details><summary>Claims: 20 not measured</summary>\n\n20 claims"),
            std::string::npos);
}

}  // namespace
}  // namespace torchgate::reports
