// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/judge.hpp"

#include <gtest/gtest.h>

#include "ci/policy/since_pin.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate::testing {
namespace {

using reports::GateAction;
using reports::Outcome;
using reports::Verdict;

// Two releases' runs, and pairs of them: what the pairs say is all that counts.
class JudgeSince : public ::testing::Test {
 protected:
  JudgeSince() {
    pinned_.created = "2025-12-01T09:40:51.000Z";
    pairs_.plan.processes = 48;
  }

  void add(const std::string& name, double then, double now, const std::vector<double>& before,
           const std::vector<double>& after) {
    add_case(pinned_, name, around(then, quiet));
    add_case(current_, name, around(now, quiet));
    add_paired_case(pairs_, name, before, after);
  }
  /// A case that is SLOWER times as slow in pairs.
  void add_crept(const std::string& name, double slower) {
    add(name, 1e5, 1e5, wobble(1e5, 2, 48), wobble(slower * 1e5, 3, 48));
  }
  /// In the pairs from the one given on, the pinned binary does not measure the case.
  void fail_before(const std::string& name, record::CaseStatus status, std::int64_t from_pair) {
    for (record::Process& process : pairs_.processes) {
      for (record::CaseResult& result : process.cases) {
        if (process.side != 0 || result.name != name || process.pair.value_or(0) < from_pair) continue;
        result.status = status;
        result.message = "cannot open model.pt";
        result.measurements.clear();
      }
    }
  }
  [[nodiscard]] Comparison comparison(bool with_pairs = true) {
    Comparison made;
    if (has_pin_) made.pin = reports::SincePin{"v1.2", std::string(40, 'a'), pinned_.created};
    made.baseline = {&pinned_};
    made.judge_unchanged = false;
    made.current = &current_;
    const auto cases = cases_since(made);
    EXPECT_TRUE(cases) << cases.error().message;
    to_measure_ = cases->open;
    EXPECT_TRUE(cases->suspects.empty());
    if (!with_pairs) return made;
    pairs_.plan.confirms = record::Confirms{current_.id, pinned_.id, 0};
    pairs_.plan.confirms->open = to_measure_;
    pairs_.plan.confirms->open_family = static_cast<std::int64_t>(to_measure_.size());
    made.pairs = &pairs_;
    return made;
  }
  [[nodiscard]] reports::Report judge(const policy::Policy& project = {}) {
    auto report = judge_since(comparison(), has_pin_ ? policy::since_pin(project) : policy::pairs_alone(project));
    EXPECT_TRUE(report) << report.error().message;
    return *std::move(report);
  }

