// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/site/site_cache.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace torchgate::workflow {
namespace {

std::vector<history::RunPoints> two_runs() {
  history::RunPoints first;
  first.run_id = "0000000000000001";
  first.host_key = "host-a";
  first.created = "2026-01-01T00:00:00.000Z";
  first.commit = std::string(40, 'a');
  first.torchgate = "0.1.0";
  first.libtorch = "2.4.0+cpu";
  first.cases = {
      {"g/one", {"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true}, "k1", 13.5, 5},
      {"g/two", {"rate", "1/s", record::Direction::higher_is_better, record::MetricKind::timed, true}, "k2", -7.25, 4}};
  first.cases[1].metric.gated = true;
  first.cases[1].metric.judged = true;
  history::RunPoints second = first;
  second.run_id = "0000000000000002";
  second.commit.reset();
  second.libtorch.clear();
  second.cases.pop_back();
  second.without_value = {"g/three", "g/two"};
  first.is_whole = true;
  return {first, second};
}

TEST(SiteCache, IsReadAsItWasWritten) {
  const std::string text = site_cache_text(two_runs());
  const auto runs = runs_of_site_cache(text);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].torchgate, "0.1.0");
  EXPECT_EQ(runs[0].libtorch, "2.4.0+cpu");
  EXPECT_EQ(runs[0].commit, std::string(40, 'a'));
  ASSERT_EQ(runs[0].cases.size(), 2U);
  EXPECT_EQ(runs[0].cases[0].metric, two_runs()[0].cases[0].metric);
  EXPECT_EQ(runs[0].cases[1].metric, two_runs()[0].cases[1].metric);
  EXPECT_EQ(runs[0].cases[1].worse_log, -7.25);
  EXPECT_EQ(runs[1].libtorch, "");
  EXPECT_FALSE(runs[1].commit);
  EXPECT_TRUE(runs[0].is_whole);
  EXPECT_TRUE(runs[0].without_value.empty());
  EXPECT_FALSE(runs[1].is_whole);
  EXPECT_EQ(runs[1].without_value, two_runs()[1].without_value);
  EXPECT_EQ(site_cache_text(runs), text);
}

TEST(SiteCache, IsExtendedByTheRunsBehindIt) {
  auto runs = two_runs();
  const std::string both = site_cache_text(runs);
  const std::string first = site_cache_text({runs[0]});
  const std::string text = extended_site_cache(first, {runs[1]});
  EXPECT_TRUE(text.starts_with(first));
  EXPECT_EQ(site_cache_text(runs_of_site_cache(text)), both);
  EXPECT_EQ(extended_site_cache(text, {}), text);
  runs[1].cases[0].kind = "k3";
  const auto changed = runs_of_site_cache(extended_site_cache(first, {runs[1]}));
  ASSERT_EQ(changed.size(), 2U);
  EXPECT_EQ(changed[0].cases[0].kind, "k1");
  EXPECT_EQ(changed[1].cases[0].kind, "k3");
}

TEST(SiteCache, KeepsEachMetricOfACase) {
  auto written = two_runs();
  written[1].cases[0].metric.judged = true;
  const auto runs = runs_of_site_cache(site_cache_text(written));
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_FALSE(runs[0].cases[0].metric.judged);
  EXPECT_TRUE(runs[1].cases[0].metric.judged);
}

TEST(SiteCache, OfAnotherVersionIsNotRead) {
  std::string text = site_cache_text(two_runs());
  const auto version = text.find("torchgate.site/4");
  ASSERT_NE(version, std::string::npos);
  text.replace(version, 16, "torchgate.site/3");
  EXPECT_TRUE(runs_of_site_cache(text).empty());
}

TEST(SiteCache, ThatIsDamagedIsNotRead) {
  const std::string text = site_cache_text(two_runs());
  EXPECT_TRUE(runs_of_site_cache(text.substr(0, text.size() - 1)).empty());
  EXPECT_TRUE(runs_of_site_cache("[]\n").empty());
  EXPECT_TRUE(runs_of_site_cache("").empty());
}

}  // namespace
}  // namespace torchgate::workflow
