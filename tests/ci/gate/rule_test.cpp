// SPDX-License-Identifier: Apache-2.0
// --rule through the whole gate: which rule decides, what is left out, and the error for an unknown name.
#include <gtest/gtest.h>

#include <algorithm>

#include "ci/gate/judge.hpp"
#include "stats/rules.hpp"
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
using reports::Outcome;
using reports::Verdict;

struct Slower {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  policy::Policy policy;

  explicit Slower(const std::string& rule) {
    policy.rule = rule;
    add_case(before, "g/one/v", around(1e5, quiet));
    add_case(after, "g/one/v", around(1.3e5, quiet));
  }
  [[nodiscard]] gate::Comparison comparison(const record::Run* pairs = nullptr) const {
    gate::Comparison comparison;
    comparison.baseline = {&before};
    comparison.current = &after;
    comparison.pairs = pairs;
    return comparison;
  }
  [[nodiscard]] reports::Report judge(const record::Run* pairs = nullptr) const {
    return gate::judge_stored(comparison(pairs), policy).value();
  }
};

TEST(Rule, EachNameOfTheTableIsTakenAndOthersAreRefusedWithTheList) {
  policy::Policy policy;
  for (const auto& rule : stats::rules())
    EXPECT_TRUE(policy::set_policy(policy, "gate.rule", std::string(rule.name), "flag"));
  const auto refused = policy::set_policy(policy, "gate.rule", std::string("wlech"), "flag --rule");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("not \"wlech\""), std::string::npos) << refused.error().message;
  EXPECT_NE(refused.error().message.find("\"welch\", \"history\", \"paired\", \"exact\""), std::string::npos);
}

TEST(Rule, WelchSuspectsWithOneStoredRunAndHistoryNeedsFive) {
  EXPECT_EQ(Slower("welch").judge().findings[0].verdict, Verdict::suspected);
  const auto report = Slower("history").judge();
  EXPECT_EQ(report.outcome, Outcome::no_verdict);  // nothing was weighed
  EXPECT_EQ(report.findings[0].verdict, Verdict::inconclusive);
  EXPECT_TRUE(std::any_of(report.findings[0].reasons.begin(), report.findings[0].reasons.end(), [](const auto& r) {
    return r.words().find("fewer than five stored runs") != std::string::npos;
  }));
}

TEST(Rule, PairedSkipsTheScreenAndMeasuresEveryCaseInPairs) {
  Slower slower("paired");
  const auto alone = slower.judge();
  EXPECT_EQ(alone.findings[0].verdict, Verdict::inconclusive);
  EXPECT_EQ(gate::cases_for_pairs(slower.comparison(), slower.policy)->suspects, std::vector<std::string>{"g/one/v"});
  record::Run pairs = paired_run("pppp");
  std::vector<double> was;
  std::vector<double> is;
  for (int i = 0; i < 20; ++i) {
    was.push_back(1e5 + 10 * i);
    is.push_back(1.3e5 + 7 * i);
  }
  add_paired_case(pairs, "g/one/v", was, is);
  const auto judged = slower.judge(&pairs);
  EXPECT_EQ(judged.findings[0].verdict, Verdict::regressed);
  EXPECT_EQ(judged.outcome, Outcome::fail);
  EXPECT_TRUE(gate::cases_for_pairs(slower.comparison(&pairs), slower.policy)->suspects.empty());
}

// `ab` under a rule that only screens: nothing can confirm the suspect, so its whole interval decides, as without pairs.
TEST(Rule, WelchLeavesASuspectOfPairsUnconfirmed) {
  record::Run run = paired_run("pppp");
  gate::testing::add_slower(run, "g/one/v", 2.0);
  gate::testing::add_slower(run, "g/one/w", 1.0);
  policy::Policy policy;
  policy.rule = "welch";
  const auto report = gate::judge_paired(run, policy).value();
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::suspected);
  EXPECT_EQ(finding(report, "g/one/v").action, reports::GateAction::fail);
  EXPECT_TRUE(gate::testing::mentions(finding(report, "g/one/v").reasons, "rule welch judges no interleaved pairs"));
  EXPECT_EQ(report.outcome, Outcome::fail);
  policy.unconfirmed = policy::Unconfirmed::warn;
  EXPECT_EQ(gate::judge_paired(run, policy)->outcome, Outcome::pass);
}

TEST(Rule, ExactLooksAtCountsOnly) {
  Slower slower("exact");
  add_exact(slower.before, "g/one/v", "operator_calls", 10);
  add_exact(slower.after, "g/one/v", "operator_calls", 10);
  auto report = slower.judge();
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].verdict, Verdict::equivalent);
  EXPECT_EQ(report.cases_judged, 1);
  EXPECT_EQ(report.outcome, Outcome::pass);
  for (auto& process : slower.after.processes) process.cases[0].measurements.back().value = 11;
  slower.policy.changed = policy::Action::fail;
  report = slower.judge();
  EXPECT_EQ(report.findings[0].verdict, Verdict::changed);
  EXPECT_EQ(report.cases_judged, 1);
  EXPECT_EQ(report.outcome, Outcome::fail);
}

