// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/terminal.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reports/columns.hpp"
#include "tests/reports/models.hpp"
#include "tests/reports/read_back.hpp"

namespace torchgate::reports {
namespace {

std::string without_colors(std::string text) {
  for (const char* code : {"\033[1;31m", "\033[33m", "\033[32m", "\033[1m", "\033[0m"}) {
    for (std::size_t at = 0; (at = text.find(code, at)) != std::string::npos;)
      text.erase(at, std::string_view(code).size());
  }
  return text;
}

TEST(Terminal, NoLineIsWiderThanTheTerminal) {
  for (const models::Named& model : models::all()) {
    for (const std::size_t width : {60U, 80U, 100U, 120U, 140U}) {
      for (const bool unicode : {true, false}) {
        const std::string text = render_terminal(model.report, {.width = width, .verbose = true, .unicode = unicode});
        for (const std::string& line : lines_of(text))
          EXPECT_LE(display_width(line), width) << model.name << ": " << line;
      }
    }
  }
}

TEST(Terminal, ATerminalWithoutAWidthIsStillReadable) {
  EXPECT_EQ(render_terminal(models::all_pass(), {.width = 0}), render_terminal(models::all_pass(), {.width = 60}));
}

TEST(Terminal, AsciiMeansAscii) {
  for (const models::Named& model : models::all()) {
    const std::string text = render_terminal(model.report, {.verbose = true, .unicode = false});
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }))
        << model.name;
  }
}

TEST(Terminal, ColorsOnlyRepeatWhatTheWordsSay) {
  for (const models::Named& model : models::all()) {
    const std::string plain = render_terminal(model.report);
    EXPECT_EQ(plain.find('\033'), std::string::npos) << model.name;
    EXPECT_EQ(without_colors(render_terminal(model.report, {.color = true})), plain) << model.name;
  }
}

TEST(Terminal, TheVerdictIsTheFirstWord) {
  EXPECT_EQ(render_terminal(models::all_pass()).rfind("PASS  ", 0), 0U);
  EXPECT_EQ(render_terminal(models::confirmed_regression()).rfind("FAIL  ", 0), 0U);
  EXPECT_EQ(render_terminal(models::no_baseline()).rfind("NO VERDICT  ", 0), 0U);
}

TEST(Terminal, OneRunShowsWhatItMeasured) {
  const std::string text = render_terminal(models::no_baseline());
  EXPECT_NE(text.find("\nMeasured\n"), std::string::npos) << text;
  EXPECT_NE(text.find("12.31 ms"), std::string::npos) << text;
  for (const char* const of_two : {"before  ", "after   ", "not in the baseline", "0+5", "0 cases judged"})
    EXPECT_EQ(text.find(of_two), std::string::npos) << of_two << text;
  const std::string verbose = render_terminal(models::no_baseline(), {.verbose = true});
  EXPECT_NE(verbose.find("12.31 ms"), std::string::npos) << verbose;
  EXPECT_EQ(verbose.find("0+5"), std::string::npos) << verbose;
}

// The end is what a terminal shows of a report that is longer than it.
TEST(Terminal, ALongReportEndsWithTheVerdict) {
  bool any_long = false;
  for (const models::Named& model : models::all()) {
    const std::vector<std::string> lines = lines_of(render_terminal(model.report));
    const bool is_long = lines.size() > 24;
    any_long = any_long || is_long;
    std::size_t head = 0;  // the lines of the headline
    while (!lines.at(head).empty()) ++head;
    const std::vector<std::string> first(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(head));
    const std::vector<std::string> last(lines.end() - static_cast<std::ptrdiff_t>(head), lines.end());
    EXPECT_EQ(first == last, is_long) << model.name;
  }
  EXPECT_TRUE(any_long);
}

TEST(Terminal, DefinitionsAreACommandAwayUnlessAskedFor) {
  const Report report = models::suspected_unconfirmed();
  EXPECT_NE(render_terminal(report).find("`torchgate help verdicts`"), std::string::npos);
  EXPECT_EQ(render_terminal(report).find("number of independent observations"), std::string::npos);
  EXPECT_NE(render_terminal(report, {.verbose = true}).find("number of independent observations"), std::string::npos);
}

TEST(Terminal, QuietCasesAreNamedOnlyWhenAsked) {
  const std::string quiet = "batching/linear/device:cpu/batch:1/width:64";
  EXPECT_EQ(render_terminal(models::all_pass()).find(quiet), std::string::npos);
  EXPECT_NE(render_terminal(models::all_pass(), {.verbose = true}).find(quiet), std::string::npos);
}

TEST(Terminal, ALongNameKeepsItsMetric) {
  Report report = models::exact_change();
  report.findings[0].case_name = std::string(300, 'x');
  EXPECT_NE(render_terminal(report).find("…"), std::string::npos);
  EXPECT_NE(render_terminal(report).find("xx  peak_bytes\n"), std::string::npos);
}

}  // namespace
}  // namespace torchgate::reports
