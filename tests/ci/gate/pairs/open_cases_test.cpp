// SPDX-License-Identifier: Apache-2.0
// Cases that the screen left open: pairs decide them, or say what they lack.
#include <gtest/gtest.h>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::add_paired_case;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::finding;
using gate::testing::mentions;
using gate::testing::paired_run;
using gate::testing::wobble;
using reports::Outcome;
using reports::Verdict;

// Five processes per side that differ by 8 %: no change is found, and none is excluded.
struct Open {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  record::Run pairs = paired_run("pppp");
  policy::Policy policy;

  explicit Open(double spread = 0.08) {
    add_case(before, "g/one/v", around(1e5, spread));
    add_case(after, "g/one/v", around(1e5, spread));
    pairs.plan.processes = 48;
    pairs.plan.confirms = record::Confirms{"bbbb", "aaaa", 0, {"g/one/v"}, 1, 60.0};
  }
  void measure(int count, double ratio) {
    add_paired_case(pairs, "g/one/v", wobble(1e5, 1, count), wobble(ratio * 1e5, 3, count));
  }
  [[nodiscard]] gate::Comparison comparison(const record::Run* with_pairs) const {
    gate::Comparison made;
    made.baseline = {&before};
    made.current = &after;
    made.pairs = with_pairs;
    made.confirmable = true;
    return made;
  }
  [[nodiscard]] reports::Report judge() const { return gate::judge_stored(comparison(&pairs), policy).value(); }
};

TEST(OpenCases, AreWhatTheScreenNeitherSuspectsNorDecides) {
  const Open open;
  const auto cases = gate::cases_for_pairs(open.comparison(nullptr), open.policy).value();
  EXPECT_TRUE(cases.suspects.empty());
  EXPECT_EQ(cases.open, std::vector<std::string>{"g/one/v"});
  const Open quiet(0.001);
  EXPECT_TRUE(gate::cases_for_pairs(quiet.comparison(nullptr), quiet.policy)->open.empty());
}

TEST(OpenCases, NoneArePairedWhereThePolicyAsksForNoPairs) {
  Open open;
  open.policy.confirm = policy::Confirm::none;
  EXPECT_TRUE(gate::cases_for_pairs(open.comparison(nullptr), open.policy)->open.empty());
  open.policy.confirm = policy::Confirm::regressions;
  for (const char* const rule : {"welch", "textbook", "exact"}) {
    open.policy.rule = rule;
    EXPECT_TRUE(gate::cases_for_pairs(open.comparison(nullptr), open.policy)->open.empty()) << rule;
  }
}

TEST(OpenCases, SixQuietPairsDecideThem) {
  Open open;
  open.measure(6, 1.0);
  const auto report = open.judge();
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::equivalent);
  EXPECT_EQ(report.decided.decided, 1);
  EXPECT_TRUE(mentions(report.notes, "the screen left 1 case open: 1 decided by")) << report.notes.back();
}

TEST(OpenCases, ASlowDownThatTheScreenMissedIsARegression) {
  Open open;
  open.measure(16, 1.08);
  const auto report = open.judge();
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::regressed);
  EXPECT_EQ(report.outcome, Outcome::fail);
}

TEST(OpenCases, WithTooFewPairsTheScreensNumbersStand) {
  Open open;
  open.measure(3, 1.0);
  const auto report = open.judge();
  const auto& found = finding(report, "g/one/v");
  EXPECT_EQ(found.verdict, Verdict::inconclusive);
  EXPECT_TRUE(found.p);
  EXPECT_TRUE(mentions(found.reasons, "3 interleaved pairs left it open: the time for pairs was spent"));
  EXPECT_TRUE(mentions(report.notes, "1 when the time was spent"));
}

TEST(OpenCases, NoiseBeyondAllPairsIsNamed) {
  Open open(0.9);
  open.measure(1, 1.0);
  const auto report = open.judge();
  EXPECT_TRUE(mentions(finding(report, "g/one/v").reasons, "1 interleaved pair left it open: its processes differ by"));
  EXPECT_TRUE(mentions(report.notes, "1 too noisy for 48 pairs"));
}

// Whether it takes turns, and so is far less noisy, its first pair would have shown.
TEST(OpenCases, NoiseOfProcessesDoesNotGiveUpACaseBeforeItsFirstPair) {
  Open open(0.9);
  open.measure(0, 1.0);
  const auto report = open.judge();
  EXPECT_TRUE(mentions(finding(report, "g/one/v").reasons, "not measured in pairs: the time for pairs was spent"));
}

TEST(Decided, TheHeadlineSaysWhatAPassIsWorth) {
  Open open;
  open.measure(3, 1.0);
  open.policy.min_decided = 0;
  auto report = open.judge();
  EXPECT_EQ(report.outcome, Outcome::pass);
  EXPECT_TRUE(report.decided.weak());
  EXPECT_TRUE(mentions(std::vector<std::string>{report.headline},
                       "no regression in 1 case, 0 decided and 1 undecided; a 5 % slow-down would have been seen in"))
      << report.headline;
  EXPECT_FALSE(report.too_few_decided);
  open.policy.min_decided = policy::Policy{}.min_decided;
  report = open.judge();
  EXPECT_EQ(report.outcome, Outcome::no_verdict);
  EXPECT_TRUE(report.too_few_decided);
  EXPECT_TRUE(mentions(std::vector<std::string>{report.headline}, "too few cases decided for gate.min_decided = 0.5"));
}

}  // namespace
