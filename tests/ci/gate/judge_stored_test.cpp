// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::add_exact;
using gate::testing::add_paired_case;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::finding;
using gate::testing::paired_run;
using gate::testing::quiet;
using gate::testing::result_of;
using reports::GateAction;
using reports::Outcome;
using reports::Verdict;

struct Stored {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  policy::Policy policy;
  const record::Run* pairs = nullptr;

  [[nodiscard]] gate::Comparison comparison() const {
    gate::Comparison comparison;
    comparison.baseline = {&before};
    comparison.current = &after;
    comparison.pairs = pairs;
    return comparison;
  }
  [[nodiscard]] reports::Report judge() const {
    const auto report = gate::judge_stored(comparison(), policy);
    if (!report) throw std::runtime_error(report.error().message);
    return *report;
  }
};

TEST(JudgeStored, ARunAgainstItselfIsAnError) {
  const record::Run run = empty_run("aaaa");
  gate::Comparison comparison;
  comparison.baseline = {&run};
  comparison.current = &run;
  const auto report = gate::judge_stored(comparison, {});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, base::ErrorCode::bad_input);
  EXPECT_NE(report.error().message.find("compared with itself"), std::string::npos) << report.error().message;
}

TEST(JudgeStored, AHostFactThatDiffersUnderOneKeyIsAnotherHost) {
  Stored stored;
  add_case(stored.before, "a", around(1e5, quiet));
  add_case(stored.after, "a", around(1e5, quiet));
  stored.after.machine.facts.front().value = "Model B";
  const auto report = stored.judge();
  EXPECT_EQ(report.outcome, Outcome::no_verdict);
  EXPECT_EQ(report.headline.words(), "the hosts differ: cpu_model was \"Model A\" and is \"Model B\"");
}

TEST(JudgeStored, OtherHostsAreNeverComparedAndTheFactIsNamedWithBothValues) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(2e5, quiet));
  stored.after.machine.host_key = "host-b";
  stored.after.machine.facts[0].value = "Model B";
  const auto report = stored.judge();
  EXPECT_EQ(report.outcome, Outcome::no_verdict);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_NE(report.headline.words().find("cpu_model was \"Model A\" and is \"Model B\""), std::string::npos)
      << report.headline;
}

TEST(JudgeStored, SoftwareThatDiffersOnlyWarns) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1e5, quiet));
  stored.after.machine.facts[1].value = "6.2";
  const auto report = stored.judge();
  EXPECT_EQ(report.outcome, Outcome::pass);
  ASSERT_EQ(report.differences.size(), 1U);
  EXPECT_EQ(report.differences[0].name, "kernel");
  EXPECT_FALSE(report.differences[0].refuses);
}

TEST(JudgeStored, AnUnconfirmedDoublingFailsBecauseItsWholeIntervalLiesBeyondTheGate) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(2e5, quiet));
  const auto report = stored.judge();
  EXPECT_EQ(report.outcome, Outcome::fail);
  const auto& f = finding(report, "g/one/v");
  EXPECT_EQ(f.verdict, Verdict::suspected);
  EXPECT_EQ(f.action, GateAction::fail);
  EXPECT_NEAR(f.change.value(), 1.0, 0.01);
  EXPECT_NE(report.headline.words().find("g/one/v"), std::string::npos);
  EXPECT_EQ(report.suspects, 1);
}

TEST(JudgeStored, ThePolicyDecidesWhatAnUnconfirmedSuspectDoes) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1.07e5, quiet));  // beyond the gate by its estimate, not by its interval
  EXPECT_EQ(finding(stored.judge(), "g/one/v").verdict, Verdict::suspected);
  EXPECT_EQ(stored.judge().outcome, Outcome::no_verdict) << "its only case is undecided";
  stored.policy.unconfirmed = policy::Unconfirmed::fail;
  EXPECT_EQ(stored.judge().outcome, Outcome::fail);
  stored.after = empty_run("cccc");
  add_case(stored.after, "g/one/v", around(2e5, quiet));
  stored.policy.unconfirmed = policy::Unconfirmed::warn;
  EXPECT_EQ(stored.judge().outcome, Outcome::no_verdict);
  stored.policy.min_decided = 0;
  EXPECT_EQ(stored.judge().outcome, Outcome::pass);
}

