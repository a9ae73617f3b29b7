// SPDX-License-Identifier: Apache-2.0
// Rates and CPU times of Google Benchmark: per real time, per CPU time of a thread, and of all threads.
#include "ci/gate/evidence/one_clock.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {
namespace {

using record::Clock;
using record::Direction;
using reports::Outcome;
using reports::Verdict;

record::Measurement one_value(const std::string& metric, double value) {
  record::Measurement one;
  one.metric = metric;
  one.samples = {value};
  one.summary = record::SampleSummary{};
  one.summary->n = 1;
  one.summary->mean = one.summary->min = one.summary->p25 = one.summary->median = one.summary->p75 = one.summary->max =
      value;
  return one;
}

// Each process: a time, a CPU time, and ITEMS per call as a rate of CLOCK.
struct Measured {
  double time_ns = 1000;
  double cpu_ns = 250;
  double items = 100;
  Clock clock = Clock::cpu;
  Clock cpu_clock = Clock::cpu;
  bool cpu_judged = false;
  std::string rate = "items_per_second";
  int processes = 6;
};

record::Run run_of(const std::string& id, const Measured& one) {
  record::Run run = empty_run(id);
  const int step = id == "a" ? 1 : 2;
  add_case(run, "BM_a", wobble(one.time_ns, step, one.processes));
  record::Metric cpu{"cpu_time", "ns", Direction::lower_is_better, record::MetricKind::timed};
  cpu.clock = one.cpu_clock;
  cpu.judged = one.cpu_judged;
  record::Metric rate{one.rate, "items/s", Direction::higher_is_better, record::MetricKind::timed, false, false, true};
  rate.clock = one.clock;
  auto& metrics = run.cases.front().metrics;
  metrics.push_back(cpu);
  if (one.items > 0) metrics.push_back(rate);
  int i = 0;
  for (record::Process& process : run.processes) {
    record::CaseResult& result = process.cases.front();
    const double time = result.measurements.front().summary->median;
    result.measurements.front() = one_value("time", time);
    const double cpu_ns = one.cpu_ns * (1 + 0.003 * std::sin(1.7 * (i++ + step)));
    result.measurements.push_back(one_value("cpu_time", cpu_ns));
    if (one.items > 0)
      result.measurements.push_back(one_value(one.rate, one.items * 1e9 / (one.clock == Clock::real ? time : cpu_ns)));
  }
  return run;
}

reports::Report compared(const Measured& before, const Measured& after) {
  const record::Run was = run_of("a", before);
  const record::Run is = run_of("b", after);
  Comparison comparison;
  comparison.baseline = {&was};
  comparison.current = &is;
  auto report = judge_stored(comparison, policy::Policy());
  EXPECT_TRUE(report);
  return *report;
}

TEST(OneClock, AClockThatChangedDoesNotChangeTheRate) {
  for (const bool added : {true, false}) {
    Measured per_cpu;
    Measured per_real;
    per_real.clock = Clock::real;
    const auto report = added ? compared(per_cpu, per_real) : compared(per_real, per_cpu);
    EXPECT_EQ(report.outcome, Outcome::pass);
    EXPECT_EQ(report.findings.size(), 1U) << "the time";
  }
}

TEST(OneClock, HalfTheWorkIsSeenWhicheverClockTheRateIsPer) {
  Measured before;
  before.clock = Clock::real;
  Measured after;
  after.items = 50;
  const auto report = compared(before, after);
  const auto& rate = finding(report, "BM_a", "items_per_second");
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_TRUE(mentions(rate.reasons, "does half the work per call"));
  ASSERT_TRUE(rate.change);
  EXPECT_NEAR(*rate.change, -0.5, 0.02);
  EXPECT_TRUE(mentions(rate.reasons, "recomputed per real time"));
}

// The real time stands still, and so does the rate per CPU time: half the work in half the CPU time.
TEST(OneClock, LessWorkInLessCpuTimeIsSeenPerRealTime) {
  Measured before;
  Measured after;
  after.items = 50;
  after.cpu_ns = 125;
  const auto report = compared(before, after);
  EXPECT_EQ(report.outcome, Outcome::fail);
  const auto& rate = finding(report, "BM_a", "items_per_second");
  ASSERT_TRUE(rate.change);
  EXPECT_NEAR(*rate.change, -0.5, 0.02);
  EXPECT_TRUE(mentions(rate.reasons, "recomputed per real time, of which CPU time is a smaller share than before"));
  after.items = before.items;
  EXPECT_EQ(compared(before, after).outcome, Outcome::pass) << "the same work";
}

// The newest stored run has an improvement that older ones lack, and that this run takes back: older runs do not outvote it.
TEST(OneClock, LessWorkThanInTheNewestRunIsSeenAmongOlderOnesLikeIt) {
  Measured slow;
  slow.items = 50;
  slow.cpu_ns = 125;
  const record::Run newest = run_of("a", Measured{});
  const std::vector<record::Run> older{run_of("c", slow), run_of("d", slow), run_of("e", slow)};
  const record::Run is = run_of("b", slow);
  Comparison comparison;
  comparison.baseline = {&newest, &older[0], &older[1], &older[2]};
  comparison.current = &is;
  const auto report = judge_stored(comparison, policy::Policy());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->outcome, Outcome::fail);
  EXPECT_NEAR(finding(*report, "BM_a", "items_per_second").change.value_or(0), -0.5, 0.02);
}

