// SPDX-License-Identifier: Apache-2.0
// Every situation in every format, byte for byte.
#include <gtest/gtest.h>

#include <utility>

#include "reports/formats/html.hpp"
#include "reports/formats/registry.hpp"
#include "tests/golden/golden.hpp"
#include "tests/reports/golden_page.hpp"
#include "tests/reports/html_models.hpp"
#include "tests/reports/models.hpp"

namespace torchgate::reports {
namespace {

class GoldenReport : public ::testing::TestWithParam<models::Named> {};

TEST_P(GoldenReport, InEveryFormat) {
  for (const ReportFormat& format : formats_of<Report>()) {
    std::string text = format.render(GetParam().report, {});
    if (format.name == "html") text = golden_page(std::move(text));
    EXPECT_TRUE(golden::matches(text, "reports/" + GetParam().name + std::string(format.extension)));
  }
}

/// All but the long one, which is about the limit of Markdown: see below.
std::vector<models::Named> short_ones() {
  std::vector<models::Named> named = models::all();
  std::erase_if(named, [](const models::Named& model) { return model.name == "five_hundred_rows"; });
  return named;
}

INSTANTIATE_TEST_SUITE_P(Situations, GoldenReport, ::testing::ValuesIn(short_ones()),
                         [](const auto& situation) { return situation.param.name; });

TEST(GoldenHtml, WithDrawings) {
  EXPECT_TRUE(golden::matches(golden_page(render_html(models::with_drawings())), "reports/with_drawings.html"));
}

TEST(GoldenTerminal, EightyColumnsColoredAndVerbose) {
  const TerminalOptions options{.width = 80, .color = true, .verbose = true};
  EXPECT_TRUE(golden::matches(render_terminal(models::all_pass(), options), "reports/terminal_80_color_verbose.txt"));
}

TEST(GoldenTerminal, WideAscii) {
  const TerminalOptions options{.width = 140, .unicode = false};
  EXPECT_TRUE(
      golden::matches(render_terminal(models::confirmed_regression(), options), "reports/terminal_140_ascii.txt"));
}

TEST(GoldenMarkdown, FiveHundredRows) {
  EXPECT_TRUE(golden::matches(render_markdown(models::five_hundred_rows()), "reports/five_hundred_rows.md"));
}

TEST(GoldenMarkdown, AShortLimitKeepsTheVerdictAndTheWorstRows) {
  EXPECT_TRUE(
      golden::matches(render_markdown(models::five_hundred_rows(), {.limit_bytes = 3000}), "reports/limit_3000.md"));
}

}  // namespace
}  // namespace torchgate::reports
