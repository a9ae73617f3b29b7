// SPDX-License-Identifier: Apache-2.0
// What of the doctor's findings makes a comparison doubtful, how often it is said, and what is context.
#include "ci/gate/evidence/machine_doubts.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "ci/gate/judge.hpp"
#include "harness/machine/doctor/examine.hpp"
#include "tests/ci/gate/made_run.hpp"
#include "tests/harness/machine/captured_machine.hpp"

namespace torchgate::gate {
namespace {

using namespace std::chrono_literals;
using record::CheckAnswer;
using record::CheckSeverity;
using record::MachineCheck;
using reports::DoubtKind;
using testing::mentions;

MachineCheck bad(const std::string& name, const std::string& seen, CheckSeverity severity = CheckSeverity::warning) {
  return {name, CheckAnswer::bad, severity, seen, "fix " + name};
}
MachineCheck answered(const std::string& name, CheckAnswer answer) {
  return {name, answer, CheckSeverity::warning, "seen", ""};
}

class MachineDoubts : public ::testing::Test {
 protected:
  [[nodiscard]] MachineFindings found(const policy::Policy& policy = {}) const {
    return machine_findings({{&baseline_, "baseline"}, {&current_, "this run"}, {&pairs_, "the pairs"}}, policy);
  }
  [[nodiscard]] std::vector<std::string> texts() const {
    const auto doubts = found().doubts;
    return {doubts.begin(), doubts.end()};
  }

