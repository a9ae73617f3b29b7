// SPDX-License-Identifier: Apache-2.0
// Waivers through the judges: waived, exceeded, expired, unused are four different lines, in every format.
#include "ci/gate/waive.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ci/gate/judge.hpp"
#include "reports/facts/about_settings.hpp"
#include "reports/formats/json.hpp"
#include "reports/formats/markdown.hpp"
#include "reports/formats/terminal.hpp"
#include "tests/ci/gate/evidence/stored_runs.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"
#include "tests/ci/gate/made_waiver.hpp"
#include "tests/golden/golden.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using namespace std::chrono_literals;
using policy::Waiver;
using reports::GateAction;
using reports::Verdict;

// Five cases and five waivers: one does its work, one is too small, one has expired, one is not needed, one names no case.
reports::Report five_waivers() {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/waived", 1.10);
  add_slower(run, "g/one/exceeded", 1.20);
  add_slower(run, "g/one/expired", 1.10);
  add_slower(run, "g/one/unused", 1.0);
  const auto policy = policy_with({waiver("g/one/waived", 0.12), waiver("g/one/exceeded", 0.12),
                                   waiver("g/one/expired", 0.12, 2026y / 11 / 20), waiver("g/one/unused", 0.12),
                                   waiver("g/one/wavied", 0.12)});
  return gate::judge_paired(run, policy).value();
}

// Also where no suite of the run is in front of it.
TEST(Waivers, APatternIsTheNameOfNoCase) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.0);
  const auto report = gate::judge_paired(run, policy_with({waiver(".*", 0.3), waiver("g/*", 0.3)})).value();
  const std::string why = "a waiver takes the whole name of one case, not a pattern";
  EXPECT_TRUE(mentions(report.notes, "unused waiver: .* (time): " + why));
  EXPECT_TRUE(mentions(report.notes, "unused waiver: g/* (time): " + why));
}

TEST(Waivers, WhatBecomesOfEach) {
  const auto report = five_waivers();
  const auto& waived = finding(report, "g/one/waived");
  EXPECT_EQ(waived.verdict, Verdict::regressed) << "it stays what it is";
  EXPECT_EQ(waived.action, GateAction::pass);
  EXPECT_TRUE(mentions(waived.reasons, "waived: better output, until 2027-01-31"));
  const auto& exceeded = finding(report, "g/one/exceeded");
  EXPECT_EQ(exceeded.action, GateAction::fail);
  EXPECT_TRUE(mentions(exceeded.reasons, "beyond its waiver (ceiling 12 %)"));
  const auto& expired = finding(report, "g/one/expired");
  EXPECT_EQ(expired.action, GateAction::fail);
  EXPECT_TRUE(mentions(expired.reasons, "its waiver expired: its last day was 2026-11-20"));
  EXPECT_TRUE(
      mentions(report.notes, "waived: g/one/waived (time), +9.9 %, ceiling 12 %: better output, until 2027-01-31"));
  EXPECT_TRUE(mentions(report.notes, "waiver exceeded: g/one/exceeded (time), +"));
  EXPECT_TRUE(mentions(report.notes, "expired waiver: g/one/expired (time), last day 2026-11-20"));
  EXPECT_TRUE(mentions(report.notes, "unused waiver: g/one/unused (time): nothing to waive, it passes"));
  EXPECT_TRUE(mentions(report.notes, "unused waiver: g/one/wavied (time): unknown case; did you mean g/one/waived?"));
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  EXPECT_TRUE(report.headline.words().ends_with("; 1 waived")) << report.headline;
}

TEST(Waivers, TheCeilingOfARateIsTheFallThatItAllows) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 0.5);
  run.cases.front().metrics.front().direction = record::Direction::higher_is_better;
  const auto report = gate::judge_paired(run, policy_with({waiver("g/one/v", 1.1)})).value();
  EXPECT_TRUE(mentions(report.notes, "ceiling -52.4 %: better output")) << report.notes.back();
}