TEST(JudgeStored, PairsConfirmASuspect) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1.3e5, quiet));
  record::Run pairs = paired_run("pppp");
  std::vector<double> before;
  std::vector<double> after;
  for (int i = 0; i < 20; ++i) {
    before.push_back(1e5 * (1 + 0.001 * (i % 5)));
    after.push_back(1.3e5 * (1 + 0.001 * (i % 7)));
  }
  add_paired_case(pairs, "g/one/v", before, after);
  stored.pairs = &pairs;
  const auto report = stored.judge();
  const auto& f = finding(report, "g/one/v");
  EXPECT_EQ(f.verdict, Verdict::regressed);
  EXPECT_EQ(f.action, GateAction::fail);
  EXPECT_EQ(report.outcome, Outcome::fail);
  ASSERT_TRUE(f.confirmation.has_value());
  EXPECT_TRUE(f.confirmation->confirmed);
  EXPECT_EQ(f.confirmation->pairs, 12);  // where one suspect alone can be decided first
  EXPECT_DOUBLE_EQ(f.confirmation->alpha, 0.001);
  EXPECT_NEAR(f.p.value(), std::pow(2.0, -11), 1e-12);  // all 20 pairs on one side: 2 / 2^20
  EXPECT_NEAR(f.change.value(), 0.3, 0.01);
}

TEST(JudgeStored, PairsWithoutAChangeClearASuspect) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1.3e5, quiet));
  record::Run pairs = paired_run("pppp");
  std::vector<double> before;
  std::vector<double> after;
  for (int i = 0; i < 20; ++i) {
    before.push_back(1e5 * (1 + 0.001 * (i % 5)));
    after.push_back(1e5 * (1 + 0.001 * ((i * 3) % 5)));
  }
  add_paired_case(pairs, "g/one/v", before, after);
  stored.pairs = &pairs;
  const auto report = stored.judge();
  EXPECT_EQ(report.outcome, Outcome::pass);
  const auto& f = finding(report, "g/one/v");
  EXPECT_EQ(f.verdict, Verdict::equivalent);
  EXPECT_TRUE(std::any_of(f.reasons.begin(), f.reasons.end(),
                          [](const auto& r) { return r.words().find("did not confirm it") != std::string::npos; }));
}

TEST(JudgeStored, AConfirmedRegressionBelowTheGateOnlyWarns) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1.05e5, quiet));
  record::Run pairs = paired_run("pppp");
  add_paired_case(pairs, "g/one/v", std::vector<double>(20, 1e5), std::vector<double>(20, 1.03e5));
  stored.pairs = &pairs;
  const auto report = stored.judge();
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::regressed);
  EXPECT_EQ(finding(report, "g/one/v").action, GateAction::warn);
  EXPECT_EQ(report.outcome, Outcome::pass);
}

TEST(JudgeStored, FailedWrongAndMissingFail) {
  for (const auto& [status, verdict] :
       {std::pair{record::CaseStatus::failed, Verdict::failed}, std::pair{record::CaseStatus::wrong, Verdict::wrong}}) {
    Stored stored;
    add_case(stored.before, "g/one/v", around(1e5, quiet));
    add_case(stored.after, "g/one/v", around(1e5, quiet));
    auto& result = result_of(stored.after, 3, "g/one/v");
    result.status = status;
    result.message = "out of memory";
    result.measurements.clear();
    const auto report = stored.judge();
    EXPECT_EQ(finding(report, "g/one/v").verdict, verdict);
    EXPECT_EQ(report.outcome, Outcome::fail);
    EXPECT_NE(finding(report, "g/one/v").reasons.at(0).words().find("in 1 of 5 processes: out of memory"),
              std::string::npos);
  }
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.before, "g/one/gone", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1e5, quiet));
  EXPECT_EQ(finding(stored.judge(), "g/one/gone").verdict, Verdict::missing);
  EXPECT_EQ(stored.judge().outcome, Outcome::fail);
}

TEST(JudgeStored, ACaseOutsideTheRunsPlanIsNotMissing) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.before, "g/one/gone", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1e5, quiet));
  stored.after.plan.filter = "one/v$";
  const auto report = stored.judge();
  EXPECT_EQ(report.outcome, Outcome::pass);
  EXPECT_EQ(report.findings.size(), 1U);
  const std::string hidden = "1 case of the baseline was not judged: this run's plan leaves it out (filter one/v$)";
  EXPECT_EQ(std::count(report.notes.begin(), report.notes.end(), hidden), 1);
  EXPECT_EQ(report.cases_not_planned, 1);
  stored.after.plan.filter = ".*";
  EXPECT_FALSE(gate::testing::mentions(stored.judge().notes, "not judged"));
}

