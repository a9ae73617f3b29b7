// SPDX-License-Identifier: Apache-2.0
// [[case]] tables: what they take, which wins, and what a comparison makes of them.
#include "ci/policy/case_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ci/gate/judge.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using policy::Action;
using policy::Policy;
using reports::GateAction;
using reports::Verdict;

Policy policy_of(const std::string& text) {
  Policy policy;
  const auto applied = policy::apply_policy_text(policy, text, "/p/torchgate.toml");
  EXPECT_TRUE(applied.ok()) << (applied.ok() ? "" : applied.error().message);
  return policy;
}

std::string complaint(const std::string& text) {
  Policy policy;
  const auto applied = policy::apply_policy_text(policy, text, "/p/torchgate.toml");
  EXPECT_EQ(policy, Policy{}) << "a file with a mistake changes nothing";
  return applied.ok() ? "" : applied.error().message;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const reports::Finding* finding_if_any(const reports::Report& report, const std::string& name,
                                       const std::string& metric) {
  for (const auto& f : report.findings) {
    if (f.case_name == name && f.metric.name == metric) return &f;
  }
  return nullptr;
}

// A second timed metric of every case: the same samples, times `factor` on the after side.
void add_cpu_time(record::Run& run, double factor) {
  for (auto& definition : run.cases) {
    auto metric = definition.metrics.front();
    metric.name = "cpu_time";
    metric.primary = false;
    definition.metrics.push_back(metric);
  }
  for (auto& process : run.processes) {
    for (auto& result : process.cases) {
      auto cpu = result.measurements.front();
      cpu.metric = "cpu_time";
      const double by = process.side == 1 ? factor : 1;
      for (double& sample : cpu.samples) sample *= by;
      cpu.summary->median *= by;
      result.measurements.push_back(std::move(cpu));
    }
  }
}

TEST(CaseTables, TheLaterWinsAndOthersKeepTheDefault) {
  const Policy policy = policy_of(R"([gate]
latency = 0.04
[[case]]
match = "^g/.*batch:[0-9]+$"
latency = 0.1
margin = 0.03
tails = "warn"
[[case]]
exact = "g/one/batch:8"
latency = 0.2
unconfirmed = "fail"
metrics = { cpu_time = "fail", allocations = "warn" }
)");
  policy::CasePolicies policies(policy);
  EXPECT_DOUBLE_EQ(policies.of("g/one").latency, 0.04);
  EXPECT_DOUBLE_EQ(policies.of("g/one/batch:4").latency, 0.1);
  const policy::Gate& both = policies.of("g/one/batch:8");
  EXPECT_DOUBLE_EQ(both.latency, 0.2);
  EXPECT_DOUBLE_EQ(both.margin, 0.03);
  EXPECT_EQ(both.tails, Action::warn);
  EXPECT_EQ(both.unconfirmed, policy::Unconfirmed::fail);
  EXPECT_EQ(both.metrics.at("cpu_time"), Action::fail);
  EXPECT_TRUE(policies.of("g/one/batch:80x").metrics.empty()) << "exact means the whole name";
  EXPECT_EQ(policies.own_settings("g/one"), "");
  EXPECT_TRUE(contains(policies.own_settings("g/one/batch:8"), "latency 0.2"))
      << policies.own_settings("g/one/batch:8");
  EXPECT_TRUE(contains(policies.own_settings("g/one/batch:8"), "(torchgate.toml:8)"));
}

TEST(CaseTables, ComplaintsNameFileLineAndCure) {
  EXPECT_TRUE(contains(complaint("[[case]]\nmatch = \"a\"\nlatencey = 1\n"),
                       "/p/torchgate.toml:3: [[case]]: unknown key \"latencey\"; did you mean \"latency\"?"));
  EXPECT_TRUE(contains(complaint("[[case]]\nmatch = \"a[\"\n"), ":2: match: invalid regular expression \"a[\""));
  EXPECT_TRUE(contains(complaint("[[case]]\nlatency = 0.1\n"), ":1: [[case]]: exactly one of match"));
  EXPECT_TRUE(contains(complaint("[[case]]\nmatch=\"a\"\nexact=\"a\"\n"), "exactly one of match"));
  EXPECT_TRUE(contains(complaint("[[case]]\nmatch=\"a\"\nlatency=-1\n"), "takes a fraction"));
  EXPECT_TRUE(contains(complaint("[[case]]\nmatch=\"a\"\nalpha=0.1\n"), "[[case]]: unknown key \"alpha\""));
  EXPECT_TRUE(contains(complaint("[[case]]\nmatch=\"a\"\nmetrics={ x = \"maybe\" }\n"), "metrics.x takes one of"));
  EXPECT_TRUE(contains(complaint("[[case]]\nmatch=\"a\"\nmetrics=\"x\"\n"), "metrics takes a table"));
  EXPECT_TRUE(contains(complaint("[case]\nmatch=\"a\"\n"), "did you mean [[case]]?"));
  EXPECT_TRUE(contains(complaint("[[cases]]\nmatch=\"a\"\n"), "did you mean [[case]]?"));
}

TEST(CaseTables, ACaseIsGatedByItsOwnShare) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/strict", 1.08);
  add_slower(run, "g/one/lenient", 1.08);
  add_slower(run, "g/one/stern", 1.04);
  const Policy policy = policy_of(
      "[[case]]\nexact = \"g/one/lenient\"\nlatency = 0.1\n[[case]]\nmatch = \"nobody\"\n"
      "[[case]]\nmatch = \"stern\"\nlatency = 0.02\n");
  const auto report = gate::judge_paired(run, policy).value();
  const auto* strict = finding_if_any(report, "g/one/strict", "time");
  const auto* lenient = finding_if_any(report, "g/one/lenient", "time");
  ASSERT_TRUE(strict != nullptr && lenient != nullptr);
  EXPECT_EQ(strict->verdict, Verdict::regressed);
  EXPECT_EQ(strict->action, GateAction::fail);
  EXPECT_EQ(lenient->verdict, Verdict::regressed);
  EXPECT_EQ(lenient->action, GateAction::warn);
  EXPECT_TRUE(mentions(lenient->reasons, "below the gate of 10 %"));
  EXPECT_EQ(lenient->own_gate, 0.1);
  EXPECT_FALSE(mentions(lenient->reasons, "beyond its gate"));
  EXPECT_FALSE(strict->own_gate);
  EXPECT_FALSE(mentions(strict->reasons, "beyond its gate"));
  const auto* stern = finding_if_any(report, "g/one/stern", "time");
  ASSERT_NE(stern, nullptr);
  EXPECT_EQ(stern->action, GateAction::fail);
  EXPECT_EQ(stern->own_gate, 0.02);
  EXPECT_TRUE(mentions(stern->reasons, "beyond its gate of 2 %"));
  EXPECT_TRUE(mentions(lenient->reasons, "overridden by [[case]]: latency 0.1 (torchgate.toml:1)"));
  EXPECT_FALSE(mentions(strict->reasons, "overridden by [[case]]"));
  EXPECT_TRUE(mentions(report.notes, "torchgate.toml:1: [[case]] exact = \"g/one/lenient\": latency 0.1 for 1 case"));
  EXPECT_TRUE(mentions(report.notes, "[[case]] match = \"nobody\" matches no case of this comparison"));
}