TEST(Waivers, AChangeIsToldFromItsCeiling) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.10);
  const auto plain = gate::judge_paired(run, policy_with({})).value();
  const double change = *finding(plain, "g/one/v").change;
  const double ceiling = std::round(change * 1000) / 1000;
  ASSERT_NE(change, ceiling);
  const auto report = gate::judge_paired(run, policy_with({waiver("g/one/v", ceiling)})).value();
  const std::string rounded = facts::change_of(change);
  EXPECT_TRUE(mentions(report.notes, "g/one/v (time), +"));
  EXPECT_FALSE(mentions(report.notes, "(time), " + rounded)) << report.notes.back();
}

TEST(Waivers, StandInEveryFormat) {
  const auto report = five_waivers();
  EXPECT_TRUE(golden::matches(reports::render_terminal(report), "gate/waivers.txt"));
  EXPECT_TRUE(golden::matches(reports::render_markdown(report), "gate/waivers.md"));
  EXPECT_TRUE(golden::matches(reports::render_json(report), "gate/waivers.json"));
}

TEST(Waivers, AllWaivedIsAPassThatSaysSo) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.10);
  const auto report = gate::judge_paired(run, policy_with({waiver("g/one/v", 0.12, today)})).value();
  EXPECT_EQ(report.outcome, reports::Outcome::pass) << "its last day counts";
  EXPECT_NE(report.headline.words().find("1 waived"), std::string::npos) << report.headline;
  // The case and the metric are exact: nothing else is waived.
  for (const Waiver& other :
       {waiver("g/one", 1), waiver("g/one/V", 1), waiver("g/one/v", 1, 2027y / 1 / 31, "cpu_time")})
    EXPECT_EQ(gate::judge_paired(run, policy_with({other})).value().outcome, reports::Outcome::fail) << other.case_name;
}

// The baseline is as slow as was accepted: what is slower than that is another change.
TEST(Waivers, OfACommitInTheBaselineAcceptNothingMore) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.10);
  const std::string commit = "0123456789abcdef0123456789abcdef01234567";
  run.sides.front().source.commit = commit;
  const auto outcome = [&](Waiver one) { return gate::judge_paired(run, policy_with({std::move(one)})).value(); };
  Waiver spent = waiver("g/one/v", 0.5);
  spent.commit = commit;
  const auto report = outcome(spent);
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  EXPECT_TRUE(mentions(report.notes,
                       "waiver already in the baseline: g/one/v (time): the baseline has commit 0123456789ab, whose "
                       "change it accepts (torchgate-waivers.toml:1); remove it"));
  EXPECT_TRUE(mentions(finding(report, "g/one/v").reasons, "its waiver does not apply: the baseline has commit"));
  spent.commit = "0123456";
  EXPECT_EQ(outcome(spent).outcome, reports::Outcome::fail);
  spent.commit = "fedcba9876543210fedcba9876543210fedcba98";
  EXPECT_EQ(outcome(spent).outcome, reports::Outcome::pass) << "unknown";
  spent.in_baseline = true;
  EXPECT_EQ(outcome(spent).outcome, reports::Outcome::fail) << "an ancestor, as git says";
  spent.in_baseline = false;
  spent.elsewhere = true;
  EXPECT_EQ(outcome(spent).outcome, reports::Outcome::pass);
  EXPECT_TRUE(mentions(outcome(spent).doubts, "waiver of a commit that neither side has: g/one/v (time)"));
  spent.one_commit = true;
  EXPECT_TRUE(mentions(outcome(spent).doubts, "waiver of a commit")) << "accepted for another one";
}

