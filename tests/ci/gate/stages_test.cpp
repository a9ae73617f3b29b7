// SPDX-License-Identifier: Apache-2.0
// The stages of judging one by one: no run is read and no report is built.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>

#include "ci/gate/action.hpp"
#include "ci/gate/answer.hpp"
#include "ci/gate/evidence/fitness.hpp"
#include "ci/gate/finding.hpp"
#include "ci/gate/judged.hpp"
#include "ci/gate/outcome.hpp"
#include "reports/facts/about_tests.hpp"

namespace {

using namespace torchgate;
using gate::ActionRule;
using gate::Judged;
using gate::ReasonKind;
using reports::GateAction;
using reports::Verdict;

record::Case made_case(const std::string& name) {
  record::Case definition;
  definition.name = name;
  definition.metrics = {{"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true}};
  return definition;
}
const record::Case definition = made_case("g/one/v");
const record::Case other = made_case("g/one/w");

Judged timed(Verdict verdict, double change = 0, const record::Case& of = definition) {
  Judged judged;
  judged.definition = &of;
  judged.metric = of.metrics.front();
  judged.decision.verdict = verdict;
  judged.decision.change = change;
  return judged;
}

std::vector<std::string> texts(const Judged& judged) {
  std::vector<std::string> all;
  for (const gate::Reason& reason : judged.reasons) all.push_back(reason.fact);
  return all;
}

using Texts = std::vector<std::string>;

TEST(Reasons, StandInTheOrderOfTheirKinds) {
  Judged judged = timed(Verdict::regressed);
  add_reason(judged, ReasonKind::waiver, "waived");
  add_reason(judged, ReasonKind::rule, "first of the rule");
  add_reason(judged, ReasonKind::measured, "a process was lost");
  add_reason(judged, ReasonKind::rule, "second of the rule");
  EXPECT_EQ(texts(judged), (Texts{"first of the rule", "second of the rule", "a process was lost", "waived"}));
}

TEST(Decide, KeepsTheChangeThatTheAnswerHasNot) {
  Judged judged = timed(Verdict::inconclusive, 0.2);
  gate::decide(judged, stats::RuleAnswer{});
  EXPECT_DOUBLE_EQ(*judged.decision.change, 0.2);
  stats::RuleAnswer answer;
  answer.effect = std::log(1.5);
  gate::decide(judged, answer);
  EXPECT_NEAR(*judged.decision.change, 0.5, 1e-12);
}

TEST(Decide, PairsThatCouldNotHaveAlarmedHaveNoP) {
  stats::RuleAnswer answer;
  answer.pairs = 3;
  answer.pairs_to_alarm = 9;
  answer.p = 0.25;
  answer.reasons = {stats::Reason::too_few_pairs, stats::Reason::no_spread};
  Judged judged = timed(Verdict::inconclusive);
  gate::decide(judged, answer);
  EXPECT_FALSE(judged.decision.p);
  EXPECT_TRUE(has_reason(judged, ReasonKind::too_few_pairs));
  ASSERT_EQ(judged.reasons.size(), 2U);
  EXPECT_EQ(judged.reasons.back().fact, facts::test(stats::Reason::no_spread));
}

TEST(Action, ARegressionFailsFromTheGateOn) {
  const policy::Policy policy;  // 5 %
  Judged judged = timed(Verdict::regressed, 0.06);
  settle_action(judged, policy);
  EXPECT_EQ(judged.action, GateAction::fail);
  EXPECT_TRUE(judged.reasons.empty());
  judged = timed(Verdict::regressed, 0.03);
  settle_action(judged, policy);
  EXPECT_EQ(judged.action, GateAction::warn);
  EXPECT_TRUE(has_reason(judged, ReasonKind::below_gate));
}

TEST(Action, AnUnconfirmedSuspectFailsBeyondTheGateUnlessThePolicyWarns) {
  policy::Policy policy;
  Judged judged = timed(Verdict::suspected, 0.3);
  EXPECT_EQ(action_of(judged, policy), GateAction::warn) << "pairs may still come";
  judged.unconfirmed = gate::Unconfirmed{"no pairs", true};
  EXPECT_EQ(action_of(judged, policy), GateAction::fail);
  policy.unconfirmed = policy::Unconfirmed::warn;
  EXPECT_EQ(action_of(judged, policy), GateAction::warn);
  judged.unconfirmed->beyond_gate = false;
  policy.unconfirmed = policy::Unconfirmed::fail;
  EXPECT_EQ(action_of(judged, policy), GateAction::fail);
}

TEST(Action, NeverDoesMoreThanThePolicySaysOfTheMetric) {
  policy::Policy own;
  own.metrics["time"] = policy::Action::warn;
  EXPECT_EQ(action_of(timed(Verdict::regressed, 0.5), own), GateAction::warn);
  EXPECT_EQ(action_of(timed(Verdict::failed), own), GateAction::warn);
}

TEST(Action, OfTailsIsThatOfTheirKey) {
  policy::Policy policy;
  policy.tails = policy::Action::warn;
  policy.inconclusive = policy::Action::fail;
  Judged tail = timed(Verdict::regressed, 0.5);
  tail.action_rule = ActionRule::tail;
  EXPECT_EQ(action_of(tail, policy), GateAction::warn);
  tail.decision.verdict = Verdict::inconclusive;
  EXPECT_EQ(action_of(tail, policy), GateAction::note);
  tail = timed(Verdict::regressed, 0.03);
  tail.action_rule = ActionRule::tail;
  settle_action(tail, policy);
  EXPECT_EQ(tail.action, GateAction::warn);
  EXPECT_TRUE(tail.reasons.empty()) << "no gate has cleared it";
}

TEST(Guards, TimesOfAnUnfitMachineDecideNothing) {
  std::vector<Judged> cases;
  for (const Verdict verdict : {Verdict::regressed, Verdict::equivalent, Verdict::failed})
    cases.push_back(timed(verdict, 0.5));
  for (Judged& judged : cases) judged.decision.p = 0.001;
  gate::distrust_times(cases, "unfit: hot");
  EXPECT_EQ(cases[0].decision.verdict, Verdict::inconclusive);
  EXPECT_EQ(cases[1].decision.verdict, Verdict::inconclusive);
  EXPECT_EQ(texts(cases[1]), Texts{"unfit: hot"});
  EXPECT_FALSE(cases[1].decision.p);
  EXPECT_EQ(cases[2].decision.verdict, Verdict::failed) << "a failure needs no quiet machine";
}

TEST(Urgency, SortsByActionThenVerdictThenSizeThenName) {
  std::vector<Judged> cases;
  cases.push_back(timed(Verdict::regressed, 0.1, other));
  cases.push_back(timed(Verdict::regressed, 0.1));
  cases.push_back(timed(Verdict::regressed, 0.3, other));
  cases.push_back(timed(Verdict::failed));
  for (Judged& judged : cases) judged.action = GateAction::fail;
  cases.push_back(timed(Verdict::wrong));  // noted only
  gate::sort_by_urgency(cases);
  EXPECT_EQ(cases[0].decision.verdict, Verdict::failed);
  EXPECT_DOUBLE_EQ(*cases[1].decision.change, 0.3);
  EXPECT_EQ(cases[2].case_name(), "g/one/v");
  EXPECT_EQ(cases[3].case_name(), "g/one/w");
  EXPECT_EQ(cases[4].decision.verdict, Verdict::wrong);
}

Judged count_of_bytes(double before, double after, bool gated) {
  Judged judged;
  judged.definition = &definition;
  judged.metric = {"retained_bytes", "bytes", record::Direction::lower_is_better, record::MetricKind::exact};
  judged.metric.gated = gated;
  judged.counts = gate::Counts{before, after};
  judged.decision.verdict = Verdict::changed;
  judged.action_rule = ActionRule::counted;
  return judged;
}

reports::Report concluded(Judged judged) {
  std::vector<Judged> cases;
  cases.push_back(std::move(judged));
  reports::Report report;
  gate::conclude(report, std::move(cases), {}, {}, 0.5);
  return report;
}

TEST(Conclude, TheHeadlineTellsAChangeFromTheGate) {
  const auto headline = [](double change, std::optional<double> own_gate) {
    Judged judged = timed(Verdict::regressed, change);
    judged.own_gate = own_gate;
    judged.action = GateAction::fail;
    return concluded(std::move(judged)).headline.words();
  };
  EXPECT_EQ(headline(0.050025, {}), "g/one/v: regressed (+5.003 %)");
  EXPECT_EQ(headline(0.050025, 0.02), "g/one/v: regressed (+5.0 %)");
  EXPECT_EQ(headline(0.02003, 0.02), "g/one/v: regressed (+2.003 %)");
}

TEST(Conclude, ASuspectCountsAsSeenOnlyWhereTheGateWouldHaveBeenSeen) {
  const auto sensitive = [](double detectable) {
    Judged judged = timed(Verdict::suspected, 0.3);
    judged.decision.p = 0.001;
    judged.decision.smallest_detectable = detectable;
    return concluded(std::move(judged)).decided.sensitive;
  };
  EXPECT_EQ(sensitive(0.04), 1);
  EXPECT_EQ(sensitive(0.3), 0);
}

TEST(Conclude, SaysWhatIsFasterAndNotConfirmed) {
  Judged judged = timed(Verdict::inconclusive, -0.5);
  judged.decision.p = 0.001;
  add_reason(judged, ReasonKind::rule, facts::test(stats::Reason::improvement_unconfirmed));
  const reports::Report report = concluded(std::move(judged));
  EXPECT_EQ(report.outcome, reports::Outcome::no_verdict);
  EXPECT_NE(report.headline.words().find("; 1 faster, not confirmed"), std::string::npos) << report.headline;
}

TEST(Conclude, CountsThatChangedAreInTheHeadlineWhereTheyAreAllThatIsJudged) {
  reports::Report report;
  report.rule = "exact";
  std::vector<Judged> cases;
  cases.push_back(count_of_bytes(64, 128, false));
  gate::conclude(report, std::move(cases), {}, {}, 0.5);
  EXPECT_TRUE(report.headline.words().ends_with("; 1 count changed")) << report.headline;
}

TEST(FindingOf, ShowsPairsThatDoNotStandAsNotConfirmed) {
  Judged judged = timed(Verdict::equivalent, 0.01);
  judged.pairs = std::make_unique<stats::RuleAnswer>();
  judged.pairs->call = stats::Call::regressed;
  judged.pairs->pairs = 12;
  EXPECT_TRUE(finding_of(std::move(judged)).confirmation->confirmed);
  judged = timed(Verdict::equivalent, 0.01);
  judged.pairs = std::make_unique<stats::RuleAnswer>();
  judged.pairs->call = stats::Call::regressed;
  judged.pairs_stand = false;
  EXPECT_FALSE(finding_of(std::move(judged)).confirmation->confirmed);
}

TEST(ActionOfCounts, GrowthOfACountFailsWhereItsSuiteGatesIt) {
  const auto action = [](const Judged& judged, const policy::Policy& own = {}) { return gate::action_of(judged, own); };
  EXPECT_EQ(action(count_of_bytes(0, 64, true)), GateAction::fail);
  EXPECT_NE(action(count_of_bytes(0, 64, false)), GateAction::fail);
  EXPECT_NE(action(count_of_bytes(64, 0, true)), GateAction::fail) << "an improvement";
  policy::Policy named;
  named.metrics["retained_bytes"] = policy::Action::warn;
  EXPECT_EQ(action(count_of_bytes(0, 64, true), named), GateAction::warn) << "the policy has the last word";
}

}  // namespace