// Per CPU time it says more: the CPU time for an item has doubled.
TEST(OneClock, MoreCpuTimeIsSeenPerCpuTime) {
  Measured before;
  Measured after;
  after.items = 50;
  after.cpu_ns = 250;
  after.time_ns = 500;
  const auto report = compared(before, after);
  const auto& rate = finding(report, "BM_a", "items_per_second");
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_TRUE(mentions(rate.reasons, "is per CPU time"));
  EXPECT_NEAR(rate.change.value_or(0), -0.5, 0.02);
}

record::Run pairs_of(const Measured& before, const Measured& after) {
  record::Run pairs = run_of("a", before);
  pairs.sides.resize(2);
  pairs.plan.processes = before.processes;
  for (record::Process process : run_of("b", after).processes) {
    process.side = 1;
    pairs.processes.push_back(process);
  }
  for (std::size_t i = 0; i < pairs.processes.size(); ++i) {
    pairs.processes[i].index = static_cast<std::int64_t>(i);
    pairs.processes[i].pair = static_cast<std::int64_t>(i % (pairs.processes.size() / 2));
  }
  return pairs;
}

TEST(OneClock, LessWorkInLessCpuTimeIsSeenInPairs) {
  Measured after;
  after.items = 50;
  after.cpu_ns = 125;
  const auto report = judge_paired(pairs_of(Measured{}, after), policy::Policy());
  ASSERT_TRUE(report);
  EXPECT_NEAR(finding(*report, "BM_a", "items_per_second").change.value_or(0), -0.5, 0.02);
}

// Per CPU time the pairs of a suspect rate stand still, as the stored rates do.
TEST(OneClock, PairsOfStoredRunsAreComparedPerRealTime) {
  Measured after;
  after.items = 50;
  after.cpu_ns = 125;
  Measured before;
  before.processes = after.processes = 30;  // enough for `equivalent` per CPU time
  const record::Run was = run_of("a", before);
  const record::Run is = run_of("b", after);
  record::Run pairs = pairs_of(before, after);
  pairs.plan.confirms = record::Confirms{is.id, was.id, 1};
  Comparison comparison;
  comparison.baseline = {&was};
  comparison.current = &is;
  const auto cases = cases_for_pairs(comparison, policy::Policy());
  ASSERT_TRUE(cases);
  EXPECT_EQ(cases->suspects, std::vector<std::string>{"BM_a"});
  comparison.pairs = &pairs;
  const auto report = judge_stored(comparison, policy::Policy());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->outcome, Outcome::fail);
  EXPECT_EQ(finding(*report, "BM_a", "items_per_second").verdict, Verdict::regressed);
}

TEST(OneClock, LessWorkInLessCpuTimeIsSeenInPairsThatDecideAlone) {
  Measured before;
  Measured after;
  after.items = 50;
  after.cpu_ns = 125;
  before.processes = after.processes = 30;
  const record::Run was = run_of("a", before);
  const record::Run is = run_of("b", after);
  record::Run pairs = pairs_of(before, after);
  pairs.plan.confirms = record::Confirms{is.id, was.id, 0};
  pairs.plan.confirms->open = {"BM_a"};
  pairs.plan.confirms->open_family = 2;  // the time and the rate
  Comparison comparison;
  comparison.baseline = {&was};
  comparison.current = &is;
  comparison.pairs = &pairs;
  const auto report = judge_since(comparison, policy::Policy());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->outcome, Outcome::fail);
}

// Which counters are rates is not known, so their values are not recomputed.
TEST(OneClock, AnOwnCounterByAnotherClockIsComparedByItsWorkOnly) {
  Measured before;
  before.rate = "tokens_per_second";
  Measured after = before;
  after.clock = Clock::real;
  EXPECT_EQ(compared(before, after).findings.size(), 1U);
  after.items = 50;
  const auto report = compared(before, after);
  EXPECT_EQ(finding(report, "BM_a", "tokens_per_second").verdict, Verdict::not_comparable);
  EXPECT_TRUE(mentions(finding(report, "BM_a", "tokens_per_second").reasons,
                       "its clock was CPU time of one thread and is real time"));
}

// /process_time added: the CPU time of all threads is another quantity.
TEST(OneClock, TheCpuTimeOfAllThreadsIsNotThatOfOne) {
  Measured before;
  Measured after;
  after.cpu_ns = 2000;
  after.clock = after.cpu_clock = Clock::process_cpu;
  after.cpu_judged = true;
  const auto report = compared(before, after);
  EXPECT_EQ(report.outcome, Outcome::pass);
  EXPECT_EQ(report.findings.size(), 1U);
}

