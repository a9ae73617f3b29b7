// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/same_objects.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ci/gate/judge.hpp"
#include "harness/record/script.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::add_paired_case;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::mentions;
using gate::testing::paired_run;
using gate::testing::wobble;
using reports::Outcome;
using reports::Verdict;

// Objects of both sides; a system library is not hashed.
record::Run with_objects(record::Run run, const std::string& before, const std::string& after) {
  for (const std::string& hash : {before, after}) {
    record::LoadedObject object;
    object.path = "/suite";
    object.sha256 = hash;
    run.objects.push_back(object);
  }
  record::LoadedObject libc;
  libc.path = "/lib/libc.so.6";
  libc.system = true;
  run.objects.push_back(libc);
  for (record::Process& process : run.processes) process.objects = {process.side, 2};
  return run;
}

record::Run with_known_files(record::Run run) {
  for (record::Process& process : run.processes) process.files.emplace();
  return run;
}

// Google Benchmark's programs do not say which files they read: one may lie beside the binary, and differ.
TEST(SameObjects, ASlowDownIsLeftOpenWhereTheFilesAreUnknown) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/slower", wobble(1e5, 2), wobble(1.3e5, 3));
  add_paired_case(run, "g/one/a_little", wobble(1e5, 2), wobble(1.03e5, 3));
  const auto report = gate::judge_paired(with_objects(run, "aa", "aa"), {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->outcome, Outcome::no_verdict);
  EXPECT_NE(report->headline.words().find("g/one/slower"), std::string::npos) << report->headline;
  const auto& slower = report->findings.front();
  EXPECT_EQ(slower.verdict, Verdict::inconclusive);
  EXPECT_TRUE(mentions(slower.reasons, "or a file that one side reads differs"));
  EXPECT_TRUE(mentions(report->findings.back().reasons, "what was measured is noise")) << "below the gate";
}

TEST(SameObjects, AreJudgedByTheSettingsOfTheCase) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/v", wobble(1e5, 2), wobble(1.03e5, 3));
  policy::Policy policy;
  EXPECT_EQ(gate::judge_paired(with_objects(run, "aa", "aa"), policy)->findings.front().verdict, Verdict::equivalent);
  const std::string table = "[[case]]\nmatch = \"v\"\nlatency = 0.02\nequivalence = 0.01\ninconclusive = \"fail\"\n";
  ASSERT_TRUE(policy::apply_policy_text(policy, table, "/p/torchgate.toml").ok());
  const auto report = gate::judge_paired(with_objects(run, "aa", "aa"), policy);
  EXPECT_EQ(report->findings.front().verdict, Verdict::inconclusive);
  EXPECT_EQ(report->outcome, Outcome::fail);
}

TEST(SameObjects, NothingThatDiffersIsCalledRegressed) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/slower", wobble(1e5, 2), wobble(1.1e5, 3));
  add_paired_case(run, "g/one/faster", wobble(1e5, 2), wobble(0.97e5, 3));
  add_paired_case(run, "g/one/same", wobble(1e5, 2), wobble(1e5, 3));
  run = with_known_files(run);
  ASSERT_EQ(gate::judge_paired(with_objects(run, "aa", "bb"), {})->outcome, Outcome::fail);

  const auto report = gate::judge_paired(with_objects(run, "aa", "aa"), {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->outcome, Outcome::pass);
  for (const auto& finding : report->findings) {
    const bool slower = finding.case_name == "g/one/slower";
    EXPECT_EQ(finding.verdict, slower ? Verdict::inconclusive : Verdict::equivalent) << finding.case_name;
    EXPECT_FALSE(finding.confirmation->confirmed);
    EXPECT_FALSE(finding.processes_needed.has_value());
    if (slower) {
      EXPECT_TRUE(mentions(finding.reasons, "the same objects ran on both sides"));
    }
  }
  EXPECT_TRUE(
      mentions(report->notes,
               "both sides ran the same executables and libraries: what differs there is noise, over 3 cases 3.0 % "
               "in the median and at most 10.0 % (g/one/slower)"))
      << report->notes.front();
  EXPECT_TRUE(mentions(report->doubts, "2 findings that ran the same objects on both sides would have been called"));
}

TEST(SameObjects, QuietNoiseIsGivenWithoutADoubt) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/same", wobble(1e5, 2), wobble(1e5, 3));
  const auto report = gate::judge_paired(with_objects(run, "aa", "aa"), {});
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(mentions(report->notes, "over 1 case 0."));
  EXPECT_FALSE(mentions(report->doubts, "same objects"));
}

