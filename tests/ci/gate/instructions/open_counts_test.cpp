// SPDX-License-Identifier: Apache-2.0
// Cases that their times leave open: what their instructions decide, what they do not, and what is said of it.
#include "ci/gate/instructions/open_counts.hpp"

#include <gtest/gtest.h>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using reports::CountAnswer;
using reports::GateAction;
using reports::Outcome;
using reports::Verdict;

const std::string open_case = "g/one/open";
const std::string quiet_case = "g/one/quiet";

// Twenty pairs that differ from each other by up to 40 %, and by nothing in the middle.
void add_open(record::Run& run, const std::string& name) {
  std::vector<double> before;
  std::vector<double> after;
  for (int i = 0; i < 20; ++i) {
    before.push_back(1e5 * (1 + 0.4 * ((i * 3) % 7) / 6));
    after.push_back(1e5 * (1 + 0.4 * ((i * 5 + 2) % 7) / 6));
  }
  add_paired_case(run, name, before, after);
}

void add_count(record::Run& run, const std::string& name, std::int64_t side, std::vector<double> per_call,
               const std::string& capability = "AVX2; oneDNN AVX, MKL AVX") {
  record::InstructionCount count;
  count.case_name = name;
  count.side = side;
  count.counter = "callgrind-3.19.0";
  count.cpu_capability = capability;
  if (per_call.empty()) count.unknown = "its process was killed by signal 4 while it was counted";
  count.per_call = std::move(per_call);
  run.instructions.push_back(std::move(count));
}

// As many processes as a regression needs.
std::vector<double> five(double count) {
  return std::vector<double>(5, count);
}

record::Run open_pairs(std::vector<double> before, std::vector<double> after) {
  record::Run run = paired_run("pppp");
  add_open(run, open_case);
  add_count(run, open_case, 0, std::move(before));
  add_count(run, open_case, 1, std::move(after));
  return run;
}

policy::Policy policy_of_counts(const std::string& text = "") {
  policy::Policy policy;
  const auto applied = policy::apply_policy_text(policy, text, "/p/torchgate.toml");
  if (!applied) throw std::logic_error(applied.error().message);
  return policy;
}

reports::Report judged_counts(const record::Run& run, const policy::Policy& policy = {}) {
  auto report = gate::judge_paired(run, policy);
  if (!report) throw std::logic_error(report.error().message);
  return *std::move(report);
}

const reports::Finding* counted_in(const reports::Report& report) {
  for (const reports::Finding& each : report.findings)
    if (each.metric.name == "instructions") return &each;
  return nullptr;
}

TEST(OpenCounts, TheirTimesAreOpen) {
  record::Run run = paired_run("pppp");
  add_open(run, open_case);
  EXPECT_EQ(finding(judged_counts(run), open_case).verdict, Verdict::inconclusive) << "or the other tests say nothing";
}