// Without /process_time nothing would judge the threads that the baseline was judged by.
TEST(CpuTime, OfAllThreadsThatIsNoLongerAskedForIsNotComparable) {
  Measured before;
  before.items = 0;
  before.cpu_clock = Clock::process_cpu;
  before.cpu_judged = true;
  Measured after = before;
  after.cpu_clock = Clock::cpu;
  after.cpu_judged = false;
  const auto report = compared(before, after);
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(report.findings.size(), 2U);
  const auto& cpu = finding(report, "BM_a", "cpu_time");
  EXPECT_EQ(cpu.verdict, Verdict::not_comparable);
  EXPECT_TRUE(mentions(cpu.reasons, "its clock was CPU time of all threads and is CPU time of one thread"));
  after.cpu_clock = before.cpu_clock;
  EXPECT_EQ(compared(before, after).outcome, Outcome::pass) << "/real_time added: still of all threads, and compared";
}

TEST(CpuTime, OfAllThreadsIsJudgedWhereItIsAskedFor) {
  Measured before;
  before.items = 0;
  before.cpu_clock = Clock::process_cpu;
  before.cpu_judged = true;
  Measured after = before;
  after.cpu_ns = 500;
  const auto report = compared(before, after);
  EXPECT_EQ(report.outcome, Outcome::fail);
  const auto& cpu = finding(report, "BM_a", "cpu_time");
  EXPECT_EQ(cpu.verdict, Verdict::suspected);
  EXPECT_TRUE(mentions(cpu.reasons, "is the CPU time of all threads, which /process_time asks for"));
  after.cpu_ns = before.cpu_ns;
  EXPECT_EQ(compared(before, after).outcome, Outcome::pass);
}

// The rate of the same CPU time gives no second verdict.
TEST(CpuTime, ThatIsJudgedSaysWhatItsRateSays) {
  Measured before;
  before.cpu_clock = before.clock = Clock::process_cpu;
  before.cpu_judged = true;
  Measured after = before;
  after.time_ns = 500;
  after.cpu_ns = 325;
  const auto report = compared(before, after);
  EXPECT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(finding(report, "BM_a", "cpu_time").verdict, Verdict::suspected);
}

TEST(CpuTime, ThatNothingJudgesIsNoted) {
  Measured before;
  before.items = 0;
  Measured after = before;
  after.cpu_ns = 500;
  const auto report = compared(before, after);
  EXPECT_EQ(report.outcome, Outcome::pass);
  EXPECT_TRUE(mentions(report.notes, "1 metric that is not judged got worse: BM_a (cpu_time +"));
  after.time_ns = 2000;
  EXPECT_FALSE(mentions(compared(before, after).notes, "got worse")) << "the time says it";
}

// Such as NVBench's batch_time and host_time beside the time of single executions.
TEST(UnjudgedTime, ThatGotWorseIsNoted) {
  const auto with_batch_time = [](const char* id, double batch_ns) {
    Measured measured;
    measured.items = 0;
    record::Run run = run_of(id, measured);
    run.cases.front().metrics.push_back(
        {"batch_time", "ns", Direction::lower_is_better, record::MetricKind::timed, false});
    int i = 0;
    for (record::Process& process : run.processes)
      process.cases.front().measurements.push_back(one_value("batch_time", batch_ns * (1 + 0.001 * i++)));
    return run;
  };
  const auto notes = [&](double after_ns, const policy::Policy& policy) {
    const record::Run before = with_batch_time("a", 800);
    const record::Run after = with_batch_time("b", after_ns);
    Comparison comparison;
    comparison.baseline = {&before};
    comparison.current = &after;
    auto report = judge_stored(comparison, policy);
    EXPECT_TRUE(report);
    return report->notes;
  };
  EXPECT_TRUE(mentions(notes(1600, {}), "1 metric that is not judged got worse: BM_a (batch_time +100.0 %)"));
  EXPECT_FALSE(mentions(notes(400, {}), "got worse")) << "better";
  EXPECT_FALSE(mentions(notes(802, {}), "got worse")) << "0.2 %";
  policy::Policy judging;
  judging.metrics["batch_time"] = policy::Action::fail;
  EXPECT_FALSE(mentions(notes(1600, judging), "not judged got worse"));
}

TEST(CpuTime, ARateSaysThatItIsPerCpuTime) {
  Measured before;
  Measured after;
  after.time_ns = 800;
  after.cpu_ns = 300;
  const auto report = compared(before, after);
  EXPECT_TRUE(mentions(finding(report, "BM_a", "items_per_second").reasons, "is per CPU time: +"));
}

// A file has the clock for all of its counters, and does not tell which are rates.
TEST(CpuTime, AnotherCounterIsNotCalledPerCpuTime) {
  Measured before;
  before.rate = "allocs";
  Measured after = before;
  after.items = 50;
  const auto report = compared(before, after);
  EXPECT_FALSE(mentions(finding(report, "BM_a", "allocs").reasons, "is per CPU time"));
}

}  // namespace
}  // namespace torchgate::gate::testing
