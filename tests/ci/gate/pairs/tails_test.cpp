// SPDX-License-Identifier: Apache-2.0
// Tails through judge_paired: a planted slow tail with an unchanged median, too few samples, and the policy's word.
#include "ci/gate/pairs/tails.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "ci/gate/judge.hpp"
#include "harness/record/sample_summary.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_paired_case;
using gate::testing::paired_run;
using reports::GateAction;
using reports::Verdict;

// Pairs whose processes have `n` samples around 1e5 ns, the slowest tenth `tail` times as slow on the after side.
record::Run with_tail(double tail, int n, std::size_t pairs = 20) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/v", std::vector<double>(pairs, 1e5), std::vector<double>(pairs, 1e5));
  for (auto& process : run.processes) {
    auto& time = process.cases[0].measurements[0];
    const auto k = static_cast<int>(process.index);
    time.samples.clear();
    for (int i = 0; i < n; ++i) {
      const double factor = i % 10 == 9 ? (process.side == 1 ? tail : 1.0) * 1.5 : 1.0;
      time.samples.push_back(factor * (1e5 + 20 * ((i + 3 * k) % 11) + 13 * (k % 5)));
    }
    std::vector<double> sorted = time.samples;
    std::sort(sorted.begin(), sorted.end());
    time.summary->n = n;
    time.summary->median = sorted[sorted.size() / 2];
  }
  return run;
}

std::vector<reports::Finding> findings_named(const reports::Report& report, const std::string& metric) {
  std::vector<reports::Finding> found;
  for (const auto& f : report.findings) {
    if (f.metric.name == metric) found.push_back(f);
  }
  return found;
}

TEST(Tails, AreNotJudgedUnlessThePolicySaysSo) {
  const auto report = gate::judge_paired(with_tail(1.6, 30), {}).value();
  EXPECT_TRUE(findings_named(report, "time_p95").empty());
}

TEST(Tails, ASlowTailRegressesWhileTheMedianDoesNot) {
  policy::Policy policy;
  policy.tails = policy::Action::fail;
  const auto report = gate::judge_paired(with_tail(1.6, 30), policy).value();
  const auto p95 = findings_named(report, "time_p95");
  ASSERT_EQ(p95.size(), 1U);
  EXPECT_EQ(p95[0].verdict, Verdict::regressed);
  EXPECT_EQ(p95[0].action, GateAction::fail);
  EXPECT_NEAR(*p95[0].change, 0.6, 0.05);
  EXPECT_EQ(findings_named(report, "time")[0].verdict, Verdict::equivalent);
  EXPECT_EQ(report.cases_judged, 1);
}

TEST(Tails, IgnoresAChangeBelowTheTailsMargin) {
  policy::Policy policy;
  policy.tails = policy::Action::fail;
  const auto p95 = findings_named(gate::judge_paired(with_tail(1.05, 30), policy).value(), "time_p95");
  ASSERT_EQ(p95.size(), 1U);
  EXPECT_NE(p95[0].verdict, Verdict::regressed);
}

TEST(Tails, TooFewSamplesAreSaidWithTheNumberNeeded) {
  policy::Policy policy;
  policy.tails = policy::Action::warn;
  const auto report = gate::judge_paired(with_tail(1.6, 10), policy).value();  // 200 a side: enough for P95 only
  EXPECT_EQ(findings_named(report, "time_p95")[0].verdict, Verdict::regressed);
  const auto p99 = findings_named(report, "time_p99");
  EXPECT_EQ(p99[0].verdict, Verdict::inconclusive);
  EXPECT_NE(p99[0].reasons.at(0).words().find("P99 needs 368 raw samples per side, found 200 and 200"),
            std::string::npos)
      << p99[0].reasons.at(0);
}

// Each sample is a turn.
void take_turns(record::Run& run, const std::string& protocol) {
  for (auto& definition : run.cases) definition.protocol = protocol;
  for (auto& process : run.processes) {
    auto& time = process.cases[0].measurements[0];
    time.turns = record::turns_of_one_sample(time.samples).value();
  }
}

