// SPDX-License-Identifier: Apache-2.0
// The pages of a site, byte for byte, and what holds for every page.
#include <gtest/gtest.h>

#include <string>

#include "reports/site/index_page.hpp"
#include "reports/site/site.hpp"
#include "tests/golden/golden.hpp"
#include "tests/reports/site_models.hpp"

namespace torchgate::reports {
namespace {

/// The page whose name starts with START.
std::string page_of(const Site& site, const std::string& start) {
  for (const SitePage& page : render_site(site)) {
    if (page.file.starts_with(start)) return page.text;
  }
  return "no page " + start;
}

TEST(GoldenSite, FirstPage) {
  EXPECT_TRUE(golden::matches(index_page(models::example_site()), "reports/site/index.html"));
  EXPECT_TRUE(golden::matches(index_page(models::quiet_site()), "reports/site/quiet.html"));
}

TEST(GoldenSite, PageOfACase) {
  EXPECT_TRUE(golden::matches(page_of(models::example_site(), "case-fusion-gelu"), "reports/site/case.html"));
  EXPECT_TRUE(golden::matches(page_of(models::example_site(), "case-models-gpt2"), "reports/site/waived.html"));
}

TEST(GoldenSite, PageOfASuite) {
  EXPECT_TRUE(golden::matches(page_of(models::example_site(), "suite-models"), "reports/site/suite.html"));
}

TEST(GoldenSite, FirstPageListsTwentyAndCountsTheOthers) {
  std::vector<History> histories;
  for (int i = 0; i < 30; ++i)
    histories.push_back(models::stepped_history("a/" + std::to_string(i), {{40, 1.1 + 0.01 * i}}));
  const std::string page = index_page(models::site_with(histories));
  EXPECT_NE(page.find("30 of 30 cases became slower"), std::string::npos);
  EXPECT_NE(page.find(">a/29<"), std::string::npos);
  EXPECT_NE(page.find(">a/10<"), std::string::npos);
  EXPECT_EQ(page.find(">a/9<"), std::string::npos);
  EXPECT_NE(page.find("10 more changes of less importance"), std::string::npos);
}

// Seven runs that are 8 % slower are an alert: too few for a level change, and not "as fast as ever".
TEST(GoldenSite, SaysWhereTheNewestRunsAreWorse) {
  History worse = models::stepped_history("a/worse", {});
  for (std::size_t i = worse.runs.size() - 7; i < worse.runs.size(); ++i) worse.runs[i].value *= 1.08;
  worse.runs.back().value = 216'000;
  worse.runs.back().watch = HistoryWatch{9.5, true, true, true};
  const Site site = models::site_with({worse, models::stepped_history("a/same", {})});
  const std::string page = index_page(site);
  EXPECT_NE(page.find("No case became slower"), std::string::npos);
  EXPECT_NE(page.find("The newest runs of 1 case are worse, too few yet for a level:"), std::string::npos);
  EXPECT_NE(page.find("<code>a/worse</code></a> 200.0 µs → 216.0 µs</li>"), std::string::npos);
  EXPECT_EQ(page.find("<code>a/same</code>"), std::string::npos);
  const std::string of_case = page_of(site, "case-a-worse");
  EXPECT_NE(of_case.find("level 200.0 µs, newest run 216.0 µs"), std::string::npos);
  EXPECT_NE(of_case.find("The newest runs are worse, too few yet for a level."), std::string::npos);
  EXPECT_EQ(page_of(site, "case-a-same").find("newest runs are worse"), std::string::npos);
  EXPECT_NE(page_of(site, "suite-a").find("newest runs worse"), std::string::npos);
}

TEST(GoldenSite, SaysOfAWeightedMeanThatItIsOne) {
  History outlier = models::stepped_history("a/outlier", {});
  outlier.runs.back().value = 199'000;
  outlier.runs.back().watch = HistoryWatch{-0.4, false, false, true};
  const Site site = models::site_with({outlier});
  const std::string page = index_page(site);
  EXPECT_NE(page.find("mean of the level's first runs in 1 case; one run far out is enough for that:"),
            std::string::npos);
  EXPECT_EQ(page.find("are worse"), std::string::npos);
  EXPECT_EQ(page.find("199.0 µs"), std::string::npos);
  EXPECT_NE(
      page_of(site, "case-a-outlier").find("<p class=\"quiet\">The weighted mean of the newest runs is worse than"),
      std::string::npos);
  EXPECT_EQ(page_of(site, "suite-a").find("newest runs worse"), std::string::npos);
}

TEST(GoldenSite, ARangeWithoutCommitsIsSaidAndNotCompared) {
  Site site = models::example_site();
  site.ranges = {{{models::site_commit(47), models::site_commit(48)}, SiteRange{}}};
  const std::string reversed = models::site_commit(47) + "..." + models::site_commit(48);
  const std::string page = index_page(site);
  EXPECT_NE(page.find("<td>none: <a href"), std::string::npos);
  EXPECT_NE(page.find("</a> is not after <a href"), std::string::npos);
  EXPECT_EQ(page.find(reversed), std::string::npos);
  EXPECT_EQ(page_of(site, "case-fusion-gelu").find(reversed), std::string::npos);
}

TEST(GoldenSite, ASlowRecoveryHasTheDayByWhichItIsKnown) {
  const std::string page = page_of(models::site_with({models::slow_recovery(140)}), "case-a-b");
  EXPECT_NE(page.find("recovered gradually by 2026-07-19"), std::string::npos);
}

TEST(GoldenSite, TheAxisIsDescribedAsItIs) {
  Site site = models::example_site();
  for (History& history : site.hosts[0].histories) {
    if (history.case_name.starts_with("models/")) history.runs[3].created = "not a time";
  }
  const std::string equal_steps = page_of(site, "case-models-gpt2");
  EXPECT_NE(equal_steps.find("Runs in equal steps: "), std::string::npos);
  EXPECT_EQ(equal_steps.find("shaded: waivers"), std::string::npos);
  EXPECT_NE(page_of(site, "suite-models").find("Runs at their times, in equal steps where "), std::string::npos);
  EXPECT_NE(page_of(site, "case-fusion-gelu").find("Runs at their times. "), std::string::npos);
}

TEST(GoldenSite, NamesAndMessagesAreInert) {
  for (const SitePage& page : render_site(models::hostile_site())) {
    if (!page.file.ends_with(".html")) continue;
    for (const char* const markup : {"<script>a", "<b>", "<i>", "</td><script>", "</li><script>", "\"onload", "\033"})
      EXPECT_EQ(page.text.find(markup), std::string::npos) << page.file << " has " << markup;
  }
}

TEST(GoldenSite, TheSameSiteHasTheSamePages) {
  const auto once = render_site(models::example_site());
  const auto twice = render_site(models::example_site());
  ASSERT_EQ(once.size(), twice.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].file, twice[i].file);
    EXPECT_EQ(once[i].text, twice[i].text);
  }
  EXPECT_EQ(once.front().file, "index.html");
}

}  // namespace
}  // namespace torchgate::reports
