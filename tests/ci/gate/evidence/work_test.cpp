// SPDX-License-Identifier: Apache-2.0
// Rates beside times, and values without a logarithm, in stored comparisons and in pairs.
#include "ci/gate/evidence/work.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ci/gate/judge.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {
namespace {

using record::Direction;
using reports::GateAction;
using reports::Verdict;

const record::Metric rate{
    "items_per_second", "items/s", Direction::higher_is_better, record::MetricKind::timed, false, false, true};

record::Measurement measurement(const record::Metric& metric, double value) {
  record::Measurement one;
  one.metric = metric.name;
  one.samples = {value};
  one.summary = record::SampleSummary{};
  one.summary->n = 1;
  one.summary->mean = one.summary->min = one.summary->p25 = one.summary->median = one.summary->p75 = one.summary->max =
      value;
  return one;
}

// VALUE of each result, given its median time and its number.
void add_metric(record::Run& run, const record::Metric& metric,
                const std::function<double(double ns, int i, int side)>& value) {
  for (record::Case& definition : run.cases) definition.metrics.push_back(metric);
  std::vector<int> counts(2);
  for (record::Process& process : run.processes) {
    for (record::CaseResult& result : process.cases) {
      int& i = counts.at(static_cast<std::size_t>(process.side));
      const double ns = result.measurements.front().summary->median;
      result.measurements.push_back(measurement(metric, value(ns, i++, static_cast<int>(process.side))));
    }
  }
}

double near_one(int i) {
  return 1 + 0.002 * std::sin(1.3 * i);
}

record::Run served(const std::string& id, double per_second, int step) {
  record::Run run = empty_run(id);
  add_case(run, "serve", wobble(1e9, step, 6));
  add_metric(run, rate, [=](double, int i, int) { return per_second * near_one(i + step); });
  return run;
}

reports::Report compared(const record::Run& before, const record::Run& after, const policy::Policy& policy = {}) {
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  auto report = judge_stored(comparison, policy);
  EXPECT_TRUE(report);
  return *report;
}

TEST(Work, ARateThatFallsWhileTheTimeStandsStillFails) {
  const auto report = compared(served("a", 2e6, 1), served("b", 1e6, 2));
  const auto& fell = finding(report, "serve", rate.name);
  EXPECT_EQ(fell.verdict, Verdict::suspected);
  EXPECT_EQ(fell.action, GateAction::fail);
  EXPECT_TRUE(mentions(fell.reasons, "does half the work per call"));
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  policy::Policy tolerant;
  tolerant.case_rules.push_back({"serve", true, {}, {{rate.name, policy::Action::pass}}, "torchgate.toml:1"});
  EXPECT_EQ(compared(served("a", 2e6, 1), served("b", 1e6, 2), tolerant).outcome, reports::Outcome::pass);
}

TEST(Work, ARateOfTheSameWorkGivesNoSecondVerdict) {
  const auto built = [](const std::string& id, double ns) {
    record::Run run = empty_run(id);
    add_case(run, "sum", wobble(ns, 3, 6));
    add_metric(run, rate, [](double time, int, int) { return 1e12 / time; });
    return run;
  };
  const auto report = compared(built("a", 1e5), built("b", 1.5e5));
  EXPECT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(finding(report, "sum").action, GateAction::fail);
}

// Of a suite that states its work: the same sentence without a rate.
// Google Benchmark's rates are of CPU time; where real time is mostly waiting, nothing else judges that.
TEST(Work, ARateOfACpuTimeThatGrewAloneIsJudged) {
  const record::Metric cpu{"cpu_time", "ns", Direction::lower_is_better, record::MetricKind::timed, false};
  const auto waiting = [&](const std::string& id, double cpu_ns, int step) {
    record::Run run = empty_run(id);
    add_case(run, "serve", wobble(1e9, step, 6));
    add_metric(run, cpu, [=](double, int i, int) { return cpu_ns * near_one(i + step); });
    add_metric(run, rate, [=](double, int i, int) { return 1e9 / (cpu_ns * near_one(i + step)); });
    return run;
  };
  const auto slower = compared(waiting("a", 1e7, 1), waiting("b", 2e7, 2));
  EXPECT_EQ(finding(slower, "serve", rate.name).verdict, Verdict::suspected);
  EXPECT_EQ(compared(waiting("a", 1e7, 1), waiting("b", 1e7, 2)).findings.size(), 1U);
  policy::Policy of_cpu;
  of_cpu.case_rules.push_back({"serve", true, {}, {{"cpu_time", policy::Action::fail}}, "torchgate.toml:1"});
  const auto once = compared(waiting("a", 1e7, 1), waiting("b", 2e7, 2), of_cpu);
  EXPECT_EQ(once.findings.size(), 2U) << "the CPU time says it";
}

// Throughput that rises while a latency rises as much: their product does not stay the same.
TEST(Work, ALatencyBesideARateIsJudged) {
  const record::Metric latency{"p99", "ms", Direction::lower_is_better, record::MetricKind::timed, false, false, true};
  const auto served_by_rate = [&](const std::string& id, double factor, int step) {
    record::Run run = empty_run(id);
    add_case(run, "serve", wobble(1e3 * factor, step, 6));
    run.cases.front().metrics.front() = {"ops", "1/s", Direction::higher_is_better, record::MetricKind::timed, true};
    for (record::Process& process : run.processes) process.cases.front().measurements.front().metric = "ops";
    add_metric(run, latency, [=](double ops, int, int) { return ops / 100; });
    return run;
  };
  const auto report = compared(served_by_rate("a", 1, 1), served_by_rate("b", 2, 2));
  EXPECT_EQ(finding(report, "serve", "p99").verdict, Verdict::suspected);
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
}

record::Run stated(const std::string& id, double ns, std::optional<double> record::Case::*work, double per_call,
                   const std::string& rate_name = "") {
  record::Run run = empty_run(id);
  add_case(run, "sum", wobble(ns, 3, 6));
  run.cases.front().*work = per_call;
  if (!rate_name.empty())
    add_metric(run, {rate_name, "1/s", Direction::higher_is_better, record::MetricKind::timed, false},
               [=](double time, int, int) { return 1e9 * per_call / time; });
  return run;
}

// A hundredth of the items in the same time would be within the margin.
TEST(Work, OtherStatedWorkIsNotComparable) {
  const auto items = &record::Case::items_per_call;
  const auto report = compared(stated("a", 1e5, items, 100), stated("b", 1e5, items, 1));
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  const auto& found = finding(report, "sum");
  EXPECT_EQ(found.verdict, Verdict::not_comparable);
  EXPECT_TRUE(mentions(found.reasons, "its number of items per call was 100 and is 1"));
  const auto bytes = &record::Case::bytes_per_call;
  EXPECT_TRUE(mentions(finding(compared(stated("a", 1e5, bytes, 4096), stated("b", 1e5, bytes, 8192)), "sum").reasons,
                       "its number of bytes per call was 4096 and is 8192"));
  EXPECT_EQ(finding(compared(stated("a", 1e5, items, 1000), stated("b", 1e5, items, 1009)), "sum").verdict,
            Verdict::equivalent)
      << "within 1 %";
  record::Run unstated = stated("b", 1e5, items, 1);
  unstated.cases.front().items_per_call.reset();
  EXPECT_EQ(finding(compared(stated("a", 1e5, items, 100), unstated), "sum").verdict, Verdict::equivalent);
}

// Go prints MB/s with two decimals: small ones are recorded and not judged, and what a call reads is known from them alone.
TEST(Work, WorkThatARateTellsIsSaidOfTheTime) {
  const auto bytes = &record::Case::bytes_per_call;
  const auto report = compared(stated("a", 1e5, bytes, 8, "MB/s"), stated("b", 1.8e5, bytes, 16, "MB/s"));
  EXPECT_TRUE(
      mentions(finding(report, "sum").reasons, "does twice the work per call: +80.0 % time, +11.1 % throughput"));
}

// Of no known clock, and not the reciprocal of either time. Its product with the CPU time varies less by chance.
TEST(Work, ACpuTimeThatGrewAloneIsNotMoreWork) {
  const record::Metric cpu{"cpu_time", "ns", Direction::lower_is_better, record::MetricKind::timed, false};
  const auto served_with = [&](const std::string& id, double cpu_ns, int step) {
    const auto per_second = [=](int i) { return 1e3 * (1 + 0.006 * std::sin(1.3 * (i + step))); };
    record::Run run = empty_run(id);
    add_case(run, "serve", wobble(1e6, step, 6));
    add_metric(run, cpu, [=](double, int i, int) { return cpu_ns * 1e3 / per_second(i); });
    add_metric(run, rate, [=](double, int i, int) { return per_second(i); });
    return run;
  };
  policy::Policy of_cpu;
  of_cpu.case_rules.push_back({"serve", true, {}, {{"cpu_time", policy::Action::fail}}, "torchgate.toml:1"});
  const auto report = compared(served_with("a", 1e6, 1), served_with("b", 2e6, 2), of_cpu);
  EXPECT_EQ(finding(report, "serve", "cpu_time").verdict, Verdict::suspected);
  EXPECT_FALSE(mentions(finding(report, "serve", "cpu_time").reasons, "work per call"));
}

TEST(Work, ARateThatVanishedIsMissing) {
  record::Run after = empty_run("b");
  add_case(after, "serve", wobble(1e9, 2, 6));
  const auto report = compared(served("a", 2e6, 1), after);
  EXPECT_EQ(finding(report, "serve", rate.name).verdict, Verdict::missing);
}

// A process whose first repetition lacks a counter has none: no failure where the baseline has it as rarely.
void drop_rate(record::Run& run, std::size_t process) {
  auto& all = run.processes.at(process).cases.front().measurements;
  std::erase_if(all, [](const record::Measurement& one) { return one.metric == rate.name; });
}

// A change cannot take its own metric out of what is judged.
TEST(Work, ARateThatTheChangeNoLongerDeclaresIsJudged) {
  record::Run after = served("b", 1e6, 2);
  after.cases.front().metrics.back().judged = false;
  const auto report = compared(served("a", 2e6, 1), after);
  EXPECT_EQ(finding(report, "serve", rate.name).verdict, Verdict::suspected);
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  EXPECT_FALSE(mentions(report.notes, "not judged got worse"));
}

TEST(Work, ARateThatIsCountedNowIsNotComparable) {
  record::Run after = served("b", 1e6, 2);
  after.cases.front().metrics.back().judged = false;
  after.cases.front().metrics.back().kind = record::MetricKind::exact;
  for (record::Process& process : after.processes) {
    record::Measurement& last = process.cases.front().measurements.back();
    last = record::Measurement{};
    last.metric = rate.name;
    last.value = 1e6;
  }
  record::Run before = served("a", 2e6, 1);
  const auto report = compared(before, after);
  const auto& counted_now = finding(report, "serve", rate.name);
  EXPECT_EQ(counted_now.verdict, Verdict::not_comparable);
  EXPECT_TRUE(mentions(counted_now.reasons, "its kind was timed and is exact"));
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  before.cases.front().metrics.back().judged = false;
  EXPECT_EQ(compared(before, after).outcome, reports::Outcome::pass) << "nothing judged it";
  policy::Policy gated;
  gated.case_rules.push_back({"serve", true, {}, {{rate.name, policy::Action::fail}}, "torchgate.toml:1"});
  EXPECT_EQ(compared(before, after, gated).outcome, reports::Outcome::fail);
}

TEST(Work, ARateThatSomeProcessesLackIsMissingWhereMoreLackItThanBefore) {
  record::Run before = served("a", 2e6, 1);
  record::Run after = served("b", 2e6, 2);
  drop_rate(after, 2);
  const auto fewer = compared(before, after);
  EXPECT_EQ(finding(fewer, "serve", rate.name).verdict, Verdict::missing);
  EXPECT_TRUE(mentions(finding(fewer, "serve", rate.name).reasons,
                       "1 of 6 processes have no numbers of it; in the baseline 0 of 6 have none"));
  drop_rate(before, 4);
  const auto as_often = compared(before, after);
  EXPECT_EQ(finding(as_often, "serve", rate.name).verdict, finding(as_often, "serve").verdict);
  EXPECT_EQ(as_often.outcome, reports::Outcome::pass);
  drop_rate(before, 5);
  EXPECT_EQ(compared(before, after).outcome, reports::Outcome::pass) << "more than before";
  record::Run fell = served("c", 1e6, 2);
  drop_rate(fell, 0);
  EXPECT_EQ(finding(compared(before, fell), "serve", rate.name).action, GateAction::fail);
}

TEST(Work, AnInvalidRateFailsWhateverTheBaselineLacks) {
  record::Run before = served("a", 2e6, 1);
  record::Run after = served("b", 2e6, 2);
  drop_rate(before, 1);
  drop_rate(before, 2);
  after.processes.at(3).cases.front().measurements.back() = measurement(rate, 1e200);
  EXPECT_EQ(finding(compared(before, after), "serve", rate.name).verdict, Verdict::failed);
}

TEST(Work, APairedRateThatBothSidesLackAsOftenIsJudged) {
  record::Run run = paired_run("p");
  add_paired_case(run, "serve", wobble(1e9, 1), wobble(1e9, 2));
  add_metric(run, rate, [](double, int i, int side) { return (side == 0 ? 2e6 : 1e6) * near_one(i + 5 * side); });
  drop_rate(run, 4);
  drop_rate(run, 5);
  const auto report = judge_paired(run, {});
  ASSERT_TRUE(report);
  EXPECT_EQ(finding(*report, "serve", rate.name).verdict, Verdict::regressed);
}

TEST(Work, AnEarlierRunWithoutALogarithmIsNotPooled) {
  const record::Run newest = served("b", 2e6, 1);
  const record::Run fell = served("c", 1e6, 2);
  for (const double odd : {0.0, -3.0}) {
    record::Run older = served("a", 2e6, 3);
    older.processes.at(1).cases.front().measurements.back() = measurement(rate, odd);
    Comparison comparison;
    comparison.baseline = {&newest, &older};
    comparison.current = &fell;
    const auto report = judge_stored(comparison, {});
    ASSERT_TRUE(report);
    const auto& found = finding(*report, "serve", rate.name);
    EXPECT_EQ(found.verdict, Verdict::suspected) << odd;
    EXPECT_EQ(found.action, GateAction::fail);
    EXPECT_TRUE(mentions(found.reasons, "1 earlier stored run has a value of 0 or less, and not pooled"));
  }
}

TEST(Work, EveryDeclaredRateSharesAlphaWhateverItSays) {
  record::Run run = paired_run("p");
  add_paired_case(run, "sum", wobble(1e5, 1), wobble(1e5, 2));
  EXPECT_EQ(family_of(run, {"sum"}, {}), 1U);
  // On each side by itself the rate follows the time; the work changed between them.
  add_metric(run, rate, [](double ns, int, int side) { return (side == 0 ? 1e12 : 2e12) / ns; });
  EXPECT_EQ(family_of(run, {"sum"}, {}), 2U);
  record::Run nothing_yet = run;
  nothing_yet.processes.clear();
  EXPECT_EQ(family_of(nothing_yet, {"sum"}, {}), 2U) << "the same before the first pair";
  policy::Policy named;
  named.case_rules.push_back({"sum", true, {}, {{rate.name, policy::Action::pass}}, "torchgate.toml:1"});
  EXPECT_EQ(family_of(run, {"sum"}, named), 1U);
  named.case_rules.front().metrics = {{rate.name, policy::Action::fail}};
  EXPECT_EQ(family_of(run, {"sum"}, named), 2U) << "once";
}

TEST(Work, PairsJudgeRates) {
  const auto pairs = [](double after) {
    record::Run run = paired_run("p");
    add_paired_case(run, "serve", wobble(1e9, 1), wobble(1e9, 2));
    add_metric(run, rate, [=](double, int i, int side) { return (side == 0 ? 2e6 : after) * near_one(i + 5 * side); });
    return run;
  };
  const auto slower = judge_paired(pairs(1e6), {});
  ASSERT_TRUE(slower);
  EXPECT_EQ(finding(*slower, "serve", rate.name).verdict, Verdict::regressed);
  EXPECT_EQ(finding(*slower, "serve", rate.name).action, GateAction::fail);
  EXPECT_EQ(finding(*slower, "serve").verdict, Verdict::equivalent);
  EXPECT_TRUE(slower->headline.words().starts_with("serve: items_per_second regressed")) << slower->headline;
  const auto gone = judge_paired(pairs(0), {});
  ASSERT_TRUE(gone);
  const auto& zero = finding(*gone, "serve", rate.name);
  EXPECT_EQ(zero.action, GateAction::fail);
  EXPECT_EQ(zero.change, -1);
  EXPECT_FALSE(zero.interval);
  ASSERT_TRUE(zero.before && zero.after);
  EXPECT_NEAR(zero.before->value, 2e6, 2e4);
  EXPECT_NEAR(zero.after->value, 0, 1e-6);
  EXPECT_FALSE(std::signbit(zero.after->value)) << "printed as -0";
}

TEST(InUnits, ALeakThatChangesItsSignIsJudged) {
  const record::Metric leak{"leak", "bytes", Direction::lower_is_better, record::MetricKind::timed, false, false, true};
  const auto leaking = [&](const std::string& id, double bytes, int step) {
    record::Run run = empty_run(id);
    add_case(run, "loop", wobble(1e5, step, 6));
    add_metric(run, leak, [=](double, int i, int) { return bytes * near_one(i + step); });
    return run;
  };
  const auto& worse = compared(leaking("a", -2, 1), leaking("b", 3, 2));
  EXPECT_EQ(finding(worse, "loop", "leak").action, GateAction::fail);
  EXPECT_FALSE(finding(worse, "loop", "leak").change) << "nothing to be relative to";
  EXPECT_NE(finding(compared(leaking("a", 3, 1), leaking("b", -2, 2)), "loop", "leak").action, GateAction::fail);
  EXPECT_EQ(finding(compared(leaking("a", 0, 1), leaking("b", 0, 2)), "loop", "leak").verdict, Verdict::equivalent);
}

// What pairs decided by ratios is no longer said to be a difference; what the call does stays said.
TEST(InUnits, PairsWithLogarithmsTakeBackThatItWasADifference) {
  const auto with_rate = [](record::Run run, double before, double after) {
    add_metric(run, rate,
               [=](double, int i, int side) { return (side == 0 ? before : after) * near_one(i + 5 * side); });
    return run;
  };
  const auto stored = [&](const std::string& id, double per_second, int step) {
    record::Run run = empty_run(id);
    add_case(run, "serve", wobble(1e9, step, 6));
    return with_rate(run, per_second, per_second);
  };
  const record::Run before = stored("a", 2e6, 1);
  record::Run after = stored("b", 1e6, 2);
  after.processes.at(1).cases.front().measurements.back() = measurement(rate, 0);
  record::Run pairs = paired_run("p");
  add_paired_case(pairs, "serve", wobble(1e9, 1), wobble(1e9, 2));
  pairs = with_rate(pairs, 2e6, 1e6);
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  const std::string difference = "judged as a difference in its unit";
  const auto alone = judge_stored(comparison, {});
  ASSERT_TRUE(alone);
  EXPECT_TRUE(mentions(finding(*alone, "serve", rate.name).reasons, difference));
  comparison.pairs = &pairs;
  comparison.confirmable = true;
  const auto confirmed = judge_stored(comparison, {});
  ASSERT_TRUE(confirmed);
  const auto& found = finding(*confirmed, "serve", rate.name);
  EXPECT_EQ(found.verdict, Verdict::regressed);
  EXPECT_TRUE(found.interval);
  EXPECT_FALSE(mentions(found.reasons, difference));
}

TEST(Work, OtherWorkIsStillSaidOfAConfirmedSuspect) {
  const record::Run before = served("a", 2e6, 1);
  const record::Run after = served("b", 1e6, 2);
  record::Run pairs = paired_run("p");
  add_paired_case(pairs, "serve", wobble(1e9, 1), wobble(1e9, 2));
  add_metric(pairs, rate, [](double, int i, int side) { return (side == 0 ? 2e6 : 1e6) * near_one(i + 5 * side); });
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  comparison.pairs = &pairs;
  comparison.confirmable = true;
  const auto report = judge_stored(comparison, {});
  ASSERT_TRUE(report);
  EXPECT_EQ(finding(*report, "serve", rate.name).verdict, Verdict::regressed);
  EXPECT_TRUE(mentions(finding(*report, "serve", rate.name).reasons, "does half the work per call"));
}

}  // namespace
}  // namespace torchgate::gate::testing
