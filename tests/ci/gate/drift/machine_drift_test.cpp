// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/drift/machine_drift.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::finding;
using gate::testing::mentions;
using gate::testing::quiet;
using reports::Verdict;

// Three frozen controls and one case, all of them on a machine that is `machine` times slower.
record::Run run_with_controls(const std::string& id, double machine, double change, const std::string& hash = "f00d") {
  record::Run run = empty_run(id);
  for (const char* name : {"g/one/control_a", "g/one/control_b", "g/one/control_c"})
    add_case(run, name, around(1e5 * machine, quiet));
  add_case(run, "g/one/v", around(2e5 * machine * change, quiet));
  record::LoadedObject object;
  object.sha256 = hash;
  run.objects = {object};
  for (auto& process : run.processes) process.objects = {0};
  return run;
}

reports::Report judge(const record::Run& before, const record::Run& after, const std::string& controls) {
  policy::Policy policy;
  policy.controls = controls;
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  return gate::judge_stored(comparison, policy).value();
}

TEST(Drift, OfControlsIsCorrectedAndReported) {
  const auto before = run_with_controls("aaaa", 1.0, 1.0);
  const auto slower_machine = run_with_controls("bbbb", 1.2, 1.0);
  EXPECT_EQ(finding(judge(before, slower_machine, ""), "g/one/v").verdict, Verdict::suspected);
  const auto corrected = judge(before, slower_machine, "/control_");
  EXPECT_EQ(finding(corrected, "g/one/v").verdict, Verdict::equivalent);
  EXPECT_TRUE(mentions(corrected.notes, "3 control cases ran the same objects in every run and moved by +20.0 %"));
}

TEST(Drift, ARegressionOnASlowerMachineIsStillSeen) {
  const auto report = judge(run_with_controls("aaaa", 1.0, 1.0), run_with_controls("bbbb", 1.2, 1.2), "/control_");
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::suspected);
  EXPECT_NEAR(*finding(report, "g/one/v").change, 0.2, 0.001);
}

TEST(Drift, ControlsWhoseCodeChangedCorrectNothing) {
  const auto report =
      judge(run_with_controls("aaaa", 1.0, 1.0), run_with_controls("bbbb", 1.2, 1.0, "beef"), "/control_");
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::suspected);
  EXPECT_TRUE(mentions(report.notes, "3 of them did not run the same objects in every run"));
}

TEST(Drift, TwoControlsAreTooFew) {
  const auto report = judge(run_with_controls("aaaa", 1.0, 1.0), run_with_controls("bbbb", 1.2, 1.0), "/control_[ab]");
  EXPECT_TRUE(mentions(report.notes, "no drift correction: gate.controls"));
}

TEST(Drift, ASuiteThatMovedAsAWholeIsADoubtAndIsNotCorrected) {
  auto before = empty_run("aaaa");
  auto after = empty_run("bbbb");
  for (int i = 0; i < 20; ++i) {
    const std::string name = "g/one/v" + std::to_string(i);
    add_case(before, name, around(1e5, quiet));
    add_case(after, name, around(1.08e5, quiet));
  }
  const auto report = judge(before, after, "");
  EXPECT_EQ(report.suspects, 20);
  EXPECT_TRUE(mentions(report.doubts, "the suite as a whole has moved by +8.0 % (median of 20 cases)"));
}

TEST(Drift, CasesThatScatterHaveNotMovedAsAWhole) {
  auto before = empty_run("aaaa");
  auto after = empty_run("bbbb");
  for (int i = 0; i < 20; ++i) {
    const std::string name = "g/one/v" + std::to_string(i);
    add_case(before, name, around(1e5, quiet));
    add_case(after, name, around(1e5 * (1.03 + 0.03 * (i - 9.5)), quiet));
  }
  EXPECT_FALSE(mentions(judge(before, after, "").doubts, "the suite as a whole")) << "their median is +3 %";
}

void slow_means(record::Run& run, const std::string& name, double factor) {
  for (record::Process& process : run.processes)
    for (record::CaseResult& result : process.cases)
      if (result.name == name) result.measurements.front().summary->mean *= factor;
}

// The medians were corrected, and the means are those of the same calls.
TEST(Drift, CorrectsMeansAsItCorrectsMedians) {
  const auto before = run_with_controls("aaaa", 1.0, 1.0);
  auto after = run_with_controls("bbbb", 1.3, 1.0);
  EXPECT_FALSE(mentions(judge(before, after, "/control_").doubts, "slower mean"));
  slow_means(after, "g/one/v", 1.4);
  EXPECT_TRUE(mentions(judge(before, after, "/control_").doubts, "1 case has a slower mean and no slower median"));
  // A faster machine hides nothing.
  auto faster = run_with_controls("cccc", 0.77, 1.0);
  slow_means(faster, "g/one/v", 1.4);
  EXPECT_TRUE(mentions(judge(before, faster, "/control_").doubts, "1 case has a slower mean and no slower median"));
}

// Every run by its own drift.
TEST(Drift, CorrectsTheMeansOfStoredRuns) {
  const auto nearest = run_with_controls("aaaa", 1.0, 1.0);
  const auto older = run_with_controls("bbbb", 1.5, 1.0);
  auto after = run_with_controls("cccc", 1.5, 1.0);
  policy::Policy policy;
  policy.controls = "/control_";
  gate::Comparison comparison;
  comparison.baseline = {&nearest, &older};
  comparison.current = &after;
  EXPECT_FALSE(mentions(gate::judge_stored(comparison, policy)->doubts, "slower mean"));
  slow_means(after, "g/one/v", 1.4);
  EXPECT_TRUE(mentions(gate::judge_stored(comparison, policy)->doubts, "1 case has a slower mean"));
}

}  // namespace
