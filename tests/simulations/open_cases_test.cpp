// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/open_cases.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

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
  for (const std::size_t budget : {1U, 10U, 100U, 500U, 1500U}) {
    const OpenAnswers answers = spend(0, budget);
    EXPECT_EQ(answers.said.size(), cases_.size());
    EXPECT_EQ(answers.pairs, budget);
    EXPECT_GE(decided(answers), before) << budget;
    before = decided(answers);
  }
  EXPECT_GT(before, 150u);
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
    const Said expected = alone.call == stats::Call::regressed    ? Said::slower
                          : alone.call == stats::Call::improved   ? Said::faster
                          : alone.call == stats::Call::equivalent ? Said::same
                                                                  : Said::nothing;
    EXPECT_EQ(answers.said[which], expected) << which;
    slower += expected == Said::slower ? 1U : 0U;
  }
  EXPECT_EQ(slower, changed_cases);
  EXPECT_LT(answers.pairs, cases_.size() * most_pairs);
}

}  // namespace
}  // namespace torchgate::simulations