TEST(OpenCounts, AtTheGateTheyAreARegressionThatFails) {
  const auto report = judged_counts(open_pairs(five(100'000), five(105'000)));
  const reports::Finding* const found = counted_in(report);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->verdict, Verdict::regressed);
  EXPECT_EQ(found->action, GateAction::fail);
  EXPECT_NEAR(*found->change, 0.05, 1e-12);
  EXPECT_EQ(found->before->value, 100'000);
  EXPECT_EQ(found->after->value, 105'000);
  EXPECT_EQ(found->estimator, stats::Estimator::count);
  EXPECT_TRUE(reports::is_counted_regression(*found));
  EXPECT_EQ(found->counted->counter, "callgrind-3.19.0");
  EXPECT_TRUE(mentions(found->reasons,
                       "counted in the pairs: +5 % instructions per call (callgrind-3.19.0, 10 "
                       "processes), at or above the gate of 5 %"));
  const reports::Finding& time = finding(report, open_case);
  EXPECT_EQ(time.verdict, Verdict::inconclusive) << "the time stays what it is";
  EXPECT_EQ(time.counted->answer, CountAnswer::regressed);
  EXPECT_TRUE(mentions(time.reasons, "its times leave it open; counted: +5 % instructions per call, which decides"));
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(report.headline, "g/one/open: regressed (+5.0 % instructions, counted)");
  EXPECT_EQ(report.decided.decided, 1);
  EXPECT_TRUE(mentions(report.notes, "times left 1 counted case open; by their instructions 1 regressed"));
}

TEST(OpenCounts, BelowTheGateTheNumberIsSaidAndNothingIsDecided) {
  const auto report = judged_counts(open_pairs(five(100'000), five(104'900)));
  EXPECT_EQ(counted_in(report), nullptr);
  const reports::Finding& time = finding(report, open_case);
  EXPECT_EQ(time.verdict, Verdict::inconclusive);
  EXPECT_EQ(time.counted->answer, CountAnswer::undecided);
  EXPECT_NEAR(time.counted->change, 0.049, 1e-12);
  EXPECT_TRUE(mentions(time.reasons,
                       "counted: +4.9 % instructions per call (callgrind-3.19.0, 10 processes), below the "
                       "gate of 5 %"));
  EXPECT_EQ(report.outcome, Outcome::no_verdict);
  EXPECT_EQ(report.decided.no_more_instructions, 0);
}

TEST(OpenCounts, FewerAreSaidAndDecideNothing) {
  const auto report = judged_counts(open_pairs(five(100'000), five(80'000)));
  EXPECT_EQ(counted_in(report), nullptr);
  EXPECT_TRUE(mentions(finding(report, open_case).reasons, "counted: fewer instructions: -20 % instructions per call"));
  EXPECT_EQ(report.decided.decided, 0);
}

TEST(OpenCounts, EqualOnesAreCountedInTheHeadlineAndStayUndecidedInTime) {
  record::Run run = open_pairs(five(100'000), five(100'200));
  add_slower(run, quiet_case, 1.0);
  const auto report = judged_counts(run);
  EXPECT_EQ(finding(report, open_case).counted->answer, CountAnswer::no_more) << "0.2 % is within gate.instructions";
  EXPECT_TRUE(
      mentions(finding(report, open_case).reasons, "counted: no more instructions: +0.2 % instructions per call"));
  EXPECT_EQ(report.decided.no_more_instructions, 1);
  EXPECT_EQ(report.decided.decided, 1);
  EXPECT_EQ(report.outcome, Outcome::pass) << "half is decided";
  EXPECT_EQ(report.headline.words().find(
                "no regression in 2 cases, 1 decided and 1 undecided (1 with no more instructions counted); a "
                "5 % slow-down would have been seen in "),
            0U)
      << report.headline;
  const auto above = judged_counts(open_pairs(five(100'000), five(100'201)));
  EXPECT_EQ(finding(above, open_case).counted->answer, CountAnswer::undecided);
}

TEST(OpenCounts, ACountThatDoesNotRepeatIsNotEvidence) {
  const auto larger = judged_counts(open_pairs({100'000, 104'000}, {108'000, 108'000}));
  EXPECT_EQ(counted_in(larger), nullptr) << "5.9 % more, and processes of one build differ by 4 %";
  EXPECT_TRUE(
      mentions(finding(larger, open_case).reasons,
               "its instructions are not evidence: the count does not repeat: processes of a side differ by 4 %"));
  EXPECT_FALSE(finding(larger, open_case).counted.has_value());
  EXPECT_TRUE(mentions(larger.notes,
                       "instructions of the open case g/one/open are not evidence: the count does not "
                       "repeat"));
  const auto equal = judged_counts(open_pairs({100'000, 100'300}, {100'150, 100'150}));
  EXPECT_EQ(equal.decided.no_more_instructions, 0) << "what differs by 0.3 % cannot be equal within 0.2 %";
  const auto far = judged_counts(open_pairs({100'000, 101'000, 100'000, 100'000, 100'000}, five(120'000)));
  ASSERT_NE(counted_in(far), nullptr) << "19 % is more than twice 1 %";
  const auto one_process = judged_counts(open_pairs({100'000}, {120'000}));
  EXPECT_EQ(counted_in(one_process), nullptr);
  EXPECT_TRUE(mentions(finding(one_process, open_case).reasons, "counted in one process"));
}

TEST(OpenCounts, CountsOfOtherKernelsLibTorchOrCpuCapabilityAreNotEvidence) {
  record::Run kernels = paired_run("pppp");
  add_open(kernels, open_case);
  add_count(kernels, open_case, 0, {100'000, 100'000}, "AVX2");
  add_count(kernels, open_case, 1, {120'000, 120'000}, "DEFAULT");
  EXPECT_EQ(counted_in(judged_counts(kernels)), nullptr);
  EXPECT_TRUE(mentions(finding(judged_counts(kernels), open_case).reasons, "kernels were chosen for AVX2"));

  record::Run capability = open_pairs(five(100'000), five(120'000));
  capability.machine.facts.push_back({"cpu_capability (before)", "AVX2", "", record::FactClass::warn});
  capability.machine.facts.push_back({"cpu_capability (after)", "AVX512", "", record::FactClass::warn});
  EXPECT_EQ(counted_in(judged_counts(capability)), nullptr);
  EXPECT_TRUE(mentions(finding(judged_counts(capability), open_case).reasons,
                       "LibTorch chose kernels for AVX2 before and for AVX512"));

  record::Run libtorch = open_pairs(five(100'000), five(120'000));
  libtorch.objects = {{"/a/libtorch_cpu.so", "libtorch_cpu.so", 1, 1, 1, std::string(64, 'a'), false, false},
                      {"/b/libtorch_cpu.so", "libtorch_cpu.so", 1, 2, 1, std::string(64, 'b'), false, false}};
  for (record::Process& process : libtorch.processes) process.objects = {process.side};
  EXPECT_EQ(counted_in(judged_counts(libtorch)), nullptr);
  EXPECT_TRUE(mentions(finding(judged_counts(libtorch), open_case).reasons, "LibTorch itself differs"));
}

TEST(OpenCounts, CountedWithOtherKernelsThanTimedIsSaid) {
  record::Run run = open_pairs(five(100'000), five(120'000));
  run.machine.facts.push_back({"cpu_capability", "AVX512", "", record::FactClass::warn});
  const auto report = judged_counts(run);
  ASSERT_NE(counted_in(report), nullptr);
  EXPECT_TRUE(mentions(counted_in(report)->reasons,
                       "counted with kernels for AVX2; oneDNN AVX, MKL AVX, timed with those for AVX512"));
  run.machine.facts.back().value = "AVX2";
  EXPECT_FALSE(mentions(counted_in(judged_counts(run))->reasons, "timed with"));
}

TEST(OpenCounts, WhatCannotBeCountedIsSaidOnce) {
  record::Run run = paired_run("pppp");
  for (const char* name : {"g/one/a", "g/one/b", "g/one/c"}) {
    add_open(run, name);
    for (const std::int64_t side : {0, 1}) {
      add_count(run, name, side, {});
      run.instructions.back().unknown =
          "valgrind is not in PATH; install it (Debian and Ubuntu: apt-get install valgrind)";
    }
  }
  const auto report = judged_counts(run);
  EXPECT_EQ(std::count_if(report.notes.begin(), report.notes.end(),
                          [](const std::string& note) { return note.find("valgrind") != std::string::npos; }),
            1);
  EXPECT_TRUE(mentions(report.notes,
                       "instructions of 3 open cases were not counted: valgrind is not in PATH; install "
                       "it (Debian and Ubuntu: apt-get install valgrind)"));
}

TEST(OpenCounts, OnlyOpenCasesAreDecided) {
  record::Run run = paired_run("pppp");
  add_slower(run, quiet_case, 1.0);
  add_count(run, quiet_case, 0, five(100'000));
  add_count(run, quiet_case, 1, five(120'000));
  const auto report = judged_counts(run);
  EXPECT_EQ(finding(report, quiet_case).verdict, Verdict::equivalent);
  EXPECT_EQ(counted_in(report), nullptr) << "its time is within the margin, and --instructions was not given";
}

TEST(OpenCounts, ThePolicyLeavesThemOut) {
  const auto run = open_pairs(five(100'000), five(120'000));
  const auto off = judged_counts(run, policy_of_counts("[gate]\ncount_undecided = false\n"));
  EXPECT_EQ(counted_in(off), nullptr);
  EXPECT_FALSE(finding(off, open_case).counted.has_value());
  EXPECT_EQ(off.outcome, Outcome::no_verdict);
}

TEST(OpenCounts, SettingsOfTheCaseAndOfItsTimeHold) {
  const auto run = open_pairs(five(100'000), five(120'000));
  const auto own_gate = judged_counts(run, policy_of_counts("[[case]]\nmatch = \"open\"\nlatency = 0.3\n"));
  EXPECT_EQ(counted_in(own_gate), nullptr) << "+20 % is below the gate of this case";
  const auto time = judged_counts(run, policy_of_counts("[[case]]\nmatch = \"open\"\nmetrics = { time = \"warn\" }\n"));
  EXPECT_EQ(counted_in(time)->action, GateAction::warn);
  const auto count =
      judged_counts(run, policy_of_counts("[[case]]\nmatch = \"open\"\nmetrics = { instructions = \"pass\" }\n"));
  EXPECT_EQ(counted_in(count)->action, GateAction::note);
}

TEST(OpenCounts, AWaiverOfTheTimeCoversThem) {
  const auto run = open_pairs(five(100'000), five(120'000));
  policy::Policy policy;
  policy.today = std::chrono::year_month_day(std::chrono::year(2026), std::chrono::month(1), std::chrono::day(1));
  policy::Waiver waiver;
  waiver.case_name = open_case;
  waiver.metric = "time";
  waiver.ceiling = 0.25;
  waiver.reason = "exact erf";
  waiver.expires = *policy.today;
  policy.waivers = {waiver};
  const auto waived = judged_counts(run, policy);
  EXPECT_TRUE(counted_in(waived)->waived);
  EXPECT_EQ(waived.outcome, Outcome::pass);
  EXPECT_TRUE(mentions(waived.notes, "waived: g/one/open (time), +20.0 % instructions, ceiling 25 %: exact erf"));
  policy.waivers.front().ceiling = 0.15;
  EXPECT_EQ(judged_counts(run, policy).outcome, Outcome::fail);
  EXPECT_TRUE(mentions(judged_counts(run, policy).notes, "waiver exceeded"));
  policy.waivers.front().metric = "instructions";
  policy.waivers.front().ceiling = 120'000;
  EXPECT_TRUE(counted_in(judged_counts(run, policy))->waived) << "as `accept` writes it";
}

TEST(OpenCounts, TimesOfAnUnfitMachineAreOpenToo) {
  record::Run run = open_pairs(five(100'000), five(120'000));
  add_slower(run, quiet_case, 1.0);
  add_count(run, quiet_case, 0, five(100'000));
  add_count(run, quiet_case, 1, five(120'000));
  run.machine.checks_before = {
      {"CPU throttling", record::CheckAnswer::bad, record::CheckSeverity::fatal, "throttled", ""}};
  const auto report = judged_counts(run);
  EXPECT_TRUE(report.unfit);
  EXPECT_EQ(std::count_if(report.findings.begin(), report.findings.end(), reports::is_counted_regression), 2)
      << "counts do not depend on the machine's state";
}

TEST(OpenCounts, ExactMetricsOfBothRunsDecideASuspect) {
  record::Run base = empty_run("aaaa");
  record::Run current = empty_run("bbbb");
  add_case(base, open_case, around(1e5, 0.03));
  add_case(current, open_case, around(1.12e5, 0.03));
  for (record::Run* run : {&base, &current}) run->plan.count = record::CountPlan{"any", 2, 3};
  add_count(base, open_case, 0, {100'000, 100'000});
  add_count(current, open_case, 0, {112'000, 112'000});
  gate::Comparison comparison;
  comparison.baseline = {&base};
  comparison.current = &current;
  const auto report = gate::judge_stored(comparison, {}).value();
  EXPECT_NE(finding(report, open_case).verdict, Verdict::regressed) << "no pairs confirmed it";
  ASSERT_NE(counted_in(report), nullptr);
  EXPECT_EQ(counted_in(report)->verdict, Verdict::regressed);
  EXPECT_EQ(counted_in(report)->action, GateAction::fail);
  EXPECT_TRUE(mentions(counted_in(report)->reasons, "counted in the stored runs: +12 % instructions per call"));
  policy::Policy off;
  off.count_undecided = false;
  EXPECT_EQ(counted_in(gate::judge_stored(comparison, off).value())->verdict, Verdict::changed);
}

TEST(CasesToCount, AreThoseThatTimesLeaveOpenTheSlowestFirst) {
  record::Run run = paired_run("pppp");
  add_slower(run, quiet_case, 1.0);
  add_slower(run, "g/one/slower", 1.3);
  add_open(run, open_case);
  std::vector<double> before;
  std::vector<double> after;
  for (int i = 0; i < 20; ++i) {
    before.push_back(1e5 * (1 + 0.8 * ((i * 3) % 7) / 6));
    after.push_back(1.2e5 * (1 + 0.8 * ((i * 5 + 2) % 7) / 6));
  }
  add_paired_case(run, "g/one/looks_slower", before, after);
  const auto found = gate::follow_up(run, {});
  EXPECT_EQ(found.open_slower, std::vector<std::string>{"g/one/looks_slower"});
  EXPECT_EQ(found.open_others, std::vector<std::string>{open_case});
  add_count(run, open_case, 0, five(1));
  EXPECT_TRUE(gate::follow_up(run, {}).open_others.empty()) << "counted already";
}

TEST(OpenCounts, ARegressionNeedsMoreProcessesThanTwo) {
  const auto run = open_pairs({100'000, 100'000}, {120'000, 120'000});
  const auto report = judged_counts(run);
  EXPECT_EQ(counted_in(report), nullptr);
  EXPECT_TRUE(mentions(finding(report, open_case).reasons, "+20 % in 2 processes per side, and a regression needs 5"));
  EXPECT_EQ(gate::cases_to_count_again(run, {}), std::vector<std::string>{open_case});
  EXPECT_TRUE(gate::cases_to_count_again(open_pairs(five(100'000), five(120'000)), {}).empty()) << "counted enough";
  EXPECT_TRUE(gate::cases_to_count_again(open_pairs({100'000, 100'000}, {104'000, 104'000}), {}).empty());
  const auto wider = policy_of_counts("[[case]]\nmatch = \"open\"\nlatency = 0.3\n");
  EXPECT_TRUE(gate::cases_to_count_again(run, wider).empty()) << "below the gate of its case";
}

// Two threads that wait for each other: 47.5 or 50.5 million instructions, as chance has it in each process.
TEST(OpenCounts, OneOfTwoNumbersInEachProcessIsNotARegression) {
  const double few = 47.5e6;
  const double many = 50.5e6;
  const auto report = judged_counts(open_pairs({few, few, many, few, few}, {many, many, many, few, many}));
  EXPECT_EQ(counted_in(report), nullptr);
  EXPECT_TRUE(mentions(finding(report, open_case).reasons, "the count does not repeat"));
}

TEST(CasesToCount, LeaveIdenticalFilesOut) {
  record::Run run = paired_run("pppp");
  add_open(run, open_case);
  run.objects = {{"/a/suite", "", 1, 1, 1, std::string(64, 'a'), true, false}};
  for (record::Process& process : run.processes) process.objects = {0};
  const auto found = gate::follow_up(run, {});
  EXPECT_TRUE(found.open_slower.empty() && found.open_others.empty()) << "no code differs";
}

}  // namespace
