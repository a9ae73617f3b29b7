// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/pairs/layout.hpp"

#include <gtest/gtest.h>

#include "ci/gate/explain/explain.hpp"
#include "ci/gate/judge.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_paired_case;
using gate::testing::mentions;
using gate::testing::paired_run;
using gate::testing::wobble;
using reports::GateAction;
using reports::Outcome;
using reports::Verdict;

record::CodeComparison same_code(const std::string& case_name) {
  record::CodeComparison code;
  code.case_name = case_name;
  code.functions = 212;
  code.set_up_functions = 40;
  code.objects = 3;
  code.instructions_before = code.instructions_after = 5000;
  return code;
}

record::Run slower_and_faster() {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/slower", wobble(1e5, 2), wobble(1.1e5, 3));
  add_paired_case(run, "g/one/faster", wobble(1e5, 2), wobble(0.9e5, 3));
  add_paired_case(run, "g/one/same", wobble(1e5, 2), wobble(1e5, 3));
  return run;
}

const reports::Finding& finding_of(const reports::Report& report, const std::string& name) {
  for (const reports::Finding& finding : report.findings)
    if (finding.case_name == name && finding.metric.primary) return finding;
  throw std::runtime_error("no finding of " + name);
}

TEST(Layout, ATimeThatMovedWithoutAChangeOfCodeWarns) {
  record::Run run = slower_and_faster();
  ASSERT_EQ(gate::judge_paired(run, {})->outcome, Outcome::fail);
  run.code = {same_code("g/one/slower"), same_code("g/one/faster"), same_code("g/one/same")};
  const auto report = gate::judge_paired(run, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->outcome, Outcome::pass);
  const auto& slower = finding_of(*report, "g/one/slower");
  EXPECT_EQ(slower.verdict, Verdict::layout);
  EXPECT_EQ(slower.action, GateAction::warn);
  EXPECT_TRUE(
      mentions(slower.reasons, "all 212 functions that it executes are identical, and 40 of its set-up (3 files"));
  EXPECT_TRUE(slower.change && slower.p && slower.interval);
  const auto& faster = finding_of(*report, "g/one/faster");
  EXPECT_EQ(faster.verdict, Verdict::layout);
  EXPECT_EQ(faster.action, GateAction::note);
  EXPECT_EQ(finding_of(*report, "g/one/same").verdict, Verdict::equivalent);
  EXPECT_NE(report->headline.words().find("2 moved without a change of their code"), std::string::npos)
      << report->headline;
}

TEST(Layout, OneFunctionIsNotAll) {
  record::Run run = slower_and_faster();
  run.code = {same_code("g/one/slower")};
  run.code[0].functions = 1;
  run.code[0].set_up_functions = 0;
  const auto report = gate::judge_paired(run, {});
  EXPECT_TRUE(mentions(finding_of(*report, "g/one/slower").reasons, "the only function that it executes is identical"));
}

TEST(Layout, FunctionsThatChangedAndAreNotExecutedAreNamed) {
  record::Run run = slower_and_faster();
  run.code = {same_code("g/one/slower")};
  run.code[0].unexecuted = {{"_ZN6snappy10decompressEv", "libsnappy.so.1", "it exists after only", false}};
  run.code[0].unexecuted_count = 3;
  const auto report = gate::judge_paired(run, {});
  EXPECT_TRUE(mentions(finding_of(*report, "g/one/slower").reasons,
                       "changed, and not executed by it: snappy::decompress and 2 more"));
}

TEST(Layout, AFunctionThatChangedIsTheFirstCause) {
  record::Run run = slower_and_faster();
  run.code = {same_code("g/one/slower")};
  run.code[0].changed = {{"_ZN6snappy8compressEv", "libsnappy.so.1", "6 of 40 instructions differ", false}};
  run.code[0].changed_count = 2;
  const auto report = gate::judge_paired(run, {});
  const auto& slower = finding_of(*report, "g/one/slower");
  EXPECT_EQ(slower.verdict, Verdict::regressed);
  EXPECT_EQ(report->outcome, Outcome::fail);
  ASSERT_FALSE(slower.causes.empty());
  EXPECT_EQ(slower.causes.front(),
            "snappy::compress changed (6 of 40 instructions differ), and 1 more of 252 functions");
  const auto explained = gate::explain_case(run, nullptr, "g/one/slower");
  ASSERT_TRUE(explained) << explained.error().message;
  EXPECT_EQ(explained->causes.front(), slower.causes.front());
}

// Nothing clears a case but the whole proof.
TEST(Layout, WhatIsNotKnownClearsNothing) {
  record::Run run = slower_and_faster();
  run.code = {same_code("g/one/slower")};
  run.code[0].unknown = "valgrind is not in PATH";
  const auto report = gate::judge_paired(run, {});
  const auto& slower = finding_of(*report, "g/one/slower");
  EXPECT_EQ(slower.verdict, Verdict::regressed);
  EXPECT_EQ(slower.action, GateAction::fail);
  EXPECT_TRUE(mentions(slower.reasons, "whether its code changed is unknown: valgrind is not in PATH"));
  run.code = {same_code("g/one/slower")};
  policy::Policy without;
  without.compare_code = false;
  EXPECT_EQ(finding_of(*gate::judge_paired(run, without), "g/one/slower").verdict, Verdict::regressed);
  run.code = {same_code("g/one/another")};
  EXPECT_EQ(finding_of(*gate::judge_paired(run, {}), "g/one/slower").verdict, Verdict::regressed);
}

}  // namespace
