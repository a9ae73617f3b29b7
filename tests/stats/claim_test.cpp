// SPDX-License-Identifier: Apache-2.0
#include "stats/claim.hpp"

#include <string>

#include "stats/student_t.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

TEST(Claim, AgreesWithThePythonReference) {
  int broken = 0;
  int held = 0;
  for (const auto& row : read_json("procedure.json", "claims")) {
    ClaimOptions options;
    options.alpha = row.at("alpha");
    const auto judged = judge_claim(row.at("reference").get<Numbers>(), row.at("optimised").get<Numbers>(),
                                    row.at("promised"), options);
    EXPECT_EQ(judged.call == ClaimCall::broken, row.at("broken").get<bool>());
    EXPECT_EQ(judged.call == ClaimCall::broken, *judged.lower > row.at("promised").get<double>());
    EXPECT_EQ(judged.call == ClaimCall::holds, *judged.upper <= row.at("promised").get<double>());
    broken += judged.call == ClaimCall::broken;
    held += judged.call == ClaimCall::holds;
  }
  EXPECT_GT(broken, 10);
  EXPECT_GT(held, 10);
}

TEST(Claim, ByHand) {
  // log ratios -0.3 -0.2 -0.1 -0.2 -0.2: mean -0.2, variance 0.02/4, se sqrt(0.005/5)
  const Numbers reference(5, 1.0);
  const Numbers optimised{0.7, 0.8, 0.9, 0.8, 0.8};
  const auto judged = judge_claim(reference, optimised, 0.9);
  const double half_width = student_t_critical(0.01, 4) * std::sqrt(0.001);
  EXPECT_NEAR(*judged.ratio, std::exp(-0.2), 1e-12);
  EXPECT_NEAR(*judged.lower, std::exp(-0.2 - half_width), 1e-12);
  EXPECT_NEAR(*judged.upper, std::exp(-0.2 + half_width), 1e-12);
  EXPECT_EQ(judged.call, ClaimCall::undecided);
  EXPECT_EQ(judged.reasons, Reasons{Reason::not_significant});
  EXPECT_EQ(judge_claim(reference, optimised, 1.0).call, ClaimCall::holds);
  EXPECT_EQ(judge_claim(reference, optimised, 0.5).call, ClaimCall::broken);
}

// Log ratios 0 +-0.1, so that SE is sqrt(0.005 / 5), and a promise that lies t standard errors below them: the claim is
// measured beyond its promise for positive t.
const Numbers no_change(5, 1.0);
const Numbers scattered{0.9, 1.0, 1.1, 1.0, 1.0};
const double scatter = std::sqrt(0.001);

std::vector<ClaimJudgement> judge_at(const Numbers& ts) {
  std::vector<ClaimSample> claims;
  for (const double t : ts) claims.push_back({no_change, scattered, std::exp(-t * scatter)});
  return judge_claims(claims);
}

std::string calls_of(const std::vector<ClaimJudgement>& judged) {
  std::string letters;
  for (const ClaimJudgement& one : judged) {
    letters += one.call == ClaimCall::broken ? 'b' : one.call == ClaimCall::holds ? 'h' : '?';
  }
  return letters;
}

// One-sided limits of t with four degrees of freedom, SciPy 1.17.1: stats.t.isf([.01, .005, .0025, .005/3], 4).
constexpr double t_010 = 3.746947;
constexpr double t_005 = 4.604095;
constexpr double t_0025 = 5.597568;
constexpr double t_00167 = 6.254071;

TEST(ClaimFamily, OfOneAndOfTwoIsHolmOverAll) {
  EXPECT_EQ(calls_of(judge_at({})), "");
  EXPECT_EQ(calls_of(judge_at({t_010 + 0.01})), "b");
  EXPECT_EQ(calls_of(judge_at({t_010 - 0.01})), "?");
  EXPECT_EQ(calls_of(judge_at({t_005 + 0.01, -9})), "bh");
  EXPECT_EQ(calls_of(judge_at({t_005 - 0.01, -9})), "?h");
  EXPECT_EQ(calls_of(judge_at({t_005 + 0.01, t_010 + 0.01})), "bb") << "the second step has all of alpha";
  EXPECT_EQ(calls_of(judge_at({t_005 - 0.01, t_010 + 0.01})), "??") << "the first step fails, and there is no second";
}