TEST(Tails, OfBenchmarksThatWereStoppedAreNotJudged) {
  policy::Policy policy;
  policy.tails = policy::Action::fail;
  for (const char* protocol : {"google-benchmark/1", "google-benchmark-manual/1"}) {
    record::Run run = with_tail(1.6, 30);
    take_turns(run, protocol);
    const auto report = gate::judge_paired(run, policy).value();
    for (const char* metric : {"time_p95", "time_p99"}) {
      const auto tail = findings_named(report, metric);
      ASSERT_EQ(tail.size(), 1U) << metric;
      EXPECT_EQ(tail[0].verdict, Verdict::inconclusive);
      EXPECT_NE(tail[0].reasons.at(0).words().find("is not judged: the processes of a pair take turns"),
                std::string::npos)
          << tail[0].reasons.at(0);
    }
    const auto time = findings_named(report, "time").at(0);
    EXPECT_FALSE(time.before->p95 || time.after->p95 || time.after->p99 || time.shape);
  }
}

TEST(Tails, OfSuitesThatEndTheirTurnsThemselvesAreJudged) {
  policy::Policy policy;
  policy.tails = policy::Action::fail;
  record::Run run = with_tail(1.6, 30);
  take_turns(run, run.cases[0].protocol);
  const auto report = gate::judge_paired(run, policy).value();
  EXPECT_EQ(findings_named(report, "time_p95").at(0).verdict, Verdict::regressed);
  EXPECT_TRUE(findings_named(report, "time").at(0).after->p95);
}

// In one sample of SLOW_EVERY the after side is TIMES as slow; 0: in none. One process of each side is disturbed for a sample.
record::Run with_rare_calls(int slow_every, double times, std::size_t pairs = 20) {
  record::Run run = with_tail(1, 100, pairs);
  for (auto& process : run.processes) {
    auto& time = process.cases[0].measurements[0];
    for (std::size_t i = 0; i < time.samples.size() && process.side == 1 && slow_every > 0; ++i)
      if (i % static_cast<std::size_t>(slow_every) == 0) time.samples[i] *= times;
    if (process.index / 2 == 7) time.samples[50] *= 2000;
    time.summary->mean =
        std::accumulate(time.samples.begin(), time.samples.end(), 0.0) / static_cast<double>(time.samples.size());
  }
  return run;
}

TEST(Tails, RareCallsThatAreSlowerAreADoubtWhereTailsAreNotJudged) {
  const auto report = gate::judge_paired(with_rare_calls(50, 200), {}).value();
  EXPECT_EQ(findings_named(report, "time")[0].verdict, Verdict::equivalent);
  EXPECT_TRUE(gate::testing::mentions(report.doubts,
                                      "rare calls are slower: 1 case has a slower mean and no slower "
                                      "median; the largest is g/one/v, 4."));
  policy::Policy judged;
  judged.tails = policy::Action::fail;
  EXPECT_FALSE(
      gate::testing::mentions(gate::judge_paired(with_rare_calls(50, 200), judged)->doubts, "rare calls are slower"));
}

// Pairs of a quiet median end at the sixth, where no look can call a mean.
TEST(Tails, RareCallsAreADoubtAtThePairsThatAQuietMedianTakes) {
  const auto report = gate::judge_paired(with_rare_calls(50, 200, 6), {}).value();
  EXPECT_EQ(findings_named(report, "time")[0].verdict, Verdict::equivalent);
  EXPECT_TRUE(gate::testing::mentions(report.doubts, "rare calls are slower: 1 case has a slower mean"));
  for (const double times : {1.0, 8.0}) {
    EXPECT_FALSE(gate::testing::mentions(gate::judge_paired(with_rare_calls(50, times, 6), {})->doubts, "rare calls"));
  }
  EXPECT_FALSE(gate::testing::mentions(gate::judge_paired(with_rare_calls(50, 200, 4), {})->doubts, "rare calls"));
}

TEST(Tails, DisturbedSamplesAndSmallMeansAreNotDoubted) {
  for (const auto& [every, times] : {std::pair{0, 1.0}, std::pair{50, 8.0}})
    EXPECT_FALSE(gate::testing::mentions(gate::judge_paired(with_rare_calls(every, times), {})->doubts, "rare calls"));
}