TEST(JudgeStored, ASkippedCaseThatWasMeasuredIsMissingAndOneThatNeverWasIsListed) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.before, "g/one/gpu", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/gpu", {});
  add_case(stored.after, "g/one/other", {});
  stored.after.cases[1].skipped = "no CUDA device";
  stored.after.cases[2].skipped = "no CUDA device";
  const auto report = stored.judge();
  EXPECT_EQ(finding(report, "g/one/gpu").verdict, Verdict::missing);
  EXPECT_EQ(finding(report, "g/one/other").verdict, Verdict::skipped);
}

TEST(JudgeStored, ALostProcessCostsItsOwnEvidenceOnly) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1e5, quiet));
  stored.after.processes[2].status = record::ProcessStatus::crashed;
  stored.after.processes[2].message = "killed by signal 9 (SIGKILL)\nlast words";
  stored.after.processes[2].cases.clear();
  const auto report = stored.judge();
  const auto& f = finding(report, "g/one/v");
  EXPECT_EQ(f.after->processes, 4);
  EXPECT_EQ(report.outcome, Outcome::pass);
  EXPECT_TRUE(std::any_of(report.doubts.begin(), report.doubts.end(),
                          [](const auto& d) { return d.fact.words().find("SIGKILL") != std::string::npos; }));
  EXPECT_TRUE(std::any_of(f.reasons.begin(), f.reasons.end(), [](const auto& r) {
    return r.words().find("1 of 5 processes was lost") != std::string::npos;
  }));
}

TEST(JudgeStored, AllProcessesLostIsAFailure) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1e5, quiet));
  for (auto& process : stored.after.processes) {
    process.status = record::ProcessStatus::timed_out;
    process.message = "took longer than 600 s";
    process.cases.clear();
  }
  EXPECT_EQ(finding(stored.judge(), "g/one/v").verdict, Verdict::failed);
}

TEST(JudgeStored, OneProcessPerSideIsInconclusive) {
  Stored stored;
  add_case(stored.before, "g/one/v", {1e5});
  add_case(stored.after, "g/one/v", {2e5});
  const auto report = stored.judge();
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::inconclusive);
  EXPECT_EQ(report.outcome, Outcome::no_verdict);
  EXPECT_FALSE(finding(report, "g/one/v").reasons.empty());
}

TEST(JudgeStored, AnExactMetricThatDiffersHasChangedUpOrDown) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1e5, quiet));
  add_exact(stored.before, "g/one/v", "operator_calls", 7);
  add_exact(stored.after, "g/one/v", "operator_calls", 8);
  add_exact(stored.before, "g/one/v", "peak_bytes", 1000);
  add_exact(stored.after, "g/one/v", "peak_bytes", 900);
  auto report = stored.judge();
  EXPECT_EQ(finding(report, "g/one/v", "operator_calls").verdict, Verdict::changed);
  EXPECT_EQ(finding(report, "g/one/v", "operator_calls").action, GateAction::warn);
  EXPECT_EQ(finding(report, "g/one/v", "peak_bytes").verdict, Verdict::changed);
  EXPECT_EQ(report.outcome, Outcome::pass);
  stored.policy.changed = policy::Action::fail;
  report = stored.judge();
  EXPECT_EQ(report.outcome, Outcome::fail);
}

TEST(JudgeStored, ACountThatIsNoLongerTakenHasChanged) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1e5, quiet));
  add_exact(stored.before, "g/one/v", "peak_bytes", 0);
  auto report = stored.judge();
  const auto& lost = finding(report, "g/one/v", "peak_bytes");
  EXPECT_EQ(lost.verdict, Verdict::changed);
  EXPECT_EQ(lost.action, GateAction::warn);
  ASSERT_TRUE(lost.before.has_value());
  EXPECT_FALSE(lost.after.has_value());
  EXPECT_NE(lost.reasons.at(0).words().find("not now"), std::string::npos);
  for (record::Metric& metric : stored.before.cases[0].metrics) metric.gated = metric.name == "peak_bytes";
  EXPECT_EQ(stored.judge().outcome, Outcome::fail) << "its suite gates it";
}