  record::Run pinned_ = empty_run("pppp");
  record::Run current_ = empty_run("cccc");
  record::Run pairs_ = paired_run("2222");
  std::vector<std::string> to_measure_;
  bool has_pin_ = true;  // else the baseline was measured on another machine
};

// A baseline of another machine: neither its times nor its host are compared; what the run lacks is missing, as in any gate.
TEST_F(JudgeSince, ABaselineOfAnotherMachineIsComparedInPairsAlone) {
  has_pin_ = false;
  pinned_.machine.host_key = "host-b";
  add("g/one/slower_there", 2e5, 1e5, wobble(1e5, 2, 48), wobble(1e5, 3, 48));
  add_crept("g/one/slower_here", 1.3);
  add_case(pinned_, "g/one/gone", around(1e5, quiet));
  current_.groups = pinned_.groups;
  const reports::Report report = judge();
  EXPECT_EQ(report.outcome, Outcome::fail) << report.headline;
  EXPECT_FALSE(report.since.has_value());
  EXPECT_EQ(report.before.label, "baseline");
  EXPECT_EQ(finding(report, "g/one/slower_there").verdict, Verdict::equivalent);
  EXPECT_EQ(finding(report, "g/one/slower_here").verdict, Verdict::regressed);
  EXPECT_EQ(finding(report, "g/one/slower_here").action, GateAction::fail);
  EXPECT_EQ(finding(report, "g/one/gone").verdict, Verdict::missing);
  EXPECT_EQ(finding(report, "g/one/gone").action, GateAction::fail);
}

// As in a comparison with stored times: only a pin may be older than the difference.
TEST_F(JudgeSince, ACaseThatMeasuresSomethingElseThanItsBaselineFails) {
  add_crept("g/one/same", 1);
  add("g/one/other", 1e5, 1e5, wobble(1e5, 2, 48), wobble(1e5, 3, 48));
  current_.cases.back().parameters = {{"n", "16"}};
  const reports::Report since_pin = judge();
  EXPECT_EQ(finding(since_pin, "g/one/other").verdict, Verdict::not_comparable);
  EXPECT_EQ(since_pin.outcome, Outcome::no_verdict) << since_pin.headline;
  has_pin_ = false;
  const reports::Report report = judge();
  EXPECT_EQ(finding(report, "g/one/other").verdict, Verdict::not_comparable);
  EXPECT_EQ(finding(report, "g/one/other").action, GateAction::fail);
  EXPECT_EQ(report.outcome, Outcome::fail) << report.headline;
}

// Another machine's parameters, such as its number of CPUs, say nothing of the change: the sides of the pairs do.
TEST_F(JudgeSince, ACaseOfAnotherMachineIsRedefinedWhereItsPairsDiffer) {
  has_pin_ = false;
  pinned_.machine.host_key = "host-b";
  add("g/one/all_cores", 1e5, 1e5, wobble(1e5, 2, 48), wobble(1e5, 3, 48));
  pinned_.cases.back().parameters = {{"threads", "8"}};
  current_.cases.back().parameters = {{"threads", "16"}};
  const auto before_pairs = judge_since(comparison(false), policy::pairs_alone({}));
  ASSERT_TRUE(before_pairs);
  EXPECT_EQ(before_pairs->outcome, Outcome::no_verdict) << before_pairs->headline;
  const reports::Report same = judge();
  EXPECT_EQ(to_measure_, std::vector<std::string>{"g/one/all_cores"});
  EXPECT_EQ(same.outcome, Outcome::pass) << same.headline;
  EXPECT_EQ(finding(same, "g/one/all_cores").verdict, Verdict::equivalent);
  pairs_.cases.back().sides_differ = std::string("its parameter n was 1 and is 2");
  const reports::Report redefined = judge();
  EXPECT_EQ(redefined.outcome, Outcome::fail) << redefined.headline;
  EXPECT_EQ(redefined.findings.size(), 1U);
  EXPECT_TRUE(mentions(finding(redefined, "g/one/all_cores").reasons, "its parameter n was 1 and is 2"));
}

TEST_F(JudgeSince, WithoutPairsABaselineOfAnotherMachineGivesNoVerdict) {
  has_pin_ = false;
  pinned_.machine.host_key = "host-b";
  add("g/one/same", 1e5, 1e5, wobble(1e5, 2, 48), wobble(1e5, 3, 48));
  Comparison without = comparison(false);
  without.no_pairs_because = "no program";
  const auto report = judge_since(without, policy::pairs_alone({}));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->outcome, Outcome::no_verdict);
  EXPECT_NE(report->headline.words().find("no program"), std::string::npos) << report->headline;
}

// Its 48 pairs differ by up to 90 %, and decide nothing.
TEST_F(JudgeSince, InstructionsDecideWhatItsPairsLeaveOpen) {
  std::vector<double> before;
  std::vector<double> after;
  for (int i = 0; i < 48; ++i) {
    before.push_back(1e5 * (1 + 0.15 * ((i * 3) % 7)));
    after.push_back(1e5 * (1 + 0.15 * ((i * 5 + 2) % 7)));
  }
  add("g/one/open", 1e5, 1e5, before, after);
  for (const std::int64_t side : {0, 1}) {
    record::InstructionCount count;
    count.case_name = "g/one/open";
    count.side = side;
    count.counter = "hardware";
    count.per_call.assign(5, side == 0 ? 1000.0 : 1080.0);
    pairs_.instructions.push_back(count);
  }
  const auto report = judge();
  EXPECT_EQ(finding(report, "g/one/open").verdict, Verdict::inconclusive);
  EXPECT_EQ(finding(report, "g/one/open", "instructions").verdict, Verdict::regressed);
  EXPECT_EQ(finding(report, "g/one/open", "instructions").action, GateAction::fail);
  policy::Policy warns;
  warns.creep = policy::Action::warn;
  EXPECT_EQ(finding(judge(warns), "g/one/open", "instructions").action, GateAction::warn);
  policy::Policy wider;
  wider.since = 0.1;
  EXPECT_TRUE(mentions(finding(judge(wider), "g/one/open").reasons, "below the gate of 10 %"));
}