constexpr const char* slower_mean_words = "1 case has a slower mean and no slower median; the largest is g/one/v, 4.6";

// Each process has the mean of its median times the factor of its place; the last factor is that of all that follow.
record::Run run_with_means(const std::string& id, const std::vector<double>& factors, double median = 1e5) {
  record::Run run = gate::testing::empty_run(id);
  gate::testing::add_case(run, "g/one/v", gate::testing::around(median, 0.002));
  for (std::size_t i = 0; i < run.processes.size(); ++i) {
    auto& summary = run.processes[i].cases.front().measurements.front().summary;
    summary->mean = summary->median * factors[std::min(i, factors.size() - 1)];
  }
  return run;
}

reports::Report judged_by_means(const record::Run& before, const record::Run& after,
                                const policy::Policy& policy = {}) {
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  return gate::judge_stored(comparison, policy).value();
}

TEST(StoredMeans, CallsThatAreSlowerAndFewerThanHalfAreADoubt) {
  const auto before = run_with_means("aaaa", {1});
  const auto report = judged_by_means(before, run_with_means("bbbb", {4.6}));
  EXPECT_EQ(report.findings.front().verdict, reports::Verdict::equivalent);
  EXPECT_TRUE(gate::testing::mentions(report.doubts, slower_mean_words));
  EXPECT_FALSE(gate::testing::mentions(judged_by_means(before, run_with_means("bbbb", {1.15})).doubts, "slower mean"));
  EXPECT_FALSE(gate::testing::mentions(
      judged_by_means(run_with_means("aaaa", {4.6}), run_with_means("bbbb", {1})).doubts, "slower mean"));
}

TEST(StoredMeans, RestOnSeveralProcesses) {
  const auto before = run_with_means("aaaa", {1});
  EXPECT_FALSE(gate::testing::mentions(judged_by_means(before, run_with_means("bbbb", {4.6, 1})).doubts, "slower mean"))
      << "one disturbed process";
  auto two = run_with_means("bbbb", {4.6});
  two.processes.resize(2);
  EXPECT_FALSE(gate::testing::mentions(judged_by_means(before, two).doubts, "slower mean"));
}

TEST(StoredMeans, AMedianThatIsSlowerSaysIt) {
  const auto report = judged_by_means(run_with_means("aaaa", {1}), run_with_means("bbbb", {1}, 4.6e5));
  EXPECT_EQ(report.findings.front().verdict, reports::Verdict::suspected);
  EXPECT_FALSE(gate::testing::mentions(report.doubts, "slower mean"));
}

// Rules that judge nothing of stored times leave the case undecided, and its row shows what its medians are.
TEST(StoredMeans, AMedianThatIsSlowerAndUndecidedSaysIt) {
  for (const char* const rule : {"paired", "history"}) {
    policy::Policy policy;
    policy.rule = rule;
    const auto report = judged_by_means(run_with_means("aaaa", {1}), run_with_means("bbbb", {1}, 4.6e5), policy);
    EXPECT_EQ(report.findings.front().verdict, reports::Verdict::inconclusive);
    EXPECT_FALSE(gate::testing::mentions(report.doubts, "slower mean")) << rule;
    EXPECT_TRUE(gate::testing::mentions(
        judged_by_means(run_with_means("aaaa", {1}), run_with_means("bbbb", {4.6}), policy).doubts, slower_mean_words))
        << rule;
  }
}

TEST(StoredMeans, TailsThatThePolicyGatesAreNotPassedInSilence) {
  policy::Policy policy;
  policy.tails = policy::Action::fail;
  const auto report = judged_by_means(run_with_means("aaaa", {1}), run_with_means("bbbb", {4.6}), policy);
  EXPECT_TRUE(gate::testing::mentions(report.doubts, slower_mean_words));
  EXPECT_TRUE(gate::testing::mentions(report.doubts, "gate.tails: P95 and P99 of 1 case were not judged"));
  EXPECT_FALSE(gate::testing::mentions(judged_by_means(run_with_means("aaaa", {1}), run_with_means("bbbb", {1})).doubts,
                                       "gate.tails"));
}

}  // namespace
