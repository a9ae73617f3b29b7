// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/fewer_repetitions.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/record/imported.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {
namespace {

// Two cases with so many processes.
record::Run measured(const std::string& tool, int of_a, int of_b) {
  record::Run run = empty_run("run");
  run.plan.profile = record::imported_profile;
  add_case(run, "a", wobble(1000, 1, of_a));
  add_case(run, "b", wobble(2000, 1, of_b));
  for (record::Case& definition : run.cases) definition.suite = tool;
  return run;
}

void repeat(record::Run& run, const std::string& name, std::int64_t repetitions) {
  for (record::Process& process : run.processes)
    for (record::CaseResult& result : process.cases)
      if (result.name == name) result.measurements.front().summary->n = repetitions;
}

facts::Facts remarks(const record::Run& before, const record::Run& after) {
  const SideEvidence was(before, 0);
  const SideEvidence is(after, 0);
  return FewerRepetitions(was, is).remarks();
}

TEST(FewerRepetitions, ACutOffBaselineIsDoubted) {
  record::Run before = measured("go", 2, 2);
  record::Run after = before;
  for (record::Run* const run : {&before, &after})
    for (const char* const name : {"a", "b"}) repeat(*run, name, 10);
  EXPECT_TRUE(remarks(before, after).empty());
  repeat(before, "b", 2);
  EXPECT_TRUE(mentions(remarks(before, after), "baseline: 1 case has fewer repetitions than in this run (b: 2 of 10)"));
  EXPECT_TRUE(mentions(remarks(after, before), "this run: 1 case has fewer repetitions than in the baseline"));
  repeat(before, "a", 2);
  EXPECT_TRUE(remarks(before, after).empty()) << "more were asked for";
}

// ->ReportAggregatesOnly(): the median of ten repetitions is one value.
TEST(FewerRepetitions, AMedianOfTheFileIsNotOneRepetition) {
  record::Run before = measured("google-benchmark", 2, 2);
  for (const char* const name : {"a", "b"}) repeat(before, name, 10);
  record::Run after = before;
  repeat(after, "b", 1);
  EXPECT_TRUE(mentions(remarks(before, after), "this run: 1 case has fewer repetitions"));
  for (record::Process& process : after.processes)
    for (record::CaseResult& result : process.cases) result.only_summary = result.name == "b";
  EXPECT_TRUE(remarks(before, after).empty());
  EXPECT_TRUE(remarks(after, before).empty());
}

// Of a benchmark with a number of its own (->Repetitions(3)) others than a file can end with have fewer.
TEST(FewerRepetitions, MoreThanFilesCanEndWithWereAskedFor) {
  record::Run before = measured("google-benchmark", 2, 2);
  for (const char* const name : {"c", "d"}) add_case(before, name, wobble(3000, 1, 2));
  for (record::Case& definition : before.cases) definition.suite = "google-benchmark";
  record::Run after = before;
  for (const char* const name : {"b", "c", "d"}) repeat(after, name, 10);
  EXPECT_TRUE(remarks(before, after).empty());
  repeat(after, "b", 3);
  EXPECT_TRUE(mentions(remarks(before, after), "baseline: 2 cases have fewer repetitions")) << "two files";
}

TEST(FewerRepetitions, ACaseThatLostMostOfItsWorkersIsDoubted) {
  const auto whole = measured("pyperf", 20, 20);
  EXPECT_TRUE(mentions(remarks(whole, measured("pyperf", 20, 2)),
                       "this run: 1 case has at most half of the other side's processes (b: 2 of 20)"));
  EXPECT_TRUE(mentions(remarks(measured("pyperf", 20, 2), whole), "baseline: 1 case has at most half"));
  EXPECT_TRUE(remarks(whole, measured("pyperf", 10, 10)).empty()) << "fewer were asked for";
  EXPECT_TRUE(remarks(whole, measured("pyperf", 20, 18)).empty());
  EXPECT_TRUE(remarks(measured("hyperfine", 20, 20), measured("hyperfine", 20, 2)).empty());
}

}  // namespace
}  // namespace torchgate::gate::testing