// The push of the accepted change lost the case, so the run before it is the baseline: there the waiver is not spent.
TEST(Waivers, AreSpentByTheRunWhoseNumbersAreCompared) {
  StoredRuns runs{empty_run("aaaa"), empty_run("bbbb"), empty_run("cccc")};
  const std::string accepted(40, 'b');
  runs.older.sides.front().source.commit = std::string(40, 'a');
  runs.newest.sides.front().source.commit = accepted;
  for (record::Run* run : {&runs.older, &runs.newest, &runs.current}) {
    add_case(*run, "g/one/v", around(run == &runs.older ? 1e5 : 1.3e5, quiet));
    add_exact(*run, "g/one/v", "operator_calls", run == &runs.older ? 4 : 8);
  }
  for (std::size_t i = 0; i < runs.newest.processes.size(); ++i) {
    record::CaseResult& lost = result_of(runs.newest, i, "g/one/v");
    lost.status = record::CaseStatus::failed;
    lost.measurements.clear();
  }
  Waiver of_time = waiver("g/one/v", 0.35);
  Waiver of_count = waiver("g/one/v", 8, expires_later, "operator_calls");
  of_time.commit = of_count.commit = accepted;
  of_time.in_baseline = of_count.in_baseline = true;
  const auto actions = [&] {
    runs.policy = policy_with({of_time, of_count});
    const auto report = runs.judge();
    return std::pair(finding(report, "g/one/v").action, finding(report, "g/one/v", "operator_calls").action);
  };
  EXPECT_EQ(actions(), std::pair(GateAction::pass, GateAction::pass));
  of_time.in_older = of_count.in_older = {*runs.older.sides.front().source.commit};
  EXPECT_EQ(actions(), std::pair(GateAction::fail, GateAction::warn)) << "the older run has the change as well";
  of_time.in_older = of_count.in_older = {};
  of_time.ceiling = 0.2;
  EXPECT_EQ(actions().first, GateAction::fail) << "slower than was accepted";
  runs.older.sides.front().source.commit.reset();
  of_time.ceiling = 0.35;
  EXPECT_EQ(actions().first, GateAction::pass) << "unknown";
}

TEST(Waivers, OfAFileForOneCommitSayOfWhich) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.10);
  run.sides.back().source.commit = std::string(40, 'c');
  const auto says = [&](const std::optional<std::string>& commit, const std::optional<std::string>& by) {
    Waiver one = waiver("g/one/v", 0.5);
    one.one_commit = true;
    one.commit = commit;
    one.by = by;
    return gate::judge_paired(run, policy_with({one})).value().notes.back().words();
  };
  EXPECT_TRUE(says("ccccccc", "ann").ends_with("; accepted for this commit by ann"));
  EXPECT_TRUE(says({}, {}).ends_with("; accepted for this commit"));
  EXPECT_TRUE(says(std::string(40, 'd'), {}).ends_with("; accepted for commit dddddddddddd"));
}

// "Remove it" is for the waivers of the gate: another comparison does not know its baseline.
TEST(Waivers, AreCalledUnusedByTheGateOnly) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.0);
  const std::string commit = "0123456789abcdef0123456789abcdef01234567";
  run.sides.front().source.commit = commit;
  Waiver spent = waiver("g/one/v", 0.5, 2027y / 1 / 31, "peak_bytes");
  spent.commit = commit;
  policy::Policy policy = policy_with({waiver("g/one/v", 0.12), spent});
  EXPECT_TRUE(mentions(gate::judge_paired(run, policy)->notes, "unused waiver"));
  EXPECT_TRUE(mentions(gate::judge_paired(run, policy)->notes, "waiver already in the baseline"));
  policy.of_gate = false;
  EXPECT_FALSE(mentions(gate::judge_paired(run, policy)->notes, "waiver"));
  policy.waivers.push_back(waiver("g/one/v", 0.12, 2027y / 1 / 31, "tme"));
  EXPECT_TRUE(mentions(gate::judge_paired(run, policy)->notes, "waiver without effect: g/one/v (tme): "));
}

TEST(Waivers, OfAPinAreForComparisonsSinceIt) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.10);
  Waiver of_pin = waiver("g/one/v", 0.5);
  of_pin.since = "v1";
  auto policy = policy_with({of_pin});
  const auto report = gate::judge_paired(run, policy).value();
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  EXPECT_FALSE(mentions(report.notes, "waiver"));
  policy.pin = "v2";
  EXPECT_EQ(gate::judge_paired(run, policy)->outcome, reports::Outcome::fail);
  policy.pin = "v1";
  EXPECT_EQ(gate::judge_paired(run, policy)->outcome, reports::Outcome::pass);
}

