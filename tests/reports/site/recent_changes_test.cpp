// SPDX-License-Identifier: Apache-2.0
// Which changes are on the first page of a site, in which order, and whether they still hold.
#include "reports/site/recent_changes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/reports/site_models.hpp"

namespace torchgate::reports {
namespace {

using models::site_commit;
using models::site_time;
using models::site_with;
using models::slow_recovery;
using models::stepped_history;

// Runs are one a day and the newest is of day 59: the window begins on day 29.
constexpr std::size_t first_day_inside = 29;

std::string day_text(std::size_t day) {
  return site_time(day).substr(0, 10);
}

std::vector<std::string> case_names_of(const std::vector<RecentChange>& changes) {
  std::vector<std::string> names;
  for (const RecentChange& each : changes) names.push_back(each.history->case_name);
  return names;
}

/// What is said now of the first change of a history with these steps.
ChangeNow first_change(const History& history, const Site& site) {
  return change_now(history, 0, site_marks(history, site), newest_day(site));
}

ChangeNow first_change(const std::vector<models::LevelStep>& steps) {
  const Site site = site_with({stepped_history("a/b", steps)});
  return first_change(site.hosts[0].histories[0], site);
}

TEST(RecentChanges, AreThoseOfTheDaysBeforeTheNewestRun) {
  const Site site = site_with({stepped_history("a/at_the_edge", {{first_day_inside, 1.2}}),
                               stepped_history("a/before_it", {{first_day_inside - 1, 1.3}}),
                               stepped_history("a/both", {{10, 1.4}, {40, 1.1}})});
  const RecentChanges recent = recent_changes(site);
  EXPECT_EQ(recent.today, day_text(59));
  EXPECT_EQ(case_names_of(recent.slower), (std::vector<std::string>{"a/at_the_edge", "a/both"}));
  EXPECT_EQ(recent.slower[1].change, 1U);
  EXPECT_TRUE(recent.faster.empty());
  EXPECT_EQ(recent.cases, 3U);
}

TEST(RecentChanges, AreCountedFromTheNewestRunOfAllHosts) {
  Site site = site_with({stepped_history("a/old", {{15, 1.2}}, 40)});
  Site newer = site_with({stepped_history("a/new", {{55, 1.1}})});
  site.hosts.push_back(newer.hosts[0]);
  EXPECT_EQ(case_names_of(recent_changes(site).slower), (std::vector<std::string>{"a/new"}));
  site.hosts.pop_back();
  EXPECT_EQ(case_names_of(recent_changes(site).slower), (std::vector<std::string>{"a/old"}));
}

TEST(RecentChanges, WhatStillHoldsIsFirstAndOfThatTheLargest) {
  Site site = site_with({stepped_history("a/recovered", {{40, 2.0}, {50, 0.5}}),
                         stepped_history("a/small", {{40, 1.05}}), stepped_history("a/waived", {{40, 1.5}}),
                         stepped_history("a/large", {{45, 1.3}}), stepped_history("a/faster", {{50, 0.8}})});
  site.waivers = {{"a/waived", "time", "", "", "2026-12-31", 0.6, "intended"}};
  const RecentChanges recent = recent_changes(site);
  EXPECT_EQ(case_names_of(recent.slower), (std::vector<std::string>{"a/large", "a/small", "a/waived", "a/recovered"}));
  EXPECT_EQ(case_names_of(recent.faster), (std::vector<std::string>{"a/recovered", "a/faster"}));
  EXPECT_EQ(recent.slower_cases, (std::array<std::size_t, 3>{2, 1, 1}));
}

TEST(RecentChanges, ACaseWithTwoChangesIsCountedOnceByTheMoreImportantOne) {
  const Site site = site_with({stepped_history("a/b", {{35, 1.1}, {40, 1 / 1.1}, {50, 1.2}})});
  const RecentChanges recent = recent_changes(site);
  EXPECT_EQ(recent.slower.size(), 2U);
  EXPECT_EQ(recent.slower_cases, (std::array<std::size_t, 3>{1, 0, 0}));
}

TEST(RecentChanges, CasesThatCannotBeJudgedAreCounted) {
  History young = stepped_history("a/young", {}, 5);
  young.judged = false;
  const RecentChanges recent = recent_changes(site_with({young, stepped_history("a/b", {})}));
  EXPECT_EQ(recent.cases, 2U);
  EXPECT_EQ(recent.not_judged, 1U);
  EXPECT_TRUE(recent_changes(Site{}).today.empty());
}

TEST(RecentChanges, ChangesAtRunsThatDoNotExistAreLeftOut) {
  const Site site = site_with({stepped_history("a/beyond", {{60, 1.2}}), stepped_history("a/first", {{0, 1.2}})});
  EXPECT_TRUE(recent_changes(site).slower.empty());
}

TEST(ChangeNow, HoldsUntilTheNewestRun) {
  const ChangeNow now = first_change({{40, 1.2}});
  EXPECT_EQ(now.state, ChangeState::holds);
  EXPECT_EQ(now.day, day_text(59));
  EXPECT_NEAR(now.change, 0.2, 1e-12);
}

TEST(ChangeNow, HoldsOfACaseUntilItsOwnNewestRun) {
  const Site site = site_with({stepped_history("a/b", {{40, 1.2}}, 50), stepped_history("a/other", {})});
  EXPECT_EQ(first_change(site.hosts[0].histories[0], site).day, day_text(49));
}

TEST(ChangeNow, HoldsInPart) {
  const ChangeNow now = first_change({{40, 1.2}, {50, 0.9}});
  EXPECT_EQ(now.state, ChangeState::holds);
  EXPECT_NEAR(now.change, 0.08, 1e-12);
}

TEST(ChangeNow, RecoveredFromTheRunOnThatBroughtItBack) {
  EXPECT_EQ(first_change({{40, 1.2}, {50, 1 / 1.2}}).state, ChangeState::recovered);
  EXPECT_EQ(first_change({{40, 1.2}, {50, 1 / 1.2}}).day, day_text(50));
  // In two steps, and further: since the second one.
  EXPECT_EQ(first_change({{35, 1.2}, {40, 0.9}, {50, 0.92}, {55, 0.8}}).day, day_text(50));
}

TEST(ChangeNow, RecoveredWithinTheSmallestChange) {
  EXPECT_EQ(first_change({{40, 1.2}, {50, 1.009 / 1.2}}).state, ChangeState::recovered);
  EXPECT_EQ(first_change({{40, 1.2}, {50, 1.011 / 1.2}}).state, ChangeState::holds);
  EXPECT_EQ(first_change({{40, 1.01}}).state, ChangeState::holds);
}

TEST(ChangeNow, SlowerAgainHasNotRecovered) {
  const ChangeNow now = first_change({{35, 1.2}, {40, 1 / 1.2}, {50, 1.1}});
  EXPECT_EQ(now.state, ChangeState::holds);
  EXPECT_NEAR(now.change, 0.1, 1e-12);
}

TEST(ChangeNow, RecoveredGraduallyWithoutAnotherChange) {
  const Site site = site_with({slow_recovery(140)});
  const ChangeNow now = first_change(site.hosts[0].histories[0], site);
  EXPECT_EQ(now.state, ChangeState::recovered);
  EXPECT_TRUE(now.gradually);
  EXPECT_EQ(now.day, day_text(199));
  EXPECT_FALSE(first_change({{40, 1.2}, {50, 1 / 1.2}}).gradually);
}

TEST(ChangeNow, HoldsInPartWhileItRecovers) {
  const Site site = site_with({slow_recovery(199)});
  const ChangeNow now = first_change(site.hosts[0].histories[0], site);
  EXPECT_EQ(now.state, ChangeState::holds);
  EXPECT_NEAR(now.change, 0.2 * (1 - 129.5 / 159), 0.003);  // at the middle of the newest 60 runs
}

TEST(NewestLevel, IsTheMedianOfTheNewestSixtyRunsWithoutOutliers) {
  History history = stepped_history("a/b", {}, 62);
  for (std::size_t i = 0; i < 62; ++i) history.runs[i].value = i < 31 ? 100 : 400;
  history.runs[61].outlier = true;
  EXPECT_NEAR(newest_level(history), 200, 1e-9);  // 30 runs at each value
  history.runs.erase(history.runs.begin(), history.runs.begin() + 2);
  EXPECT_NEAR(newest_level(history), 400, 1e-9);
  history.runs.clear();
  EXPECT_TRUE(std::isnan(newest_level(history)));
}

TEST(NewestLevel, IsOfTheRunsSinceTheLastChange) {
  EXPECT_NEAR(newest_level(stepped_history("a/b", {{20, 3}, {55, 0.5}})), 300'000, 1e-6);
  EXPECT_NEAR(newest_level(stepped_history("a/b", {})), 200'000, 1e-6);
  EXPECT_TRUE(std::isnan(newest_level(stepped_history("a/beyond", {{70, 1.2}}))));
}

TEST(ChangeNow, AGainIsLostWhenTheLevelIsBack) {
  EXPECT_EQ(first_change({{40, 0.8}}).state, ChangeState::holds);
  EXPECT_EQ(first_change({{40, 0.8}, {50, 1.25}}).state, ChangeState::recovered);
  EXPECT_EQ(first_change({{40, 0.8}, {50, 1.25}}).day, day_text(50));
}

TEST(ChangeNow, OfARateWhichIsWorseWhenItFalls) {
  History rate = stepped_history("a/b", {{40, 0.8}, {50, 1.1}});
  rate.metric = {"requests", "1/s", record::Direction::higher_is_better, record::MetricKind::timed, true};
  rate.changes[0].worse = true;
  rate.changes[1].worse = false;
  Site site = site_with({rate});
  site.waivers = {{"a/b", "requests", "", "", "2026-12-31", 0.14, "intended"}};
  const ChangeNow now = first_change(site.hosts[0].histories[0], site);
  EXPECT_EQ(now.state, ChangeState::accepted);  // 1 / 0.88 is 13.6 % worse
  EXPECT_NEAR(now.change, -0.12, 1e-12);
}

// The state of the first change of a case that became 20 % slower on day 40, with this waiver.
ChangeState with_waiver(const SiteWaiver& waiver) {
  Site site = site_with({stepped_history("a/b", {{40, 1.2}})});
  site.waivers = {waiver};
  return first_change(site.hosts[0].histories[0], site).state;
}

TEST(ChangeNow, IsAcceptedByAWaiverInForce) {
  const SiteWaiver waiver{"a/b", "time", site_commit(40), "", "2026-12-31", 0.25, "intended"};
  EXPECT_EQ(with_waiver(waiver), ChangeState::accepted);
  SiteWaiver other = waiver;
  other.ceiling = 0.2;  // as much as was measured
  EXPECT_EQ(with_waiver(other), ChangeState::accepted);
  other.expires = day_text(59);  // its last day is that of the newest run
  EXPECT_EQ(with_waiver(other), ChangeState::accepted);
}

TEST(ChangeNow, IsNotAcceptedByAnotherWaiver) {
  const SiteWaiver waiver{"a/b", "time", site_commit(40), "", "2026-12-31", 0.25, "intended"};
  SiteWaiver other = waiver;
  other.ceiling = 0.19;
  EXPECT_EQ(with_waiver(other), ChangeState::holds);
  other = waiver;
  other.ceiling = std::nullopt;  // of a missing case
  EXPECT_EQ(with_waiver(other), ChangeState::holds);
  other = waiver;
  other.expires = day_text(58);
  EXPECT_EQ(with_waiver(other), ChangeState::holds);
  other = waiver;
  other.expires = "soon";
  EXPECT_EQ(with_waiver(other), ChangeState::holds);
  other = waiver;
  other.metric = "peak_bytes";
  EXPECT_EQ(with_waiver(other), ChangeState::holds);
  other = waiver;
  other.case_name = "a/c";
  EXPECT_EQ(with_waiver(other), ChangeState::holds);
}

TEST(ChangeNow, IsAcceptedWhateverTheDayOfTheWaiverIsAsInTheGate) {
  const SiteWaiver later{"a/b", "time", "", day_text(60), "2026-12-31", 0.25, "intended"};
  EXPECT_EQ(with_waiver(later), ChangeState::accepted);
}

TEST(ChangeNow, IsAcceptedByAWaiverOfOneCommitIfItCameWithThatCommit) {
  SiteWaiver waiver{"a/b", "time", site_commit(40), "", "2026-12-31", 0.25, "intended", true, {}};
  EXPECT_EQ(with_waiver(waiver), ChangeState::holds);
  waiver.changes_at = {site_commit(39), site_commit(41)};
  EXPECT_EQ(with_waiver(waiver), ChangeState::holds);
  waiver.changes_at = {site_commit(40)};
  EXPECT_EQ(with_waiver(waiver), ChangeState::accepted);
  waiver.ceiling = 0.19;
  EXPECT_EQ(with_waiver(waiver), ChangeState::holds);
}

TEST(ChangeNow, APinThatIncludesItAcceptsNothing) {
  Site site = site_with({stepped_history("a/b", {{40, 1.2}})});
  const History& history = site.hosts[0].histories[0];
  site.pins = {{site_commit(39), "before"}};
  EXPECT_EQ(first_change(history, site).pin, "");
  site.pins.emplace(site_commit(40), "v1.1");
  EXPECT_EQ(first_change(history, site).state, ChangeState::holds);
  EXPECT_EQ(first_change(history, site).accepted_by, "");
  EXPECT_EQ(first_change(history, site).pin, "pin v1.1");
  EXPECT_EQ(recent_changes(site).slower_cases, (std::array<std::size_t, 3>{1, 0, 0}));
}

TEST(ChangeNow, ThePinIsFoundBeforeAnyNumberOfMarks) {
  Site site = site_with({stepped_history("a/b", {{5, 1.2}})});
  History& history = site.hosts[0].histories[0];
  for (std::size_t i = 7; i < 60; ++i)
    history.versions.push_back({i, "LibTorch", std::to_string(i), std::to_string(i - 1)});
  site.pins = {{site_commit(6), "v1.1"}};
  EXPECT_EQ(first_change(history, site).pin, "pin v1.1");
}

TEST(ChangeNow, IsNotInAPinOfALevelThatHadRecovered) {
  Site site = site_with({stepped_history("a/b", {{30, 1.2}, {35, 1 / 1.2}, {50, 1.3}})});
  site.pins = {{site_commit(40), "v1.1"}};
  EXPECT_EQ(first_change(site.hosts[0].histories[0], site).state, ChangeState::holds);
  EXPECT_EQ(first_change(site.hosts[0].histories[0], site).pin, "");
}

}  // namespace
}  // namespace torchgate::reports