TEST(ClaimFamily, OfManyIsHolmOverThoseBeyondTheirPromiseAtTwiceTheirP) {
  Numbers ts(150, -9.0);
  ts[70] = t_005 + 0.01;
  EXPECT_EQ(calls_of(judge_at(ts))[70], 'b') << "149 claims that hold cost it nothing";
  ts[70] = t_005 - 0.01;
  EXPECT_EQ(calls_of(judge_at(ts)), std::string(70, 'h') + '?' + std::string(79, 'h'));
  EXPECT_EQ(calls_of(judge_at({t_00167 + 0.01, t_0025 + 0.01, t_005 + 0.01})), "bbb");
  EXPECT_EQ(calls_of(judge_at({t_005 + 0.01, t_00167 + 0.01, t_0025 + 0.01})), "bbb") << "in any order";
  EXPECT_EQ(calls_of(judge_at({t_00167 + 0.01, t_0025 - 0.01, t_005 + 0.01})), "b??");
  EXPECT_EQ(calls_of(judge_at({t_00167 - 0.01, t_0025 + 0.01, t_005 + 0.01})), "???");
}

TEST(ClaimFamily, TiesHaveOneAnswer) {
  EXPECT_EQ(calls_of(judge_at({t_00167 + 0.01, t_00167 + 0.01, t_00167 + 0.01})), "bbb");
  EXPECT_EQ(calls_of(judge_at({t_00167 - 0.01, t_00167 - 0.01, t_00167 - 0.01})), "???");
}

TEST(ClaimFamily, BoundsAreThoseOfTheDecisions) {
  // Broken are the first two; the third is left, so Holm's last step had alpha / 2.
  const auto judged = judge_at({20, 15, 1, -9});
  EXPECT_EQ(calls_of(judged), "bb?h");
  for (const ClaimJudgement& one : judged) {
    EXPECT_NEAR(*one.lower, std::exp(-t_005 * scatter), 1e-6);
    EXPECT_NEAR(*one.upper, std::exp(t_010 * scatter), 1e-6);
  }
  for (const double t : {-20.0, -5.0, -3.0, 0.0, 3.0, 5.0, 20.0}) {
    const auto one = judge_at({t, 5.5, 0.1, -1, -9}).front();
    const double promise = std::exp(-t * scatter);
    EXPECT_EQ(one.call == ClaimCall::broken, *one.lower > promise) << t;
    EXPECT_EQ(one.call == ClaimCall::holds, *one.upper <= promise) << t;
  }
}

TEST(ClaimFamily, HoldsDoesNotDependOnTheOthers) {
  for (const std::size_t others : {0U, 1U, 26U, 149U}) {
    Numbers ts(1 + others, 0.5);
    ts[0] = -t_010 - 0.01;
    EXPECT_EQ(calls_of(judge_at(ts))[0], 'h') << others;
    ts[0] = -t_010 + 0.01;
    EXPECT_EQ(calls_of(judge_at(ts))[0], '?') << others;
  }
}

TEST(ClaimFamily, WhatCannotBeTestedTakesNoShareOfAlpha) {
  const Numbers four(4, 1.0);
  const Numbers bad{1, 1, 1, 1, infinity};
  const double promise = std::exp(-(t_010 + 0.01) * scatter);
  std::vector<ClaimSample> claims{{no_change, scattered, promise}};
  EXPECT_EQ(judge_claims(claims).front().call, ClaimCall::broken);
  claims.insert(claims.end(), {{four, four, 0.5}, {no_change, bad, 0.5}, {no_change, four, 0.5}, {{}, {}, 0.5}});
  claims.push_back({no_change, scattered, 0.0});
  const auto judged = judge_claims(claims);
  EXPECT_EQ(calls_of(judged), "b?????");
  EXPECT_EQ(judged[1].reasons, Reasons{Reason::too_few_processes});
  EXPECT_EQ(judged[1].processes, 4u);
  EXPECT_TRUE(judged[1].ratio) << "shown although it is not tested";
  EXPECT_EQ(judged[2].reasons, Reasons{Reason::not_finite});
  EXPECT_EQ(judged[3].reasons, Reasons{Reason::unequal_lengths});
  EXPECT_EQ(judged[4].reasons, Reasons{Reason::no_values});
  EXPECT_EQ(judged[5].reasons, Reasons{Reason::not_positive});
}