TEST(CaseTables, ThoseOfSuitesThatWereNotMeasuredAreCountedInOneLine) {
  record::Run run = paired_run("pppp");
  add_slower(run, "fusion/one/a", 1);
  const Policy policy = policy_of(
      "[[case]]\nmatch = \"^serving/(a|b)/\"\n[[case]]\nexact = \"compile/x/y\"\n[[case]]\nmatch = \"^serving/c\"\n"
      "[[case]]\nmatch = \"^fusoin/\"\n[[case]]\nmatch = \"serving/\"\n");
  const auto report = gate::judge_paired(run, policy).value();
  const auto of_tables = [](const std::string& note) { return contains(note, "[[case]]"); };
  std::vector<std::string> notes;
  std::copy_if(report.notes.begin(), report.notes.end(), std::back_inserter(notes), of_tables);
  const std::vector<std::string> expected{
      "torchgate.toml:7: [[case]] match = \"^fusoin/\" matches no case of this comparison",
      "torchgate.toml:9: [[case]] match = \"serving/\" matches no case of this comparison",
      "3 [[case]] tables are for suites that are not in this comparison: compile, serving"};
  EXPECT_EQ(notes, expected) << "a typing error is named, and a pattern that may be about any suite";
}

TEST(CaseTables, AMarginOfItsOwnHidesASmallChange) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.03);
  EXPECT_EQ(gate::judge_paired(run, {}).value().findings.at(0).verdict, Verdict::regressed);
  const Policy policy = policy_of("[[case]]\nmatch = \"v\"\nmargin = 0.06\nequivalence = 0.08\n");
  const auto report = gate::judge_paired(run, policy).value();
  EXPECT_EQ(report.findings.at(0).verdict, Verdict::equivalent);
  EXPECT_DOUBLE_EQ(report.equivalence_ratio, 0.08) << "the report must not claim less";
  EXPECT_TRUE(
      mentions(report.doubts,
               "gate.margin (6 %) is larger than gate.latency (5 %) for 1 case: no slow-down below the margin fails"));
}