TEST(Rule, ExactWithoutAnyCountGivesNoVerdict) {
  EXPECT_EQ(Slower("exact").judge().outcome, Outcome::no_verdict);
}

TEST(Rule, TheFalseDiscoveryRateTakesTheUnluckyOffTheList) {
  Slower slower("welch");
  // Twenty-nine unchanged cases, one of which comes out 2.6 % slower: p is some 3 %, and one in thirty is what chance gives.
  for (int i = 0; i < 29; ++i) {
    const std::string name = "g/one/w" + std::to_string(i);
    add_case(slower.before, name, around(1e5, 0.01));
    add_case(slower.after, name, around(i == 0 ? 1.04e5 : 1e5, 0.01));
  }
  const auto each = slower.judge();
  slower.policy.suspects = policy::Suspects::false_discovery_rate;
  const auto kept = slower.judge();
  EXPECT_EQ(each.suspects, 2);
  EXPECT_EQ(kept.suspects, 1);
}

TEST(Rule, ACalibratedMachineReplacesTheAssumedSpread) {
  Slower slower("welch");
  gate::Comparison comparison;
  comparison.baseline = {&slower.before};
  comparison.current = &slower.after;
  comparison.run_sd_of = [](const std::string& name) {
    return name == "g/one/v" ? std::optional<double>(0.5) : std::nullopt;
  };
  EXPECT_EQ(gate::judge_stored(comparison, slower.policy)->findings[0].verdict, Verdict::inconclusive);
  slower.policy.run_sd = 0.01;  // what the policy says is not measured away
  EXPECT_EQ(gate::judge_stored(comparison, slower.policy)->findings[0].verdict, Verdict::suspected);
}

TEST(Rule, MemoryThatGrowsBeyondItsGateDoesWhatThePolicySays) {
  Slower grown("default");
  add_exact(grown.before, "g/one/v", "peak_bytes", 1000);
  add_exact(grown.after, "g/one/v", "peak_bytes", 1100);
  grown.policy.memory = policy::Action::fail;
  const auto report = grown.judge();
  const auto memory = std::find_if(report.findings.begin(), report.findings.end(),
                                   [](const auto& f) { return f.metric.name == "peak_bytes"; });
  ASSERT_NE(memory, report.findings.end());
  EXPECT_EQ(memory->verdict, Verdict::changed);
  EXPECT_EQ(memory->action, reports::GateAction::fail);
  grown.policy.peak_memory = 0.2;
  const auto below = grown.judge();
  EXPECT_TRUE(std::none_of(below.findings.begin(), below.findings.end(), [](const auto& f) {
    return f.metric.name == "peak_bytes" && f.action == reports::GateAction::fail;
  }));
}

// The action of peak memory that was BEFORE, and is AFTER in the five processes now; a negative one is not counted.
reports::GateAction action_of_memory(double before, const std::vector<double>& after, std::string* reasons = nullptr) {
  Slower grown("default");
  grown.policy.memory = policy::Action::fail;
  add_exact(grown.before, "g/one/v", "peak_bytes", before);
  add_exact(grown.after, "g/one/v", "peak_bytes", 0);
  for (std::size_t i = 0; i < after.size(); ++i) {
    auto& measurements = result_of(grown.after, i, "g/one/v").measurements;
    if (after[i] < 0) {
      measurements.pop_back();
    } else {
      measurements.back().value = after[i];
    }
  }
  const auto report = grown.judge();
  const auto& memory = finding(report, "g/one/v", "peak_bytes");
  if (reasons != nullptr) {
    for (const facts::Fact& reason : memory.reasons) *reasons += reason.words() + "\n";
  }
  return memory.action;
}

TEST(Rule, MemoryThatGrowsFrom0Grows) {
  std::string reasons;
  EXPECT_EQ(action_of_memory(0, {64, 64, 64, 64, 64}, &reasons), reports::GateAction::fail);
  EXPECT_NE(reasons.find("peak memory grew from 0"), std::string::npos) << reasons;
}

TEST(Rule, MemoryOfWhichTheCountIsLostMayHaveGrown) {
  std::string reasons;
  EXPECT_EQ(action_of_memory(1000, {1000, 1001, 1100, 1000, 1000}, &reasons), reports::GateAction::fail);
  EXPECT_NE(reasons.find("peak memory may have grown by at least 10 %"), std::string::npos) << reasons;
  EXPECT_EQ(action_of_memory(1000, {-1, -1, -1, -1, -1}), reports::GateAction::fail);
  EXPECT_EQ(action_of_memory(1000, {900, -1, 901, 900, 900}), reports::GateAction::fail) << "one is not known";
  EXPECT_EQ(action_of_memory(0, {0, 1, 0, 0, 0}), reports::GateAction::fail);
}

TEST(Rule, MemoryThatVariesBelowItsGateHasNotGrown) {
  EXPECT_EQ(action_of_memory(1000, {900, 901, 902, 900, 900}), reports::GateAction::warn) << "as any lost count";
  EXPECT_EQ(action_of_memory(1000, {1000, 1001, 1099, 1000, 1000}), reports::GateAction::warn);
}

}  // namespace