TEST(ClaimFamily, WithoutSpreadTheRatioItselfDecides) {
  const Numbers doubled(5, 1.0 + std::log(2.0));
  std::vector<ClaimSample> claims(9, {no_change, doubled, 1.9});
  claims.push_back({no_change, doubled, 2.1});
  claims.push_back({no_change, no_change, 1.0});
  claims.push_back({no_change, scattered, std::exp(-(t_005 + 0.01) * scatter)});
  const auto judged = judge_claims(claims);
  EXPECT_EQ(calls_of(judged), "bbbbbbbbbhhb") << "the last step is the one claim with spread";
  EXPECT_EQ(judged.front().reasons, Reasons{Reason::no_spread});
  EXPECT_EQ(*judged.front().lower, *judged.front().upper);
}

// Degrees of freedom differ: six processes of one claim, five of the others.
TEST(ClaimFamily, UnequalNumbersOfProcesses) {
  const Numbers six_before(6, 1.0);
  const Numbers six_after{0.9, 1.0, 1.1, 1.0, 1.0, 1.0};
  const std::vector<ClaimSample> claims{{six_before, six_after, 0.5},
                                        {no_change, scattered, 2.0},
                                        {no_change, scattered, 0.5},
                                        {no_change, scattered, 1.0}};
  const auto judged = judge_claims(claims);
  EXPECT_EQ(calls_of(judged), "bhb?");
  EXPECT_EQ(judged[0].processes, 6u);
  EXPECT_NEAR(*judged[0].upper, std::exp(student_t_critical(0.01, 5) * std::sqrt(0.004 / 6)), 1e-12);
}

TEST(Claim, EdgeTable) {
  const Numbers five{1, 1.01, 0.99, 1, 1};
  struct Row {
    Numbers reference, optimised;
    double promised;
    Reason reason;
  };
  for (const Row& row :
       {Row{{}, {}, 1, Reason::no_values}, Row{five, {1, 1}, 1, Reason::unequal_lengths},
        Row{{1, 1, 1, 1}, {1, 1.1, 1, 1}, 1, Reason::too_few_processes},
        Row{five, {1, 1, 1, 1, not_a_number}, 1, Reason::not_finite},
        Row{{infinity, 1, 1, 1, 1}, five, 1, Reason::not_finite}, Row{five, five, 0, Reason::not_positive},
        Row{five, five, -1, Reason::not_positive}, Row{five, five, not_a_number, Reason::not_positive},
        Row{{1e200, -1e200, 0, 0, 0}, five, 1, Reason::out_of_range}}) {
    const auto judged = judge_claim(row.reference, row.optimised, row.promised);
    EXPECT_EQ(judged.call, ClaimCall::undecided);
    EXPECT_EQ(judged.reasons, Reasons{row.reason}) << to_string(row.reason);
    EXPECT_FALSE(judged.lower || judged.upper);
  }
  const auto equal = judge_claim(Numbers(5, 2.0), Numbers(5, 1.0), 0.9);
  EXPECT_EQ(equal.call, ClaimCall::holds);
  EXPECT_EQ(equal.reasons, Reasons{Reason::no_spread});
  EXPECT_EQ(judge_claim(Numbers(5, 2.0), Numbers(5, 2.0), 1.0).call, ClaimCall::holds) << "exactly as promised";
  EXPECT_EQ(judge_claim(Numbers(5, 1.0), Numbers(5, 2.0), 0.9).call, ClaimCall::broken);
  const auto huge = judge_claim(Numbers(5, 0.0), Numbers(5, 1000.0), 0.9);
  EXPECT_EQ(huge.call, ClaimCall::broken);
  EXPECT_FALSE(huge.ratio) << "e^1000 does not fit a double";
  EXPECT_EQ(to_string(ClaimCall::undecided), "undecided");
}

}  // namespace
}  // namespace torchgate::stats