TEST_F(JudgeSince, StoredTimesDecideNothing) {
  add("g/one/slower_then", 2e5, 1e5, wobble(1e5, 2, 48), wobble(1e5, 3, 48));
  add("g/one/faster_then", 1e5, 2e5, wobble(1e5, 2, 48), wobble(1e5, 3, 48));
  const reports::Report report = judge();
  EXPECT_EQ(report.outcome, Outcome::pass) << report.headline;
  EXPECT_EQ(finding(report, "g/one/slower_then").verdict, Verdict::equivalent);
  EXPECT_EQ(finding(report, "g/one/faster_then").verdict, Verdict::equivalent);
  EXPECT_NEAR(finding(report, "g/one/faster_then").change.value(), 0, 0.002);
  EXPECT_EQ(report.suspects, 0);
}

TEST_F(JudgeSince, ACaseThatSpentItsBudgetFails) {
  add_crept("g/one/crept", 1.094);
  add_crept("g/one/below", 1.03);
  add_crept("g/one/same", 1);
  const reports::Report report = judge();
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(report.headline.words().find("since v1.2 (aaaaaaaaaaaa, 2025-12-01): "), 0U) << report.headline;
  ASSERT_TRUE(report.since.has_value());
  EXPECT_EQ(report.before.label, "pin v1.2");
  EXPECT_TRUE(report.paired);
  const auto& crept = finding(report, "g/one/crept");
  EXPECT_EQ(crept.verdict, Verdict::regressed);
  EXPECT_EQ(crept.action, GateAction::fail);
  EXPECT_NEAR(crept.change.value(), 0.094, 0.002);
  EXPECT_TRUE(mentions(crept.reasons, "change since v1.2 (aaaaaaaaaaaa, 2025-12-01)"));
  EXPECT_LT(crept.alpha.value(), 0.01 / 3 + 1e-12) << "all cases share alpha";
  EXPECT_EQ(finding(report, "g/one/below").action, GateAction::warn);
  EXPECT_EQ(finding(report, "g/one/same").verdict, Verdict::equivalent);
}

TEST_F(JudgeSince, ThePolicySaysWhatItDoes) {
  add_crept("g/one/crept", 1.094);
  add_crept("g/one/below", 1.03);
  policy::Policy project;
  project.creep = policy::Action::warn;
  EXPECT_EQ(judge(project).outcome, Outcome::pass);
  EXPECT_EQ(finding(judge(project), "g/one/crept").action, GateAction::warn);
  project.creep = policy::Action::pass;
  EXPECT_EQ(finding(judge(project), "g/one/crept").action, GateAction::note);
  EXPECT_EQ(finding(judge(project), "g/one/below").action, GateAction::note) << "never more than beyond it";
  project = {};
  project.since = 0.2;
  EXPECT_EQ(judge(project).outcome, Outcome::pass);
  project.case_rules.push_back({"g/one/below", true, {{"since", 0.02}}, {}, "torchgate.toml:1"});
  EXPECT_EQ(finding(judge(project), "g/one/below").action, GateAction::fail);
  EXPECT_EQ(finding(judge(project), "g/one/crept").action, GateAction::warn);
}

TEST_F(JudgeSince, WhatOneCommitDoesNotMeasureIsListed) {
  add_crept("g/one/same", 1);
  add_case(pinned_, "g/one/gone", around(1e5, quiet));
  add_case(current_, "g/one/new", around(1e5, quiet));
  add_case(pinned_, "g/one/other", around(1e5, quiet));
  add_case(current_, "g/one/other", around(1e5, quiet));
  current_.cases.back().protocol = "cpu-wall/2";
  const reports::Report report = judge();
  EXPECT_EQ(to_measure_, std::vector<std::string>{"g/one/same"});
  EXPECT_EQ(report.outcome, Outcome::no_verdict) << report.headline;
  EXPECT_EQ(finding(report, "g/one/gone").verdict, Verdict::missing);
  EXPECT_EQ(finding(report, "g/one/gone").action, GateAction::note);
  EXPECT_EQ(finding(report, "g/one/new").verdict, Verdict::new_case);
  EXPECT_EQ(finding(report, "g/one/other").verdict, Verdict::not_comparable) << "measured in another way";
  EXPECT_TRUE(
      mentions(report.notes,
               "1 case compared in interleaved pairs, 1 no longer measured, 1 not measured then, 1 not comparable"));
  EXPECT_EQ(report.decided.cases, 3) << "what was not compared is not decided: same, gone, other";
  EXPECT_EQ(report.decided.decided, 1);
  policy::Policy accepting;
  accepting.missing = policy::Action::pass;
  EXPECT_EQ(judge(accepting).outcome, Outcome::no_verdict) << "one of three is decided";
  accepting.min_decided = 0.3;
  EXPECT_EQ(judge(accepting).outcome, Outcome::pass);
}

