// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/same_files.hpp"

#include <gtest/gtest.h>

#include "ci/gate/evidence/machines.hpp"
#include "ci/gate/judge.hpp"
#include "harness/record/imported.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {
namespace {

// A file for each median.
record::Run files(const std::string& id, const std::vector<std::string>& names, const std::vector<double>& medians) {
  record::Run run = empty_run(id);
  run.plan.profile = record::imported_profile;
  run.machine.facts.push_back(
      {record::measurement_date_fact, std::nullopt, "not in the files", record::FactClass::info});
  add_case(run, "BM_a", medians);
  for (std::size_t i = 0; i < names.size(); ++i) run.processes.at(i).file = names[i];
  return run;
}

constexpr double b0 = 1004.0210052708;
constexpr double b1 = 995.7537762379;
constexpr double a0 = 2003.1573763408;
constexpr double a1 = 1997.5904986254;

using Files = std::vector<std::string>;

TEST(SameFiles, AFileOfBothSidesIsNamed) {
  const auto before = files("a", {"b0.json", "b1.json", "a1.json"}, {b0, b1, a1});
  const auto after = files("b", {"a0.json", "a1.json"}, {a0, a1});
  EXPECT_EQ(files_on_both_sides(before, after), Files{"a1.json"});
  const auto refused = check_runs({&before}, after);
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message,
      "a1.json: compared with itself: the baseline and this run both have this measurement; name each file on one "
      "side only");
  EXPECT_EQ(files_on_both_sides(files("a", {"b0.json", "b1.json"}, {b0, b1}), after), Files{});
  EXPECT_TRUE(check_runs({&before}, files("b", {"a0.json"}, {a0})));
}

TEST(SameFiles, ACopyAndAStoredRunAreNamed) {
  const auto after = files("b", {"a0.json", "copy.json"}, {a0, b1});
  EXPECT_EQ(files_on_both_sides(files("a", {"b0.json", "b1.json"}, {b0, b1}), after), Files{"copy.json (b1.json)"});
  EXPECT_EQ(files_on_both_sides(files("a", {}, {b0, b1}), after), Files{"copy.json (process 1 of run a)"});
}

TEST(SameFiles, FewDigitsAreChanceUnlessTheDateIsTheSame) {
  auto before = files("a", {"b0.json"}, {100});
  auto after = files("b", {"a0.json"}, {100});
  EXPECT_EQ(files_on_both_sides(before, after), Files{});
  for (record::Run* const run : {&before, &after}) {
    run->machine.facts.pop_back();
    run->processes.front().started = "2026-05-01T00:00:00.000Z";
  }
  EXPECT_EQ(files_on_both_sides(before, after), Files{"a0.json (b0.json)"});
  after.processes.front().started = "2026-05-02T00:00:00.000Z";
  EXPECT_EQ(files_on_both_sides(before, after), Files{});
}

// Such as files of a fixed time whose counters have no direction, and so are not in a record.
TEST(SameFiles, NumbersThatSeveralFilesOfASideHaveSayNothing) {
  auto before = files("a", {"b0.json", "b1.json"}, {100, 100});
  auto after = files("b", {"a0.json", "a1.json"}, {100, 100});
  for (record::Run* const run : {&before, &after}) {
    run->machine.facts.pop_back();
    for (record::Process& process : run->processes) process.started = "2026-05-01T00:00:00.000Z";
  }
  EXPECT_EQ(files_on_both_sides(before, after), Files{});
  EXPECT_EQ(
      files_on_both_sides(files("a", {"b0.json", "b1.json", "c.json"}, {b0, b1, b1}), files("b", {"a0.json"}, {b1})),
      Files{});
}

// The baseline's files with one more: what tells them apart is not in a record.
TEST(SameFiles, CopiesOfFilesThatAreAlikeAreDoubted) {
  auto before = files("a", {"b0.json", "b1.json", "b2.json"}, {12, 12, 12});
  auto after = files("b", {"a0.json", "a1.json", "a2.json", "a3.json"}, {12, 12, 12, 13});
  for (record::Run* const run : {&before, &after}) {
    run->machine.facts.pop_back();
    for (record::Process& process : run->processes) process.started = "2026-05-01T00:00:00.000Z";
  }
  EXPECT_EQ(files_with_same_numbers(before, after), (Files{"a0.json", "a1.json", "a2.json"}));
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  const auto report = judge_stored(comparison, {});
  ASSERT_TRUE(report);
  EXPECT_TRUE(mentions(report->doubts, "the baseline has files of the same numbers, bit for bit: they are copies, or"));
}

TEST(SameFiles, RunsOfTorchgateAreNotLookedAt) {
  auto before = files("a", {"b0.json"}, {b0});
  auto after = files("b", {"b0.json"}, {b0});
  before.plan.profile = after.plan.profile = "default";
  EXPECT_EQ(files_on_both_sides(before, after), Files{});
}

}  // namespace
}  // namespace torchgate::gate::testing