TEST(JudgeStored, AnotherProtocolIsAnotherCase) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(3e5, quiet));
  stored.after.cases[0].protocol = "cpu-wall/2";
  const auto report = stored.judge();
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::not_comparable);
  EXPECT_EQ(report.outcome, Outcome::fail);
}

TEST(JudgeStored, AStoppedRunDoesNotPass) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.before, "g/one/later", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1e5, quiet));
  stored.after.interrupted = true;
  EXPECT_EQ(stored.judge().outcome, Outcome::no_verdict);
}

TEST(JudgeStored, FiveStoredRunsAreJudgedByTheirOwnSpread) {
  // Run values 4 % apart: a new run 5 % above their mean is nothing new for this case; one stored run could not know.
  std::vector<record::Run> stored;
  for (int i = 0; i < 6; ++i) {
    stored.push_back(empty_run("run" + std::to_string(i)));
    add_case(stored.back(), "g/one/v", around(1e5 * (1 + 0.04 * (i % 3 - 1)), quiet));
  }
  record::Run current = empty_run("cccc");
  add_case(current, "g/one/v", around(1.05e5, quiet));
  gate::Comparison comparison;
  for (const auto& run : stored) comparison.baseline.push_back(&run);
  comparison.current = &current;
  const auto report = gate::judge_stored(comparison, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(finding(*report, "g/one/v").verdict, Verdict::inconclusive);
  comparison.baseline.resize(1);
  const auto one = gate::judge_stored(comparison, {});
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(finding(*one, "g/one/v").verdict, Verdict::suspected);
}

TEST(JudgeStored, TheTextbookRuleIsApplied) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, 0.0001));
  add_case(stored.after, "g/one/v",
           around(1.015e5, 0.0001));  // below every margin of the default rule but real to a t-test
  stored.policy.rule = "textbook";
  const auto report = stored.judge();
  const auto& f = finding(report, "g/one/v");
  ASSERT_TRUE(f.textbook.has_value());
  EXPECT_EQ(f.textbook->samples, "15 v 15 raw samples of 5 v 5 processes");
  EXPECT_LT(f.textbook->p.value(), 0.05);
  EXPECT_EQ(f.verdict, Verdict::regressed);
  EXPECT_EQ(f.action, GateAction::warn);  // below the 5 % gate
}

TEST(JudgeStored, SamplesDiscardedAsWarmUpAreNotJudged) {
  Stored stored;
  add_case(stored.before, "g/one/v", around(1e5, quiet));
  add_case(stored.after, "g/one/v", around(1e5, quiet));
  for (std::size_t process = 0; process < 5; ++process) {
    auto& result = result_of(stored.after, process, "g/one/v");
    result.discarded_samples = 1;
    auto& samples = result.measurements.at(0).samples;
    samples.insert(samples.begin(), 9e9);
  }
  auto answer = finding(stored.judge(), "g/one/v").textbook.value();
  EXPECT_EQ(answer.samples, "15 v 15 raw samples of 5 v 5 processes");
  EXPECT_EQ(answer.call, "no change");
  result_of(stored.after, 2, "g/one/v").measurements.at(0).samples.clear();
  answer = finding(stored.judge(), "g/one/v").textbook.value();
  EXPECT_EQ(answer.call, "no answer");
}

TEST(Suspects, OnlyThoseThatThePolicySelects) {
  Stored stored;
  add_case(stored.before, "g/one/slower", around(1e5, quiet));
  add_case(stored.after, "g/one/slower", around(1.3e5, quiet));
  add_case(stored.before, "g/one/faster", around(1e5, quiet));
  add_case(stored.after, "g/one/faster", around(0.7e5, quiet));
  EXPECT_EQ(gate::cases_for_pairs(stored.comparison(), stored.policy)->suspects,
            std::vector<std::string>{"g/one/slower"});
  stored.policy.confirm = policy::Confirm::all;
  EXPECT_EQ(gate::cases_for_pairs(stored.comparison(), stored.policy)->suspects.size(), 2U);
  stored.policy.confirm = policy::Confirm::none;
  EXPECT_TRUE(gate::cases_for_pairs(stored.comparison(), stored.policy)->suspects.empty());
}

}  // namespace
