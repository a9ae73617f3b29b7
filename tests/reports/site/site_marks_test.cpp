// SPDX-License-Identifier: Apache-2.0
#include "reports/site/site_marks.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reports/time_scale.hpp"
#include "tests/reports/site_models.hpp"

namespace torchgate::reports {
namespace {

using models::site_commit;
using models::site_time;

std::vector<std::string> texts_of(const SiteMarks& marks) {
  std::vector<std::string> texts;
  for (const HistoryMark& mark : marks.marks) texts.push_back(std::to_string(mark.run) + " " + mark.text);
  return texts;
}

TEST(SiteMarks, AreReleasesPinsAndOtherVersionsInTheOrderOfTheRuns) {
  History history = models::stepped_history("a/b", {});
  history.versions = {{0, "LibTorch", "2.4.0", ""}, {12, "LibTorch", "2.5.0", "2.4.0"}, {99, "torchgate", "2", "1"}};
  Site site = models::site_with({});
  site.releases = {{site_commit(20), "v1.0"}, {site_commit(1000), "of no run"}};
  site.pins = {{site_commit(20), "stable"}, {site_commit(5), "v0.9"}, {site_commit(20), "v1.0"}};
  EXPECT_EQ(texts_of(site_marks(history, site)),
            (std::vector<std::string>{"5 pin v0.9", "12 LibTorch 2.5.0 (before: 2.4.0)", "20 release v1.0",
                                      "20 pin stable", "20 pin v1.0"}));
}

TEST(SiteMarks, StandAtTheFirstRunOfTheirCommit) {
  History history = models::stepped_history("a/b", {});
  history.runs[21].commit = site_commit(20);
  history.runs[22].commit.reset();
  Site site = models::site_with({});
  site.releases = {{site_commit(20), "v1.0"}};
  EXPECT_EQ(texts_of(site_marks(history, site)), (std::vector<std::string>{"20 release v1.0"}));
}

TEST(SiteMarks, OfManyTheNewestAreShown) {
  History history = models::stepped_history("a/b", {});
  for (std::size_t i = 1; i < 60; ++i)
    history.versions.push_back({i, "LibTorch", std::to_string(i), std::to_string(i - 1)});
  const SiteMarks marks = site_marks(history, models::site_with({}));
  EXPECT_EQ(marks.marks.size(), 59U);
  EXPECT_EQ(marks.newest().size(), most_marks);
  EXPECT_EQ(marks.older(), 59 - most_marks);
  EXPECT_EQ(marks.newest().back().run, 59U);
  EXPECT_EQ(SiteMarks{}.older(), 0U);
}

TEST(SiteMarks, WaiversAreThoseOfTheCaseAndTheMetric) {
  const History history = models::stepped_history("a/b", {});
  Site site = models::site_with({});
  site.waivers = {{"a/b", "time", "", "", "2026-03-31", 0.1, "one"},
                  {"a/c", "time", "", "", "2026-03-31", 0.1, "another case"},
                  {"a/b", "peak_bytes", "", "", "2026-03-31", 0.1, "another metric"}};
  const SiteMarks marks = site_marks(history, site);
  ASSERT_EQ(marks.waivers.size(), 1U);
  EXPECT_EQ(marks.waivers[0].waiver->reason, "one");
}

TEST(SiteMarks, AWaiverBeginsWithItsCommitAndEndsAfterItsLastDay) {
  const History history = models::stepped_history("a/b", {});
  Site site = models::site_with({});
  site.waivers = {{"a/b", "time", site_commit(40).substr(0, 12), "2026-01-02", "2026-03-31", 0.1, "of a run"},
                  {"a/b", "time", site_commit(1000), "2026-01-02", "2026-03-31", 0.1, "of a commit without a run"},
                  {"a/b", "time", "", "", "never", 0.1, "of nothing that is known"}};
  const SiteMarks marks = site_marks(history, site);
  ASSERT_EQ(marks.waivers.size(), 3U);
  EXPECT_EQ(day_of(marks.waivers[0].from.value_or(0)), site_time(40).substr(0, 10));
  EXPECT_EQ(marks.waivers[0].until, seconds_of_day("2026-04-01"));
  EXPECT_EQ(marks.waivers[1].from, seconds_of_day("2026-01-02"));
  EXPECT_FALSE(marks.waivers[2].from);
  EXPECT_FALSE(marks.waivers[2].until);
  EXPECT_EQ(waiver_bands(marks.waivers).size(), 2U);
}

TEST(SiteMarks, AWaiverOfOneCommitBeginsWithItsChangeAndIsNotDrawnWithoutOne) {
  const History history = models::stepped_history("a/b", {});
  Site site = models::site_with({});
  site.waivers = {
      {"a/b", "time", site_commit(1000), "2026-01-02", "2026-03-31", 0.1, "merged", true, {site_commit(41)}},
      {"a/b", "time", site_commit(1001), "", "2026-03-31", 0.1, "squashed", true, {}},
      {"a/b", "time", site_commit(1002), "2026-01-02", "2026-03-31", 0.1, "never merged", true, {}},
      {"a/b", "time", site_commit(40), "2026-01-02", "2026-03-31", 0.1, "of a run", true, {site_commit(1000)}}};
  const SiteMarks marks = site_marks(history, site);
  ASSERT_EQ(marks.waivers.size(), 4U);
  EXPECT_EQ(day_of(marks.waivers[0].from.value_or(0)), site_time(41).substr(0, 10));
  const auto bands = waiver_bands(marks.waivers);
  ASSERT_EQ(bands.size(), 1U);
  EXPECT_NE(bands[0].text.find("merged"), std::string::npos);
}

TEST(SiteMarks, WaiverWords) {
  EXPECT_EQ(waiver_words({"a/b", "time", "", "", "2026-03-31", 0.12, "exact erf"}),
            "waiver until 2026-03-31 of at most +12.0 %: exact erf");
  EXPECT_EQ(waiver_words({"a/b", "time", "", "", "2026-03-31", {}, "gone"}),
            "waiver until 2026-03-31 of a missing case: gone");
  EXPECT_EQ(waiver_words({"a/b", "time", std::string(40, 'c'), "", "2026-03-31", 0.12, "exact erf", true, {}}),
            "waiver until 2026-03-31 of at most +12.0 %, for commit cccccccccccc: exact erf");
}

}  // namespace
}  // namespace torchgate::reports
