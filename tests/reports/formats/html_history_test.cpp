// SPDX-License-Identifier: Apache-2.0
// The drawing of a history, read back from its SVG.
#include "reports/formats/html_history.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "reports/time_scale.hpp"
#include "tests/reports/site_models.hpp"

namespace torchgate::reports {
namespace {

std::vector<double> numbers_after(const std::string& svg, const std::string& pattern) {
  std::vector<double> numbers;
  const std::regex expression(pattern + "(-?[0-9.]+)");
  for (std::sregex_iterator found(svg.begin(), svg.end(), expression), end; found != end; ++found)
    numbers.push_back(std::stod((*found)[1]));
  return numbers;
}

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

TEST(HistoryDrawing, PointsLieAtTheirTimes) {
  History history = models::stepped_history("a/b", {}, 3);
  history.runs[1].created = models::site_time(3);
  history.runs[2].created = models::site_time(12);
  const auto x = numbers_after(history_svg(history), "<circle class=\"before\" cx=\"");
  ASSERT_EQ(x.size(), 3U);
  EXPECT_DOUBLE_EQ(x[0], 60);
  EXPECT_DOUBLE_EQ(x[1], 220);  // a quarter of the way
  EXPECT_DOUBLE_EQ(x[2], 700);
}

TEST(HistoryDrawing, AChangeIsALineWithALinkWhereThereIsOne) {
  const History history = models::stepped_history("a/b", {{20, 1.1}, {40, 1.2}});
  const std::string plain = history_svg(history);
  EXPECT_EQ(times_in(plain, "<path class=\"change\""), 2U);
  EXPECT_EQ(times_in(plain, "<a "), 0U);
  EXPECT_NE(plain.find("role=\"img\""), std::string::npos);
  HistoryOverlay overlay;
  overlay.change_links = {"", "https://example.org/?a=1&b=\"2\""};
  const std::string linked = history_svg(history, overlay);
  EXPECT_EQ(times_in(linked, "<a href=\"https://example.org/?a=1&amp;b=&quot;2&quot;\"><text"), 1U);
  EXPECT_EQ(times_in(linked, "</text></a>"), 1U);
  EXPECT_NE(linked.find("role=\"group\""), std::string::npos);
}

TEST(HistoryDrawing, AWaiverIsABandFromItsFirstToItsLastDay) {
  const History history = models::stepped_history("a/b", {}, 41);  // 40 days
  const std::int64_t start = *seconds_of_day("2026-01-01") + 3 * 3600 + 15 * 60;
  const std::int64_t day = 86400;
  HistoryOverlay overlay;
  overlay.bands = {{start + 10 * day, start + 20 * day, "inside"},
                   {std::nullopt, start + 4 * day, "from the beginning"},
                   {start + 30 * day, start + 4000 * day, "beyond the newest run"},
                   {start - 20 * day, start - 10 * day, "before the oldest run"},
                   {start + 100 * day, start + 200 * day, "after the newest run"}};
  const std::string svg = history_svg(history, overlay);
  EXPECT_EQ(numbers_after(svg, "<rect class=\"waived\" x=\""), (std::vector<double>{220, 60, 540}));
  EXPECT_EQ(numbers_after(svg, "<rect [^>]* width=\""), (std::vector<double>{160, 64, 160}));
  EXPECT_EQ(svg.find("before the oldest"), std::string::npos);
  EXPECT_EQ(svg.find("after the newest"), std::string::npos);
}

TEST(HistoryDrawing, MarksAreLinesAndTheirLabelsDoNotOverlap) {
  const History history = models::stepped_history("a/b", {}, 41);
  HistoryOverlay overlay;
  for (std::size_t i = 10; i < 20; ++i)
    overlay.marks.push_back({i, HistoryMarkKind::pin, "pin with a long name " + std::to_string(i)});
  overlay.marks.push_back({40, HistoryMarkKind::version, "LibTorch 2.5.0"});
  const std::string svg = history_svg(history, overlay);
  EXPECT_EQ(times_in(svg, "<path class=\"pin\""), 10U);
  EXPECT_EQ(times_in(svg, "<path class=\"version\""), 1U);
  // Four of them have room beside each other, one below the other, and the one at the end.
  EXPECT_EQ(times_in(svg, ">pin with a long name 1"), 4U);
  EXPECT_EQ(times_in(svg, ">LibTorch 2.5.0</text>"), 1U);
  EXPECT_NE(svg.find("; pin with a long name 19 on 2026-01-20"), std::string::npos) << "the description has all";
}

TEST(HistoryDrawing, WithoutUsableTimesHasEqualStepsAndNoBands) {
  History history = models::stepped_history("a/b", {}, 3);
  history.runs[1].created = "yesterday";
  HistoryOverlay overlay;
  overlay.bands = {{std::nullopt, 86400, "waiver"}};
  overlay.marks = {{1, HistoryMarkKind::release, "v1"}, {7, HistoryMarkKind::release, "of no run"}};
  const std::string svg = history_svg(history, overlay);
  EXPECT_EQ(numbers_after(svg, "<circle class=\"before\" cx=\""), (std::vector<double>{60, 380, 700}));
  EXPECT_EQ(times_in(svg, "class=\"waived\""), 0U);
  EXPECT_EQ(times_in(svg, "<path class=\"release\""), 1U);
}

TEST(HistoryDrawing, NothingOfOneRunOrOfNoNumber) {
  EXPECT_EQ(history_svg(models::stepped_history("a/b", {}, 1)), "");
  History history = models::stepped_history("a/b", {}, 3);
  history.runs[2].value = std::nan("");
  EXPECT_EQ(history_svg(history), "");
}

TEST(HistoryDrawing, OfValuesThatAreAllZeroHasNumbers) {
  History history = models::stepped_history("a/b", {}, 3);
  for (HistoryRun& run : history.runs) run.value = 0;
  EXPECT_EQ(history_svg(history).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace torchgate::reports