TEST_F(JudgeSince, ACrashIsAFailureAtAnyTime) {
  add_crept("g/one/same", 1);
  add_case(pinned_, "g/one/crashes", around(1e5, quiet));
  add_case(current_, "g/one/crashes", around(1e5, quiet));
  result_of(current_, 0, "g/one/crashes").status = record::CaseStatus::failed;
  result_of(current_, 0, "g/one/crashes").message = "out of memory";
  EXPECT_EQ(judge().outcome, Outcome::fail);
}

TEST_F(JudgeSince, CountsAreListedAndMemoryCreeps) {
  add_crept("g/one/same", 1);
  add_crept("g/one/grown", 1);
  add_exact(pairs_, "g/one/same", "operator_calls", 7);
  add_exact(pairs_, "g/one/grown", "peak_bytes", 1000);
  for (record::Process& process : pairs_.processes) {
    for (record::CaseResult& result : process.cases) {
      for (record::Measurement& each : result.measurements) {
        if (each.value && process.side == 1) each.value = *each.value * 1.2;
      }
    }
  }
  policy::Policy project;
  project.changed = policy::Action::fail;
  project.memory = policy::Action::fail;
  const reports::Report report = judge(project);
  EXPECT_EQ(finding(report, "g/one/same", "operator_calls").verdict, Verdict::changed);
  EXPECT_EQ(finding(report, "g/one/same", "operator_calls").action, GateAction::note);
  EXPECT_EQ(finding(report, "g/one/grown", "peak_bytes").action, GateAction::fail);
}

TEST_F(JudgeSince, WithoutPairsThereIsNoVerdict) {
  add_crept("g/one/a", 1);
  Comparison without = comparison(false);
  without.no_pairs_because = "the baseline's binaries are missing";
  const auto report = judge_since(without, policy::since_pin({}));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->outcome, Outcome::no_verdict);
  EXPECT_NE(report->headline.words().find("the baseline's binaries are missing"), std::string::npos)
      << report->headline;
  EXPECT_EQ(finding(*report, "g/one/a").verdict, Verdict::inconclusive);
  EXPECT_TRUE(mentions(report->notes, "1 case to compare in interleaved pairs"));
}

TEST_F(JudgeSince, ASpentBudgetIsSaid) {
  add_crept("g/one/a", 1.094);
  for (auto* side : {&pairs_}) side->processes.resize(8);  // four pairs
  pairs_.plan.budget_s = 60;
  const reports::Report report = judge();
  EXPECT_EQ(report.outcome, Outcome::no_verdict) << report.headline;
  EXPECT_TRUE(mentions(report.notes, "the pairs' budget of 60 s was spent")) << report.headline;
}

TEST_F(JudgeSince, APinnedBinaryThatFailsInThePairsPassesNothing) {
  add_crept("g/one/same", 1);
  add_crept("g/one/crept", 1.3);
  fail_before("g/one/crept", record::CaseStatus::failed, 0);
  const reports::Report report = judge();
  EXPECT_EQ(report.outcome, Outcome::no_verdict) << report.headline;
  EXPECT_NE(
      report.headline.words().find("INCOMPLETE: 1 of 2 cases could not be compared in pairs; what it measured shows"),
      std::string::npos)
      << report.headline;
  EXPECT_EQ(finding(report, "g/one/crept").verdict, Verdict::inconclusive);
  EXPECT_EQ(facts::words_of(finding(report, "g/one/crept").reasons),
            std::vector<std::string>{"not compared in pairs: the before side failed in 48 of 48 processes: cannot "
                                     "open model.pt"});
  EXPECT_EQ(finding(report, "g/one/same").verdict, Verdict::equivalent);
}