// +10 % at a gate of 5 %: "within 20 %" says nothing of the gate. +1 % is clearly below it.
TEST(CaseTables, AnEquivalenceBeyondTheGateDecidesOnlyWhatStaysBelowTheGate) {
  const Policy policy = policy_of("[[case]]\nmatch = \"v\"\nmargin = 0.15\nequivalence = 0.2\n");
  for (const double ratio : {1.1, 1.01}) {
    record::Run run = paired_run("pppp");
    add_slower(run, "g/one/v", ratio);
    const auto report = gate::judge_paired(run, policy).value();
    EXPECT_EQ(report.findings.at(0).verdict, Verdict::equivalent);
    EXPECT_EQ(report.decided.decided, ratio < 1.05 ? 1 : 0) << ratio;
    EXPECT_EQ(report.decided.sensitive, ratio < 1.05 ? 1 : 0) << ratio;
    EXPECT_EQ(report.outcome, ratio < 1.05 ? reports::Outcome::pass : reports::Outcome::no_verdict) << ratio;
    EXPECT_TRUE(mentions(report.doubts, "gate.equivalence (20 %) is larger than gate.latency (5 %) for 1 case"));
  }
}

TEST(CaseTables, ARateReachesTheGateWhereItFell) {
  const Policy policy = policy_of("[gate]\nmargin = 0.15\nequivalence = 0.2\n");
  for (const double ratio : {0.9, 1.1}) {
    record::Run run = paired_run("pppp");
    add_slower(run, "g/one/v", ratio);
    run.cases.at(0).metrics.at(0).direction = record::Direction::higher_is_better;
    const auto report = gate::judge_paired(run, policy).value();
    EXPECT_EQ(report.findings.at(0).verdict, Verdict::equivalent);
    EXPECT_EQ(report.decided.decided, ratio > 1 ? 1 : 0) << ratio;
  }
}

TEST(CaseTables, AStoredComparisonUsesThemToo) {
  record::Run base = empty_run("aaaa");
  record::Run current = empty_run("bbbb");
  for (const char* name : {"g/one/strict", "g/one/lenient"}) {
    add_case(base, name, around(1e5, 0.002));
    add_case(current, name, around(1.3e5, 0.002));
  }
  gate::Comparison comparison;
  comparison.baseline = {&base};
  comparison.current = &current;
  const Policy policy = policy_of("[[case]]\nexact = \"g/one/lenient\"\nunconfirmed = \"warn\"\n");
  const auto report = gate::judge_stored(comparison, policy).value();
  EXPECT_EQ(finding_if_any(report, "g/one/strict", "time")->action, GateAction::fail);
  EXPECT_EQ(finding_if_any(report, "g/one/lenient", "time")->action, GateAction::warn);
}

TEST(CaseTables, AScreenThatWaitsForPairsFailsNothing) {
  record::Run base = empty_run("aaaa");
  record::Run current = empty_run("bbbb");
  add_case(base, "g/one/v", around(1e5, 0.002));
  add_case(current, "g/one/v", around(1.3e5, 0.002));
  gate::Comparison comparison;
  comparison.baseline = {&base};
  comparison.current = &current;
  const Policy policy = policy_of("[[case]]\nmatch = \"v\"\nunconfirmed = \"fail\"\nlatency = 0.2\n");
  EXPECT_EQ(gate::judge_stored(comparison, policy).value().outcome, reports::Outcome::fail);
  const policy::Judging waiting = policy::awaiting_pairs(policy);
  const auto waits = gate::judge_stored(comparison, waiting).value();
  EXPECT_EQ(waits.outcome, reports::Outcome::no_verdict) << "nothing is decided yet";
  EXPECT_TRUE(waits.too_few_decided);
  policy::CasePolicies policies(waiting);
  EXPECT_DOUBLE_EQ(policies.of("v").latency, 0.2);
}

TEST(CaseTables, AStoredComparisonHasItsEquivalences) {
  record::Run base = empty_run("aaaa");
  record::Run current = empty_run("bbbb");
  for (const char* name : {"g/one/strict", "g/one/lenient"}) {
    add_case(base, name, around(1e5, 0.06));
    add_case(current, name, around(1e5, 0.06));
  }
  gate::Comparison comparison;
  comparison.baseline = {&base};
  comparison.current = &current;
  const Policy policy = policy_of("[[case]]\nexact = \"g/one/lenient\"\nequivalence = 0.5\n");
  const auto report = gate::judge_stored(comparison, policy).value();
  EXPECT_EQ(finding_if_any(report, "g/one/strict", "time")->verdict, Verdict::inconclusive);
  EXPECT_EQ(finding_if_any(report, "g/one/lenient", "time")->verdict, Verdict::equivalent);
}