TEST(Waivers, WithoutADayNothingIsWaived) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.10);
  auto policy = policy_with({waiver("g/one/v", 0.12)});
  policy.today.reset();
  const auto report = gate::judge_paired(run, policy).value();
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  EXPECT_TRUE(mentions(report.doubts, "no waiver was applied"));
}

TEST(Waivers, ACrashIsNeverWaived) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.0);
  auto& broken = result_of(run, 1, "g/one/v");
  broken.status = record::CaseStatus::failed;
  broken.message = "out of memory";
  const auto report = gate::judge_paired(run, policy_with({waiver("g/one/v", 9)})).value();
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
  EXPECT_TRUE(mentions(finding(report, "g/one/v").reasons, "a case that is failed cannot be waived"));
  EXPECT_FALSE(mentions(report.notes, "unused waiver"));
}

// Numbers that may be 0 are judged as shares of the largest one, which no growth exceeds; the ceiling is a share of the one before.
TEST(Waivers, OfNumbersThatMayBeZeroTheGrowthIsCompared) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.0);
  run.cases.front().metrics.push_back(
      {"leak", "bytes", record::Direction::lower_is_better, record::MetricKind::timed, false});
  const auto action = [&](double before, double after, double ceiling) {
    record::Run one = run;
    for (record::Process& process : one.processes) {
      record::Measurement leak = process.cases.front().measurements.front();
      leak.metric = "leak";
      const double value = *process.pair == 0 ? 0 : process.side == 0 ? before : after;
      leak.samples.assign(leak.samples.size(), value);
      leak.summary->min = leak.summary->median = leak.summary->max = value;
      process.cases.front().measurements.push_back(leak);
    }
    auto policy = policy_with({waiver("g/one/v", ceiling, 2027y / 1 / 31, "leak")});
    policy.case_rules = {{"g/one/v", true, {}, {{"leak", policy::Action::fail}}, "torchgate.toml:1"}};
    return finding(gate::judge_paired(one, policy).value(), "g/one/v", "leak").action;
  };
  EXPECT_EQ(action(1, 10, 10), GateAction::pass);
  EXPECT_EQ(action(1, 1e6, 10), GateAction::fail);
  EXPECT_EQ(action(0, 10, 10), GateAction::fail) << "no share of 0";
}

// Stored runs without pairs: the waiver is exceeded only when the whole interval lies beyond it, as with the gate.
TEST(Waivers, TheCeilingIsComparedWithTheNearEndOfASuspectsInterval) {
  record::Run base = empty_run("aaaa");
  record::Run current = empty_run("bbbb");
  add_case(base, "g/one/v", around(1e5, 0.01));
  add_case(current, "g/one/v", around(1.3e5, 0.01));
  gate::Comparison comparison;
  comparison.baseline = {&base};
  comparison.current = &current;
  const auto judged = [&](double ceiling) {
    return gate::judge_stored(comparison, policy_with({waiver("g/one/v", ceiling)})).value();
  };
  const auto plain = gate::judge_stored(comparison, {}).value();
  const auto& suspect = finding(plain, "g/one/v");
  ASSERT_EQ(suspect.verdict, Verdict::suspected);
  const double near = suspect.interval->low;
  EXPECT_EQ(finding(judged(near - 0.001), "g/one/v").action, GateAction::fail);
  EXPECT_EQ(finding(judged(near + 0.001), "g/one/v").action, GateAction::pass);
  EXPECT_TRUE(mentions(judged(near + 0.001).doubts, "waiver that may be exceeded: g/one/v (time), +30"));
  EXPECT_FALSE(mentions(judged(*suspect.change + 0.001).doubts, "may be exceeded"));
}