TEST(SameObjects, ConfirmNoSuspectOfAStoredBaseline) {
  record::Run baseline = empty_run("aaaa");
  add_case(baseline, "g/one/v", around(1e5, 0.002));
  record::Run current = empty_run("bbbb");
  add_case(current, "g/one/v", around(1.3e5, 0.002));
  record::Run pairs = paired_run("pppp");
  add_paired_case(pairs, "g/one/v", wobble(1e5, 2), wobble(1.3e5, 3));
  gate::Comparison comparison;
  comparison.baseline = {&baseline};
  comparison.current = &current;
  comparison.confirmable = true;
  comparison.changed_data.emplace();  // known: no file changed
  const record::Run different = with_objects(pairs, "aa", "bb");
  comparison.pairs = &different;
  const auto confirmed = gate::judge_stored(comparison, {});
  EXPECT_EQ(confirmed->outcome, Outcome::fail);
  EXPECT_TRUE(mentions(confirmed->findings.front().reasons, "the pairs ran the recorded binaries of both sides"));
  comparison.rebuilt = "the baseline was rebuilt";
  const auto rebuilt = gate::judge_stored(comparison, {});
  EXPECT_TRUE(mentions(rebuilt->findings.front().reasons, "the baseline was rebuilt"));
  EXPECT_FALSE(mentions(rebuilt->findings.front().reasons, "own binaries"));

  const record::Run same = with_known_files(with_objects(pairs, "aa", "aa"));
  comparison.pairs = &same;
  const auto report = gate::judge_stored(comparison, {});
  EXPECT_EQ(report->outcome, Outcome::no_verdict) << "the noise of its only case is larger than the margin";
  EXPECT_EQ(report->findings.front().verdict, Verdict::inconclusive);
  EXPECT_TRUE(mentions(report->findings.front().reasons, "the same objects ran on both sides"));
}

TEST(SameObjects, AreAQuestionOfEachGroup) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/slower", wobble(1e5, 2), wobble(1.1e5, 3));
  run = with_objects(run, "aa", "aa");
  record::Group other = run.groups.empty() ? record::Group{} : run.groups.front();
  other.name = "g/two";
  run.groups.push_back(other);
  record::Case definition = run.cases.front();
  definition.name = "g/two/quick";
  definition.group = "g/two";
  run.cases.push_back(definition);
  EXPECT_TRUE(gate::same_objects_ran(run, "g/one"));
  EXPECT_FALSE(gate::same_objects_ran(run, "g/two")) << "nothing of it ran";
  const auto report = gate::judge_paired(run, {});
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(mentions(report->notes, "1 of 2 groups ran the same executables and libraries on both sides"));
}

TEST(SameObjects, WhatIsNotKnownIsNotTheSame) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/v", wobble(1e5, 2), wobble(1e5, 3));
  EXPECT_FALSE(gate::same_objects_ran(run, "g/one")) << "no objects were recorded";
  EXPECT_FALSE(gate::same_objects_ran(with_objects(run, "", ""), "g/one")) << "not hashed";
  record::Run same = with_objects(run, "aa", "aa");
  EXPECT_TRUE(gate::same_objects_ran(same, "g/one"));
  same.processes[3].objects.clear();
  EXPECT_FALSE(gate::same_objects_ran(same, "g/one")) << "of one process nothing is known";
}

TEST(SameObjects, OfAScriptAreNotItsCode) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/slower", wobble(1e5, 2), wobble(1.3e5, 3));
  run = with_objects(std::move(run), "aa", "aa");
  for (record::Process& process : run.processes) process.files_unknown = record::code_in_files;
  EXPECT_FALSE(gate::same_objects_ran(run, "g/one"));
  const auto report = gate::judge_paired(run, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->outcome, Outcome::fail);
  EXPECT_EQ(report->findings.front().verdict, Verdict::regressed);
}

TEST(SameObjects, AnotherEnvironmentIsADifferenceButAnotherFolderOfLibrariesIsNot) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/v", wobble(1e5, 2), wobble(1e5, 3));
  run = with_objects(run, "aa", "aa");
  for (record::Process& process : run.processes)
    if (process.side == 1) process.environment = {{"LD_LIBRARY_PATH", "/kept"}};
  EXPECT_TRUE(gate::same_objects_ran(run, "g/one"));
  for (record::Process& process : run.processes)
    if (process.side == 1) process.environment = {{"OMP_NUM_THREADS", "2"}};
  EXPECT_FALSE(gate::same_objects_ran(run, "g/one"));
}

}  // namespace
