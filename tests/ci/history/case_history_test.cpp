// SPDX-License-Identifier: Apache-2.0
#include "ci/history/case_history.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/record/imported.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::history {
namespace {

using namespace gate::testing;
using base::ErrorCode;

HistoryQuestion question(const std::string& name = "g/one/case") {
  HistoryQuestion asked;
  asked.case_name = name;
  asked.host_key = "host-a";
  asked.store = "a store";
  return asked;
}

// A few thousandths that differ from run to run, in no pattern.
double wobble(int i) {
  return 0.0005 * (i * i * 3 % 11 - 5);
}

// Run `i` of a case that takes about `centre`.
record::Run run_at(int i, double centre) {
  record::Run run = empty_run("000000000000000" + std::to_string(i % 10));
  run.id = std::to_string(1000 + i);
  run.created = "2026-01-" + std::to_string(10 + i) + "T00:00:00.000Z";
  run.sides.front().source.commit = std::string(40, static_cast<char>('a' + i % 6));
  add_case(run, "g/one/case", std::vector<double>(5, centre * (1 + wobble(i))));
  return run;
}

HistoryReader step(int runs, int at, double factor) {
  HistoryReader reader(question());
  for (int i = 0; i < runs; ++i) reader.add(points_of(run_at(i, i < at ? 1e6 : factor * 1e6)), true);
  return reader;
}

TEST(History, FindsTheRunFromWhichOnItIsSlower) {
  const auto history = step(20, 10, 1.08).judge({});
  ASSERT_TRUE(history);
  EXPECT_TRUE(history->judged);
  EXPECT_TRUE(history->reasons.empty());
  ASSERT_EQ(history->changes.size(), 1u);
  const auto& change = history->changes[0];
  EXPECT_EQ(change.run, 10u);
  EXPECT_TRUE(change.worse);
  EXPECT_NEAR(change.change, 0.08, 0.002);
  EXPECT_NEAR(change.before, 1e6, 2e3);
  EXPECT_NEAR(change.after, 1.08e6, 2e3);
  ASSERT_TRUE(change.interval);
  EXPECT_EQ(change.interval->level, 0.99);
  EXPECT_LT(change.interval->low, change.change);
  EXPECT_GT(change.interval->high, change.change);
  EXPECT_NEAR(change.interval->high - change.interval->low, 0.01, 0.008);
  EXPECT_FALSE(history->drift_corrected);
  ASSERT_EQ(history->runs.size(), 20u);
  EXPECT_EQ(history->runs[3].processes, 5);
  EXPECT_NEAR(history->runs[3].value, 1e6 * (1 + wobble(3)), 1e-3);
  EXPECT_EQ(history->runs[10].run_id, "1010");
}

TEST(History, LowerIsWorseWhereHigherIsBetter) {
  HistoryReader reader(question());
  for (int i = 0; i < 20; ++i) {
    record::Run run = run_at(i, i < 10 ? 1e6 : 0.9e6);
    run.cases[0].metrics[0].direction = record::Direction::higher_is_better;
    reader.add(points_of(run), true);
  }
  const auto history = reader.judge({});
  ASSERT_TRUE(history);
  ASSERT_EQ(history->changes.size(), 1u);
  EXPECT_TRUE(history->changes[0].worse);
  EXPECT_NEAR(history->changes[0].change, -0.1, 0.002);
  EXPECT_GT(history->changes[0].before, history->changes[0].after);
  ASSERT_TRUE(history->changes[0].interval);
  EXPECT_LT(history->changes[0].interval->low, history->changes[0].change);
  EXPECT_GT(history->changes[0].interval->high, history->changes[0].change);
}

TEST(History, IsCorrectedForDriftOfTheMachine) {
  const HistoryReader reader = step(20, 12, 1.08);
  std::vector<double> shifts(20, 0.0);
  std::fill(shifts.begin() + 12, shifts.end(), std::log(1.08));  // the controls took 8 % longer as well
  const auto history = reader.judge(shifts);
  ASSERT_TRUE(history);
  EXPECT_TRUE(history->changes.empty());
  EXPECT_TRUE(history->drift_corrected);
  EXPECT_NEAR(history->runs[12].value, 1e6 * (1 + wobble(12)), 1e-3);
  EXPECT_EQ(reader.run_ids().size(), 20u);
  EXPECT_EQ(reader.judge({0.1}).error().code, ErrorCode::internal);
}

TEST(History, SevenRunsAreShownAndNotJudged) {
  const auto history = step(7, 3, 2).judge({});
  ASSERT_TRUE(history);
  EXPECT_FALSE(history->judged);
  EXPECT_EQ(history->runs.size(), 7u);
  EXPECT_EQ(history->reasons, std::vector<std::string>{"A level change needs at least 8 runs, four on each side."});
  EXPECT_TRUE(history->changes.empty());
}

// 4 + 4 runs that do not overlap: two of 70 orders of ranks are as extreme.
TEST(History, TooFewRunsForItsAlphaAreNotJudged) {
  for (const int runs : {8, 13}) {
    const auto history = step(runs, runs / 2, 2).judge({});
    ASSERT_TRUE(history);
    EXPECT_FALSE(history->judged) << runs;
    EXPECT_EQ(history->reasons, std::vector<std::string>{
                                    "At alpha 0.001 at least 14 runs are needed to find a level change of any size."});
    EXPECT_EQ(history->runs.back().watch.has_value(), runs == 13) << "alerts need nine runs";
  }
  EXPECT_EQ(step(14, 7, 2).judge({})->changes.size(), 1U);
}

TEST(History, SaysThatTheNewestRunsLackTheCase) {
  HistoryReader reader(question());
  for (int i = 0; i < 20; ++i) {
    record::Run run = run_at(i, 1e6);
    if (i == 5 || i >= 18) run.cases.front().name = "g/one/other";
    reader.add(points_of(run), true);
  }
  EXPECT_EQ(reader.judge({})->notes,
            std::vector<std::string>{"2 newest runs do not have this case; what is shown ends before."});
  record::Run failed = run_at(20, 1e6);
  result_of(failed, 2, "g/one/case").status = record::CaseStatus::failed;
  reader.add(points_of(failed), true);
  EXPECT_EQ(
      reader.judge({})->notes,
      std::vector<std::string>{"1 run is left out: the case failed, was wrong or skipped, or has no usable number."});
}

TEST(History, NamesTheMetricThatRunsAreLeftOutFor) {
  HistoryReader reader(question());
  for (int i = 0; i < 20; ++i) {
    record::Run run = run_at(i, 1e6);
    if (i < 3) run.cases.front().metrics.front().unit = "us";
    reader.add(points_of(run), true);
  }
  EXPECT_EQ(reader.judge({})->notes,
            std::vector<std::string>{"3 runs are left out: another metric or unit than in the newest run (time in us, "
                                     "now time in ns)."});
}

TEST(History, TheWatchIsOfTheNewestLevel) {
  HistoryReader reader(question());
  for (int i = 0; i < 30; ++i) reader.add(points_of(run_at(i, i < 10 ? 1e6 : i < 29 ? 2e6 : 2.2e6)), true);
  const auto history = reader.judge({});
  ASSERT_TRUE(history);
  ASSERT_EQ(history->changes.size(), 1u);
  EXPECT_FALSE(history->runs[7].watch) << "too early in the first level";
  ASSERT_TRUE(history->runs[9].watch);
  EXPECT_FALSE(history->runs[9].watch->rings());
  EXPECT_FALSE(history->runs[10].watch) << "a new level is a new baseline";
  ASSERT_TRUE(history->runs[29].watch);
  EXPECT_TRUE(history->runs[29].watch->three_sigma);
  EXPECT_FALSE(history->runs[29].watch->two_in_a_row);
  EXPECT_EQ(history->watch_reason, "");
  EXPECT_EQ(step(60, 54, 2).judge({})->watch_reason, "Only 6 runs of this level: watching starts with run 9.");
}

TEST(History, LeavesOutRunsWithoutAComparableNumber) {
  HistoryReader reader(question());
  for (int i = 0; i < 10; ++i) reader.add(points_of(run_at(i, 1e6)), true);
  record::Run failed = run_at(10, 1e6);
  result_of(failed, 2, "g/one/case").status = record::CaseStatus::failed;
  reader.add(points_of(failed), true);
  record::Run other = run_at(11, 5e6);
  other.cases[0].protocol = "cpu-wall/0";
  reader.add(points_of(other), true);
  record::Run stopped = run_at(12, 5e6);
  stopped.interrupted = true;
  reader.add(points_of(stopped), true);
  reader.add(points_of(run_at(13, 5e6)), false);
  reader.add_unreadable("abc", "it is damaged");
  reader.add(points_of(run_at(14, 1e6)), true);
  const auto history = reader.judge({});
  ASSERT_TRUE(history);
  EXPECT_EQ(history->runs.size(), 11u);
  EXPECT_EQ(history->notes,
            (std::vector<std::string>{
                "1 run is left out: of a modified tree, or of no commit (take them with --uncommitted).",
                "1 run is left out: stopped before the plan was done, or pairs.",
                "1 run is left out: the case failed, was wrong or skipped, or has no usable number.",
                "1 run is left out: another protocol, other inputs or another device than in the "
                "newest run.",
                "Run abc cannot be read and is left out: it is damaged."}));
}

// In the unit of the metric: of a rate, the other way round than what gets worse.
TEST(History, SaysThatSmallChangesInARowAreASlowOne) {
  HistoryReader reader(question());
  for (int i = 0; i < 40; ++i)
    reader.add(points_of(run_at(i, 1e6 * std::exp(0.005 * i + (i % 2 == 0 ? 0.004 : 0)))), true);
  const auto history = reader.judge({}).value();
  EXPECT_FALSE(history.changes.empty());
  ASSERT_TRUE(history.slow_change);
  EXPECT_NEAR(*history.slow_change, std::expm1(0.195), 0.01);
}

// A change of the settings is not one of the case.
TEST(History, LeavesOutRunsWithOtherSettings) {
  const auto judged = [](void (*set)(record::Plan&)) {
    HistoryReader reader(question());
    for (int i = 0; i < 20; ++i) {
      record::Run run = run_at(i, i < 9 ? 1e6 : 1.5e6);
      if (i >= 9) set(run.plan);
      reader.add(points_of(run), true);
    }
    return reader.judge({}).value();
  };
  const auto cold = judged([](record::Plan& plan) { plan.warmup_calls = 1; });
  EXPECT_TRUE(cold.changes.empty());
  EXPECT_EQ(cold.runs.size(), 11U);
  EXPECT_EQ(cold.notes, std::vector<std::string>{"9 runs are left out: other --quick, --warmup or --samples than in "
                                                 "the newest run (--warmup 1)."});
  const auto few = judged([](record::Plan& plan) { plan.samples = 7; });
  EXPECT_EQ(few.runs.size(), 11U);
  EXPECT_EQ(judged([](record::Plan& plan) { plan.profile = "quick"; }).runs.size(), 11U);
  for (const auto& same : {judged([](record::Plan& plan) { plan.profile = "full"; }),
                           judged([](record::Plan& plan) { plan.profile = record::imported_profile; })}) {
    EXPECT_EQ(same.runs.size(), 20U) << "as by default, or not known";
    EXPECT_EQ(same.changes.size(), 1U);
    EXPECT_TRUE(same.notes.empty());
  }
}

TEST(History, UncommittedRunsCountWhenAskedFor) {
  HistoryQuestion asked = question();
  asked.uncommitted = true;
  HistoryReader reader(asked);
  for (int i = 0; i < 9; ++i) reader.add(points_of(run_at(i, 1e6)), i % 2 == 0);
  EXPECT_EQ(reader.judge({})->runs.size(), 9u);
}

TEST(History, AnotherDeviceIsAnotherHistory) {
  HistoryReader reader(question());
  for (int i = 0; i < 20; ++i) {
    record::Run run = run_at(i, i < 9 ? 1e6 : 3e6);
    run.cases[0].device = "cuda";
    run.machine.device_key = i < 9 ? "gpu-old" : "gpu-new";
    reader.add(points_of(run), true);
  }
  const auto history = reader.judge({});
  ASSERT_TRUE(history);
  EXPECT_EQ(history->runs.size(), 11u);
  EXPECT_TRUE(history->changes.empty());
}

TEST(History, ErrorsSayWhatToDo) {
  const auto unknown = [] {
    HistoryReader reader(question("g/one/cases"));
    for (int i = 0; i < 9; ++i) reader.add(points_of(run_at(i, 1e6)), true);
    return reader.judge({}).error();
  }();
  EXPECT_EQ(unknown.code, ErrorCode::not_found);
  EXPECT_EQ(unknown.message,
            "there is no case \"g/one/cases\" in the 9 runs of host-a in a store; the nearest there are: g/one/case");

  const auto nothing = HistoryReader(question()).judge({});
  EXPECT_EQ(nothing.error().code, ErrorCode::no_verdict);
  EXPECT_NE(nothing.error().message.find("baseline add"), std::string::npos);

  HistoryReader loose(question());
  loose.add(points_of(run_at(0, 1e6)), false);
  EXPECT_EQ(loose.judge({}).error().code, ErrorCode::no_verdict);
  EXPECT_NE(loose.judge({}).error().message.find("--uncommitted"), std::string::npos);

  for (double alpha : {0.0, 0.06, std::nan("")}) {
    HistoryQuestion asked = question();
    asked.alpha = alpha;
    HistoryReader reader(asked);
    for (int i = 0; i < 9; ++i) reader.add(points_of(run_at(i, 1e6)), true);
    ASSERT_FALSE(reader.judge({}));
    EXPECT_EQ(reader.judge({}).error().code, ErrorCode::bad_input);
    EXPECT_NE(reader.judge({}).error().message.find("between 0.0001 and 0.05"), std::string::npos);
  }
}

}  // namespace
}  // namespace torchgate::history