// What was accepted for a commit is measured again in a merge group: its ceiling is an estimate of the same change.
TEST(Waivers, TheCeilingOfOneCommitIsComparedWithTheNearEndOfAConfirmedChange) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.10);
  const auto plain = gate::judge_paired(run, policy_with({})).value();
  const auto& confirmed = finding(plain, "g/one/v");
  ASSERT_EQ(confirmed.verdict, Verdict::regressed);
  const double near = confirmed.interval->low;
  ASSERT_LT(near + 0.001, *confirmed.change);
  const auto action = [&](double ceiling, bool one_commit) {
    Waiver accepted = waiver("g/one/v", ceiling);
    accepted.one_commit = one_commit;
    return finding(gate::judge_paired(run, policy_with({accepted})).value(), "g/one/v").action;
  };
  EXPECT_EQ(action(near + 0.001, true), GateAction::pass);
  EXPECT_EQ(action(near - 0.001, true), GateAction::fail);
  EXPECT_EQ(action(near + 0.001, false), GateAction::fail);
}

// A run that was asked for other cases says nothing about this one's waiver.
TEST(Waivers, OfACaseThatWasNotAskedForAreNotMentioned) {
  record::Run base = empty_run("aaaa");
  record::Run current = empty_run("bbbb");
  for (const char* name : {"g/one/v", "g/one/w"}) add_case(base, name, around(1e5, 0.01));
  add_case(current, "g/one/w", around(1e5, 0.01));
  current.plan.filter = "w$";
  gate::Comparison comparison;
  comparison.baseline = {&base};
  comparison.current = &current;
  const auto report =
      gate::judge_stored(comparison, policy_with({waiver("g/one/v", 0.1), waiver("g/one/x", 0.1), waiver("h/w", 0.1)}))
          .value();
  EXPECT_FALSE(mentions(report.notes, "waiver")) << report.notes.back();
}

// Pairs of a few long calls have no tails, and a later run may have them.
TEST(Waivers, OfATailThatIsNotJudgedAreNotMentioned) {
  record::Run run = paired_run("pppp");
  add_slower(run, "g/one/v", 1.0);
  const auto of_metric = [&](const char* metric) {
    const auto report = gate::judge_paired(run, policy_with({waiver("g/one/v", 0.1, 2027y / 1 / 31, metric)})).value();
    return mentions(report.notes, "waiver");
  };
  EXPECT_FALSE(of_metric("time_p95"));
  EXPECT_FALSE(of_metric("time_p99"));
  EXPECT_TRUE(of_metric("time_p98"));
}

TEST(Waivers, OneWithoutACeilingAcceptsThatACaseIsMissingAndNothingElse) {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  for (record::Run* run : {&before, &after}) add_case(*run, "g/one/kept", around(1e5, quiet));
  add_case(before, "g/one/gone", around(1e5, quiet));
  add_case(before, "g/one/other", around(1e5, quiet));
  add_case(after, "g/one/other", around(1e5, quiet));
  after.cases.back().input_seed = 7;
  add_case(before, "g/one/slower", around(1e5, quiet));
  add_case(after, "g/one/slower", around(9e5, quiet));
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  std::vector<Waiver> waivers = {waiver("g/one/gone", 0), waiver("g/one/other", 0), waiver("g/one/slower", 0)};
  for (Waiver& each : waivers) each.missing = true;
  const auto report = gate::judge_stored(comparison, policy_with(waivers)).value();
  EXPECT_EQ(finding(report, "g/one/gone").action, GateAction::pass);
  EXPECT_EQ(finding(report, "g/one/other").action, GateAction::pass);
  EXPECT_EQ(finding(report, "g/one/slower").action, GateAction::fail);
  EXPECT_TRUE(mentions(report.notes, "waived: g/one/gone (time), missing: better output"));
  EXPECT_TRUE(mentions(report.notes, "waived: g/one/other (time), not comparable: better output"));
  EXPECT_TRUE(
      mentions(report.notes, "unused waiver: g/one/slower (time): the case is neither missing nor not comparable"));
  const auto ceiling = gate::judge_stored(comparison, policy_with({waiver("g/one/gone", 0.5)})).value();
  EXPECT_EQ(finding(ceiling, "g/one/gone").action, GateAction::fail);
  EXPECT_TRUE(mentions(finding(ceiling, "g/one/gone").reasons, "use missing = true in its place"));
}

}  // namespace
