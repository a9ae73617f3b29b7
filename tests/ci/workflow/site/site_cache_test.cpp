// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/site/site_cache.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
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
  history::Series one{
      "g/one", {"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true}, "k1"};
  history::Series two{
      "g/two", {"rate", "1/s", record::Direction::higher_is_better, record::MetricKind::timed, true}, "k2"};
  two.metric.gated = true;
  two.metric.judged = true;
  two.sampling = "--warmup 1";
  first.cases = {{std::make_shared<const history::Series>(std::move(one)), 13.5, 5},
                 {std::make_shared<const history::Series>(std::move(two)), -7.25, 4}};
  history::RunPoints second = first;
  second.run_id = "0000000000000002";
  second.commit.reset();
  second.libtorch.clear();
  second.cases.pop_back();
  second.without_value = {"g/three", "g/two"};
  first.is_whole = true;
  return {first, second};
}

// The series of one point: others share it.
template <class Change>
void change(history::CasePoint& point, const Change& how) {
  history::Series changed = *point.series;
  how(changed);
  point.series = std::make_shared<const history::Series>(std::move(changed));
}

TEST(SiteCache, IsReadAsItWasWritten) {
  const std::string text = site_cache_text(two_runs());
  const auto runs = runs_of_site_cache(text);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].torchgate, "0.1.0");
  EXPECT_EQ(runs[0].libtorch, "2.4.0+cpu");
  EXPECT_EQ(runs[0].commit, std::string(40, 'a'));
  ASSERT_EQ(runs[0].cases.size(), 2U);
  EXPECT_EQ(*runs[0].cases[0].series, *two_runs()[0].cases[0].series);
  EXPECT_EQ(*runs[0].cases[1].series, *two_runs()[0].cases[1].series);
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
  change(runs[1].cases[0], [](history::Series& series) { series.kind = "k3"; });
  const auto changed = runs_of_site_cache(extended_site_cache(first, {runs[1]}));
  ASSERT_EQ(changed.size(), 2U);
  EXPECT_EQ(changed[0].cases[0].series->kind, "k1");
  EXPECT_EQ(changed[1].cases[0].series->kind, "k3");
}

TEST(SiteCache, KeepsEachMetricOfACase) {
  auto written = two_runs();
  change(written[1].cases[0], [](history::Series& series) { series.metric.judged = true; });
  const auto runs = runs_of_site_cache(site_cache_text(written));
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_FALSE(runs[0].cases[0].series->metric.judged);
  EXPECT_TRUE(runs[1].cases[0].series->metric.judged);
}

TEST(SiteCache, OfAnotherVersionIsNotRead) {
  std::string text = site_cache_text(two_runs());
  const auto version = text.find("torchgate.site/5");
  ASSERT_NE(version, std::string::npos);
  text.replace(version, 16, "torchgate.site/4");
  EXPECT_TRUE(runs_of_site_cache(text).empty());
}

TEST(SiteCache, ThatIsDamagedIsNotRead) {
  const std::string text = site_cache_text(two_runs());
  EXPECT_TRUE(runs_of_site_cache(text.substr(0, text.size() - 1)).empty());
  EXPECT_TRUE(runs_of_site_cache(text + "{\"id\": 1}\n").empty()) << "a run without its members";
  EXPECT_TRUE(runs_of_site_cache("[]\n").empty());
  EXPECT_TRUE(runs_of_site_cache("").empty());
}

}  // namespace
}  // namespace torchgate::workflow