TEST(CaseMetrics, ATimedMetricBesideThePrimaryOneIsJudgedInPairs) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.0);
  add_slower(run, "g/one/w", 1.0);
  add_cpu_time(run, 1.2);
  EXPECT_EQ(finding_if_any(gate::judge_paired(run, {}).value(), "g/one/v", "cpu_time"), nullptr);
  const Policy policy = policy_of("[[case]]\nexact = \"g/one/v\"\nmetrics = { cpu_time = \"fail\" }\n");
  const auto report = gate::judge_paired(run, policy).value();
  const auto* cpu = finding_if_any(report, "g/one/v", "cpu_time");
  ASSERT_NE(cpu, nullptr);
  EXPECT_EQ(cpu->verdict, Verdict::regressed);
  EXPECT_EQ(cpu->action, GateAction::fail);
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  EXPECT_EQ(finding_if_any(report, "g/one/v", "time")->verdict, Verdict::equivalent);
  EXPECT_EQ(finding_if_any(report, "g/one/w", "cpu_time"), nullptr);
  EXPECT_EQ(gate::PairPlans(run, policy).first().family, 3U) << "one verdict more shares alpha";
  EXPECT_EQ(gate::family_of(run, {"g/one/v"}, policy), 2U);
  EXPECT_EQ(gate::family_of(run, {"g/one/w", "gone"}, policy), 1U);
}

TEST(CaseMetrics, WarnIsTheMostThatItsMetricDoes) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.2);
  add_cpu_time(run, 1.0);
  const auto report =
      gate::judge_paired(run, policy_of("[[case]]\nmatch = \"v\"\nmetrics = { time = \"warn\", tim = \"fail\" }\n"))
          .value();
  EXPECT_EQ(finding_if_any(report, "g/one/v", "time")->verdict, Verdict::regressed);
  EXPECT_EQ(finding_if_any(report, "g/one/v", "time")->action, GateAction::warn);
  EXPECT_TRUE(mentions(report.notes, "no matching case has a metric \"tim\"; did you mean \"time\"?"));
}

TEST(CaseMetrics, AGatedMetricIsASuspectOfTheScreen) {
  record::Run base = empty_run("aaaa");
  record::Run current = empty_run("bbbb");
  add_case(base, "g/one/v", around(1e5, 0.002));
  add_case(current, "g/one/v", around(1e5, 0.002));
  add_cpu_time(base, 1);
  for (auto& process : current.processes) process.side = 1;
  add_cpu_time(current, 1.4);
  for (auto& process : current.processes) process.side = 0;
  gate::Comparison comparison;
  comparison.baseline = {&base};
  comparison.current = &current;
  const Policy policy = policy_of("[[case]]\nmatch = \"v\"\nmetrics = { cpu_time = \"fail\" }\n");
  const auto report = gate::judge_stored(comparison, policy).value();
  EXPECT_EQ(finding_if_any(report, "g/one/v", "cpu_time")->verdict, Verdict::suspected);
  EXPECT_NE(finding_if_any(report, "g/one/v", "time")->verdict, Verdict::suspected);
  EXPECT_EQ(gate::cases_for_pairs(comparison, policy)->suspects, (std::vector<std::string>{"g/one/v"}));
  EXPECT_EQ(gate::judge_stored(comparison, {}).value().suspects, 0);

  record::Run pairs = paired_run("pppp");
  add_slower(pairs, "g/one/v", 1.0);
  add_cpu_time(pairs, 1.4);
  comparison.pairs = &pairs;
  const auto confirmed = gate::judge_stored(comparison, policy).value();
  EXPECT_EQ(finding_if_any(confirmed, "g/one/v", "cpu_time")->verdict, Verdict::regressed);
  EXPECT_EQ(finding_if_any(confirmed, "g/one/v", "cpu_time")->action, GateAction::fail);
  EXPECT_EQ(finding_if_any(confirmed, "g/one/v", "time")->verdict, Verdict::equivalent);
}

TEST(CaseMetrics, AnExactMetricFailsWhereItIsNamed) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.0);
  add_exact(run, "g/one/v", "operator_calls", 5);
  for (auto& process : run.processes) {
    if (process.side == 1) process.cases.front().measurements.back().value = 6;
  }
  EXPECT_EQ(finding_if_any(gate::judge_paired(run, {}).value(), "g/one/v", "operator_calls")->action, GateAction::warn);
  for (const auto& [word, action] : {std::pair{"fail", GateAction::fail}, {"pass", GateAction::note}}) {
    const auto policy = policy_of(std::string("[[case]]\nmatch = \"v\"\nmetrics.operator_calls = \"") + word + "\"\n");
    EXPECT_EQ(finding_if_any(gate::judge_paired(run, policy).value(), "g/one/v", "operator_calls")->action, action)
        << word;
  }
}

}  // namespace