TEST_F(JudgeSince, APinnedBinaryThatFailsInMostPairsPassesNothing) {
  add_crept("g/one/same", 1);
  add_crept("g/one/crept", 1.3);
  fail_before("g/one/crept", record::CaseStatus::wrong, 3);
  const reports::Report report = judge();
  EXPECT_EQ(report.outcome, Outcome::no_verdict) << report.headline;
  EXPECT_EQ(finding(report, "g/one/crept").verdict, Verdict::inconclusive);
  EXPECT_TRUE(
      mentions(finding(report, "g/one/crept").reasons, "was wrong in 45 of 48 processes: cannot open model.pt"));
}

TEST_F(JudgeSince, PairsThatSkipOrLackACasePassNothing) {
  add_crept("g/one/same", 1);
  add_crept("g/one/skipped", 1.3);
  add_crept("g/one/absent", 1.3);
  add_crept("g/one/silent", 1.3);
  const auto remove_results = [&](const std::string& name, std::int64_t side) {
    for (record::Process& process : pairs_.processes) {
      if (process.side == side) std::erase_if(process.cases, [&](const auto& result) { return result.name == name; });
    }
  };
  for (const char* name : {"g/one/skipped", "g/one/absent"}) {
    remove_results(name, 0);
    remove_results(name, 1);
  }
  remove_results("g/one/silent", 1);
  pairs_.cases[1].skipped = "needs 4 GB of free memory";
  pairs_.cases.erase(pairs_.cases.begin() + 2);
  const reports::Report report = judge();
  EXPECT_EQ(report.outcome, Outcome::no_verdict) << report.headline;
  EXPECT_NE(report.headline.words().find("INCOMPLETE: 3 of 4 cases"), std::string::npos) << report.headline;
  EXPECT_TRUE(mentions(finding(report, "g/one/skipped").reasons, "not compared in pairs: needs 4 GB of free memory"));
  EXPECT_TRUE(mentions(finding(report, "g/one/absent").reasons, "not compared in pairs: no pair has it"));
  EXPECT_TRUE(mentions(finding(report, "g/one/silent").reasons, "not compared in pairs: no process reported it"));
  for (const reports::Finding& each : report.findings) {
    const bool compared = each.case_name == "g/one/same";
    EXPECT_EQ(each.verdict, compared ? Verdict::equivalent : Verdict::inconclusive) << each.case_name;
  }
}

TEST_F(JudgeSince, WhatFailedWeighsMoreThanWhatWasNotCompared) {
  add_crept("g/one/crept", 1.3);
  add_crept("g/one/broken", 1);
  fail_before("g/one/broken", record::CaseStatus::failed, 0);
  EXPECT_EQ(judge().outcome, Outcome::fail);
}

TEST_F(JudgeSince, CasesThatThePlanLeavesOutAreCounted) {
  add_crept("g/one/same", 1);
  add_case(pinned_, "g/one/other", around(1e5, quiet));
  add_case(pinned_, "g/one/third", around(1e5, quiet));
  current_.plan.filter = "same";
  const std::string filtered = "2 cases of the pin were not judged: this run's plan leaves them out (filter same)";
  EXPECT_TRUE(mentions(judge().notes, filtered));
  EXPECT_EQ(judge().cases_not_planned, 2);
  EXPECT_EQ(judge().findings.size(), 1U);
  current_.plan.filter = ".*";
  pinned_.plan.profile = "full";
  EXPECT_TRUE(mentions(judge().notes, "leaves them out (profile default, suites g)"));
  pinned_.plan.profile = "default";
  EXPECT_EQ(judge().cases_not_planned, 0) << "they are gone";
}

TEST_F(JudgeSince, ARunIsNotComparedWithItselfOrAnotherMachine) {
  add_crept("g/one/a", 1);
  Comparison same = comparison();
  same.current = same.baseline.front();
  EXPECT_FALSE(cases_since(same));
  EXPECT_FALSE(judge_since(same, policy::since_pin({})));
  current_.machine.host_key = "host-b";
  current_.machine.facts[0].value = "Model B";
  Comparison elsewhere = comparison(false);
  EXPECT_TRUE(to_measure_.empty());
  EXPECT_EQ(judge_since(elsewhere, policy::since_pin({}))->outcome, Outcome::no_verdict);
}

}  // namespace
}  // namespace torchgate::gate::testing