  record::Run baseline_;
  record::Run current_;
  record::Run pairs_;
};

TEST_F(MachineDoubts, OneCheckOfSeveralRunsIsOneDoubtWithWhatTheLastOneSaw) {
  baseline_.machine.checks_after = {bad("steal", "2 % stolen")};
  pairs_.machine.checks_after = {bad("steal", "7 % stolen")};
  EXPECT_EQ(texts(), std::vector<std::string>{"baseline and the pairs: 7 % stolen"});
  EXPECT_EQ(found().doubts.front().fix, "fix steal");
}

TEST_F(MachineDoubts, AllRunsAreNamedAndTheLastTells) {
  for (record::Run* const run : {&baseline_, &current_}) run->machine.checks_after = {bad("steal", "2 % stolen")};
  pairs_.machine.checks_before = {bad("steal", "4 % stolen")};
  EXPECT_EQ(texts(), std::vector<std::string>{"baseline, this run and the pairs: 4 % stolen"});
}

// As on a hosted runner that judges instructions only: what else runs there changes no count.
TEST_F(MachineDoubts, ABusyMachineIsNotADoubtWhereOnlyCountsAreJudged) {
  current_.machine.checks_after = {bad("other_load", "other programs used 54 %"),
                                   bad("assertions", "built with assertions", CheckSeverity::fatal)};
  Remarks remarks;
  policy::Policy policy;
  policy.rule = "exact";
  add_machine_findings(remarks, {{&current_, "this run"}}, policy);
  EXPECT_TRUE(mentions(remarks.notes, "this run: other programs used 54 %"));
  ASSERT_EQ(remarks.doubts.size(), 1U);
  EXPECT_EQ(remarks.doubts.front().kind, DoubtKind::unfit);
  add_machine_findings(remarks, {{&current_, "this run"}}, {});
  EXPECT_EQ(remarks.doubts.size(), 3U);
}

TEST_F(MachineDoubts, AllChecksOfOtherProgramsAreOneDoubt) {
  current_.machine.checks_before = {bad("load", "load 4"), bad("runnable", "3 runnable"), bad("cpu_pressure", "48 %"),
                                    bad("self_test", "loops vary")};
  current_.machine.checks_after = {bad("context_switches", "preempted"), bad("cpu_waiting", "waited 75 %"),
                                   bad("other_load", "other programs used 54 %")};
  EXPECT_EQ(texts(),
            std::vector<std::string>{"this run: other programs used 54 % (also: cpu_waiting, context_switches, "
                                     "cpu_pressure, runnable, load, self_test)"});
}

TEST_F(MachineDoubts, LoadThatEndedBeforeTheRunIsNotADoubt) {
  current_.machine.checks_before = {bad("load", "load 4"), bad("runnable", "3 runnable"), bad("cpu_pressure", "48 %")};
  current_.machine.checks_after = {answered("other_load", CheckAnswer::ok)};
  EXPECT_TRUE(texts().empty());
  current_.machine.checks_after = {answered("other_load", CheckAnswer::unknown)};
  EXPECT_EQ(texts(), std::vector<std::string>{"this run: 48 % (also: runnable, load)"});
  current_.machine.checks_after.clear();
  EXPECT_EQ(texts().size(), 1U);
  // Loops that do not repeat are a doubt whatever ran.
  current_.machine.checks_before.push_back(bad("self_test", "loops vary"));
  current_.machine.checks_after = {answered("other_load", CheckAnswer::ok)};
  EXPECT_EQ(texts(), std::vector<std::string>{"this run: loops vary"});
}

TEST_F(MachineDoubts, WhatTheMachineIsLikeIsContext) {
  for (record::Run* const run : {&baseline_, &current_, &pairs_}) {
    run->machine.checks_before = {bad("virtualisation", "running in a virtual machine"),
                                  answered("governor", CheckAnswer::unknown), bad("turbo", "turbo is on")};
    run->machine.checks_after = {answered("major_faults", CheckAnswer::unknown)};
  }
  EXPECT_TRUE(texts().empty());
  EXPECT_EQ(
      facts::words_of(found().context),
      std::vector<std::string>{"machine: running in a virtual machine; turbo is on; could not be checked: governor, "
                               "major_faults (`torchgate doctor` shows why)"});
  current_.machine.checks_before.pop_back();
  EXPECT_EQ(found().context.size(), 2U);
  EXPECT_TRUE(mentions(found().context, "machine (baseline and the pairs): running in a virtual machine; turbo is on"));
  EXPECT_TRUE(mentions(found().context, "machine (this run): running in a virtual machine; could not"));
}

TEST_F(MachineDoubts, ASettingThatChangedDuringARunIsADoubt) {
  current_.machine.checks_after = {bad("governor", "changed during the run: performance before, powersave after")};
  EXPECT_EQ(texts(), std::vector<std::string>{"this run: changed during the run: performance before, powersave after"});
  EXPECT_TRUE(found().context.empty());
}

TEST_F(MachineDoubts, UnfitIsFirstAndSaysWhatFollows) {
  baseline_.machine.checks_after = {bad("steal", "2 % stolen")};
  current_.machine.checks_after = {bad("thermal_throttling", "it was hot", CheckSeverity::fatal)};
  ASSERT_EQ(texts().size(), 2U);
  EXPECT_EQ(texts().front(), "this run: unfit: it was hot (times are not judged)");
  EXPECT_EQ(found().doubts.front().kind, DoubtKind::unfit);
  policy::Policy allowing;
  allowing.allow_noisy = true;
  EXPECT_EQ(found(allowing).doubts.front().fact, "this run: unfit: it was hot (judged anyway: --allow-noisy)");
}

TEST_F(MachineDoubts, AreFoundByNamesOfTheDoctorsTable) {
  using machine::doctor::find_kind;
  using machine::doctor::Moment;
  const std::vector<std::string_view> by_rank{"other_load", "cpu_waiting", "context_switches", "cpu_pressure",
                                              "runnable",   "load",        "self_test"};
  EXPECT_EQ(load_checks(), by_rank);
  for (const char* const name : {"load", "runnable", "cpu_pressure"})
    EXPECT_EQ(find_kind(name)->moment, Moment::before);
  int properties = 0;
  for (const machine::doctor::CheckKind& kind : machine::doctor::check_kinds()) {
    if (!is_machine_property(kind.name)) continue;
    ++properties;
    EXPECT_EQ(kind.moment, Moment::setting) << kind.name;
    EXPECT_NE(kind.severity, CheckSeverity::fatal) << kind.name;
  }
  EXPECT_EQ(properties, 14);
}

TEST_F(MachineDoubts, OfAReportStandWorstFirst) {
  record::Run before = testing::empty_run("aaaa");
  record::Run after = testing::empty_run("bbbb");
  for (record::Run* const run : {&before, &after}) testing::add_case(*run, "g/one/v", testing::around(1e5, 0.002));
  before.warnings = {"the clock jumped"};
  after.machine.checks_after = {bad("steal", "7 % stolen"), bad("quota_throttling", "throttled", CheckSeverity::fatal)};
  after.interrupted = true;
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  comparison.doubts = {{"two separate runs", DoubtKind::separate_runs}};
  policy::Policy policy;
  policy.doubts = {"the policy cannot be read"};
  const auto report = judge_stored(comparison, policy).value();
  const std::vector<std::string> texts(report.doubts.begin(), report.doubts.end());
  EXPECT_EQ(texts,
            (std::vector<std::string>{"this run: unfit: throttled (times are not judged)",
                                      "this run: was stopped before its plan was complete", "the policy cannot be read",
                                      "this run: 7 % stolen", "baseline: the clock jumped", "two separate runs"}));
}

TEST_F(MachineDoubts, LostProcessesOfARunAreOneDoubt) {
  record::Run run = testing::empty_run("aaaa");
  testing::add_case(run, "g/one/v", testing::around(1e5, 0.002));
  for (const std::size_t lost : {std::size_t{0}, std::size_t{3}}) {
    run.processes[lost].status = record::ProcessStatus::crashed;
    run.processes[lost].message = "killed";
  }
  const auto report = describe_run(run, {}).value();
  ASSERT_EQ(report.doubts.size(), 1U);
  EXPECT_EQ(report.doubts.front().fact,
            "this run: 2 processes were lost; the first: a process of g/one was lost: killed");
  EXPECT_EQ(report.doubts.front().kind, reports::DoubtKind::lost);
}

TEST_F(MachineDoubts, ProcessesThatWereNotStartedAreToldApart) {
  record::Run run = testing::empty_run("aaaa");
  testing::add_case(run, "g/one/v", testing::around(1e5, 0.002));
  const auto doubt = [&](std::size_t process, record::ProcessStatus status, const char* message) {
    run.processes[process].status = status;
    run.processes[process].message = message;
    return describe_run(run, {}).value().doubts.front().fact.words();
  };
  using record::ProcessStatus;
  EXPECT_EQ(doubt(0, ProcessStatus::not_started, "not started: no time"),
            "this run: a process of g/one was not measured: not started: no time");
  EXPECT_EQ(doubt(1, ProcessStatus::not_started, "not started: no time"),
            "this run: 2 processes were not measured; the first: a process of g/one was not measured: not started: no "
            "time");
  EXPECT_EQ(doubt(2, ProcessStatus::crashed, "killed"),
            "this run: a process of g/one was lost: killed; 2 more processes were not measured");
}

// That both sides are assumed to come from one machine says something of two.
TEST_F(MachineDoubts, OneRunOfAnUnknownMachineHasNone) {
  record::Run run = testing::empty_run("aaaa");
  testing::add_case(run, "g/one/v", testing::around(1e5, 0.002));
  run.machine.host_key.clear();
  EXPECT_TRUE(describe_run(run, {}).value().doubts.empty());
}

// From what the kernel and the doctor see to the report: a virtual machine on which nothing else runs, and a suite with two ranks that
// wait for each other, right after another run of torchgate.
TEST_F(MachineDoubts, AQuietVirtualMachineHasNone) {
  namespace doctor = machine::doctor;
  const machine::testing::CapturedMachine captured("virtual");
  doctor::Snapshot before = doctor::take_snapshot(captured.sources);
  before.process = {};
  before.load.load_average = 1.9;
  before.load.cpu_pressure_percent = 12.0;
  doctor::Snapshot after = before;
  after.process.cpu = 4s;
  after.process.involuntary_switches = 6390;
  after.process.voluntary_switches = 20559;
  *after.load.busy_ms += 4000;
  *after.load.total_ms += 20000;
  *after.load.cpu_pressure_us += 2'000'000;
  doctor::RunFacts facts;
  facts.wall = 10s;
  facts.switches = {{6390, 20559, 4s, 2}};
  facts.suite_build = "optimised";
  doctor::Probes probes;
  probes.build = "optimised";
  probes.timer_ns = 20;
  current_.machine.checks_before = doctor::examine(before, probes, {});
  current_.machine.checks_after = doctor::examine_run(before, after, facts, {});
  EXPECT_EQ(texts(), std::vector<std::string>{});
  EXPECT_TRUE(mentions(found().context, "running in a virtual machine"));
  *after.load.busy_ms += 4000;  // another program, for 4 of the 20 s of CPU time
  current_.machine.checks_after = doctor::examine_run(before, after, facts, {});
  EXPECT_EQ(texts().size(), 1U);
  EXPECT_TRUE(mentions(texts(), "this run: other programs used 20 % of the CPU time during the run"));
}

}  // namespace
}  // namespace torchgate::gate
