// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/open_cases.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace torchgate::simulations {
namespace {

class OpenCases : public ::testing::Test {
 protected:
  OpenCases() {
    for (std::size_t run = 0; run <= stored_runs; ++run) machine_.measure();
    options_.family = cases_.size();
    options_.no_harm_level = options_.equivalence_stop_level = 0.98;
  }

  OpenAnswers spend(double effect, std::size_t budget) {
    PullRequest request(machine_, 0);
    const Question question(request, effect);
    return measure_open_cases(question, cases_, options_, budget);
  }

  static std::vector<std::size_t> all_cases() {
    std::vector<std::size_t> cases(cases_per_suite);
    std::iota(cases.begin(), cases.end(), std::size_t{0});
    return cases;
  }

  const std::vector<std::size_t> cases_ = all_cases();
  Machine machine_{{profiles[1]}, 3};
  stats::InterleavedOptions options_;
};

std::size_t decided(const OpenAnswers& answers) {
  std::size_t count = 0;
  for (const Said said : answers.said) count += said == Said::nothing ? 0U : 1U;
  return count;
}

TEST_F(OpenCases, SpendTheBudgetAndNoMore) {
  EXPECT_EQ(spend(0, 0).pairs, 0u);
  EXPECT_EQ(decided(spend(0, 0)), 0u);
  std::size_t before = 0;
  for (const std::size_t budget : {1U, 10U, 100U, 500U, 1000U}) {
    const OpenAnswers answers = spend(0, budget);
    EXPECT_EQ(answers.said.size(), cases_.size());
    EXPECT_EQ(answers.pairs, budget);
    EXPECT_GE(decided(answers), before) << budget;
    before = decided(answers);
  }
  EXPECT_GT(before, 120u);
}

// The independent answer: without a limit every case has the verdict that it would have alone.
TEST_F(OpenCases, WithoutALimitTheOrderDecidesNothing) {
  const double effect = std::log1p(0.1);
  const OpenAnswers answers = spend(effect, 1000000);
  PullRequest request(machine_, 0);
  const Question question(request, effect);
  std::size_t slower = 0;
  for (const std::size_t which : cases_) {
    const auto alone = stats::judge_interleaved(question.pairs(which, most_pairs), options_);
    // A case that is not expected to be decided is given up.
    if (answers.said[which] == Said::nothing) continue;
    const Said expected = alone.call == stats::Call::regressed    ? Said::slower
                          : alone.call == stats::Call::improved   ? Said::faster
                          : alone.call == stats::Call::equivalent ? Said::same
                                                                  : Said::nothing;
    EXPECT_EQ(answers.said[which], expected) << which;
    slower += expected == Said::slower ? 1U : 0U;
  }
  EXPECT_GE(slower, changed_cases - 1);
  EXPECT_LT(answers.pairs, cases_.size() * most_pairs);
}

// Judging all pairs at once is the independent answer.
TEST(PairVerdicts, AreThoseOfAllPairsAtOnce) {
  std::mt19937_64 random(23);
  std::normal_distribution<double> normal;
  PairVerdicts verdicts;
  std::map<stats::Call, int> calls;
  for (std::size_t which = 0; which < 150; ++which) {
    std::vector<double> pairs(most_pairs);
    const double effect = 0.03 * (static_cast<double>(which % 5) - 2);
    const double sd = 0.02 + 0.05 * static_cast<double>(which % 3);
    for (double& value : pairs) value = effect + sd * normal(random);
    for (const std::size_t family : {1U, 20U, 1000U}) {
      stats::InterleavedOptions options;
      options.family = family;
      options.alpha_share = family == 20 ? 0.5 : 1.0;
      options.no_harm_level = which % 2 == 0 ? 0.98 : 0.95;
      const stats::InterleavedJudgement expected = stats::judge_interleaved(pairs, options);
      const PairVerdict verdict = verdicts.of(which, effect, pairs, options);
      EXPECT_EQ(verdict.call, expected.call) << which << ' ' << family;
      EXPECT_EQ(verdict.pairs, expected.pairs) << which << ' ' << family;
      EXPECT_EQ(verdict.effect, *expected.effect) << which << ' ' << family;
      ++calls[verdict.call];
    }
  }
  for (const stats::Call call :
       {stats::Call::regressed, stats::Call::improved, stats::Call::equivalent, stats::Call::inconclusive})
    EXPECT_GE(calls[call], 20) << static_cast<int>(call);
}

}  // namespace
}  // namespace torchgate::simulations
