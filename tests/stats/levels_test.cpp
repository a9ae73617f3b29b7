// SPDX-License-Identifier: Apache-2.0
// Each rule's two values by a plain computation of its own, and that their difference is the effect.
#include "stats/levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "stats/rules.hpp"

namespace torchgate::stats {
namespace {

using Values = std::vector<double>;

double mean_of(const Values& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Median of all (x_i + x_j) / 2, i <= j, by the definition.
double centre_of(const Values& values) {
  Values averages;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i; j < values.size(); ++j) averages.push_back((values[i] + values[j]) / 2);
  }
  std::sort(averages.begin(), averages.end());
  const std::size_t half = averages.size() / 2;
  return averages.size() % 2 == 1 ? averages[half] : (averages[half - 1] + averages[half]) / 2;
}

// A skewed distribution: mean, median and Hodges-Lehmann differ.
Values skewed(std::size_t n, double level, unsigned seed) {
  std::mt19937 random(seed);
  std::exponential_distribution<double> exponential(20);
  Values values(n);
  for (double& value : values) value = level + exponential(random);
  return values;
}

RuleAnswer answer_of(std::string_view rule, const CaseNumbers& one) {
  return find_rule(rule)->judge(std::span(&one, 1), {}).at(0);
}

void expect_levels(const RuleAnswer& answer, double before, double after, Estimator estimator) {
  ASSERT_TRUE(answer.levels && answer.effect);
  EXPECT_NEAR(answer.levels->before, before, 1e-12);
  EXPECT_NEAR(answer.levels->after, after, 1e-12);
  EXPECT_NEAR(answer.levels->after - answer.levels->before, *answer.effect, 1e-13);
  EXPECT_EQ(answer.levels->estimator, estimator);
}

TEST(Levels, OfFewStoredRunsAreTheMeansOfTheLogarithms) {
  const std::vector<Values> stored{skewed(5, 11.0, 1), skewed(5, 11.1, 2)};
  const Values current = skewed(5, 11.3, 3);
  CaseNumbers one;
  one.baseline = stored;
  one.current = current;
  Values before = stored[0];
  before.insert(before.end(), stored[1].begin(), stored[1].end());
  for (const char* const rule : {"welch", "default"})
    expect_levels(answer_of(rule, one), mean_of(before), mean_of(current), Estimator::process_mean);
}

TEST(Levels, OfAHistoryAreItsTrimmedCentreAndTheRun) {
  std::vector<Values> stored;
  Values runs;
  for (unsigned run = 0; run < 8; ++run) {
    stored.push_back(skewed(5, 11.0, 10 + run));
    runs.push_back(centre_of(stored.back()));
  }
  const Values current = skewed(5, 11.3, 3);
  CaseNumbers one;
  one.baseline = stored;
  one.current = current;
  std::sort(runs.begin(), runs.end());
  const double centre = mean_of(Values(runs.begin() + 1, runs.end() - 1));
  for (const char* const rule : {"history", "default"})
    expect_levels(answer_of(rule, one), centre, centre_of(current), Estimator::history);
}

// Of the pairs that the answer rests on: here it stops at the first look, and the pairs behind it count in neither number.
TEST(Levels, OfPairsLieAroundTheCentreOfTheirMidpoints) {
  Values differences = skewed(20, 0.2, 4);
  Values midpoints = skewed(20, 11.0, 5);
  midpoints.back() = 99;
  CaseNumbers one;
  one.pair_differences = differences;
  one.pair_midpoints = midpoints;
  const RuleAnswer answer = answer_of("paired", one);
  ASSERT_EQ(answer.call, Call::regressed);
  ASSERT_LT(answer.pairs, 20U);
  differences.resize(answer.pairs);
  midpoints.resize(answer.pairs);
  const double effect = centre_of(differences);
  const double centre = centre_of(midpoints);
  expect_levels(answer, centre - effect / 2, centre + effect / 2, Estimator::pairs);
  one.pair_midpoints = {};
  EXPECT_FALSE(answer_of("paired", one).levels);
}

TEST(Levels, OfTheTextbookRuleAreTheMeansOfTheSamples) {
  const Values before = skewed(30, 100, 6);
  const Values after = skewed(30, 107, 7);
  CaseNumbers one;
  one.before_samples = before;
  one.after_samples = after;
  expect_levels(answer_of("textbook", one), std::log(mean_of(before)), std::log(mean_of(after)),
                Estimator::sample_mean);
  one.better = Better::higher;  // a rate: larger is worse is its reciprocal
  expect_levels(answer_of("textbook", one), -std::log(mean_of(before)), -std::log(mean_of(after)),
                Estimator::sample_mean);
}

TEST(Levels, OfCountsAreTheCounts) {
  CaseNumbers one;
  one.before_count = 100;
  one.after_count = 120;
  expect_levels(answer_of("exact", one), std::log(100.0), std::log(120.0), Estimator::count);
}

TEST(Levels, AShiftOfTheMachineMovesBothAlike) {
  const Levels levels = levels_around(3, 0.5, Estimator::history).shifted(0.25);
  EXPECT_DOUBLE_EQ(levels.before, 3.0);
  EXPECT_DOUBLE_EQ(levels.after, 3.5);
}

TEST(Levels, EachEstimatorHasItsOwnNameAndWords) {
  EXPECT_EQ(to_string(Estimator::process_mean), "process_mean");
  EXPECT_EQ(to_string(Estimator::run_value), "run_value");
  EXPECT_EQ(to_string(Estimator::count), "count");
  EXPECT_EQ(to_string(Estimator::floor), "floor");
  EXPECT_EQ(to_string(Estimator::typical), "typical");
  std::set<std::string_view> names;
  std::set<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(Estimator::count); ++i) {
    names.insert(to_string(static_cast<Estimator>(i)));
    words.insert(describe(static_cast<Estimator>(i)));
  }
  EXPECT_EQ(names.size(), 9U);
  EXPECT_EQ(words.size(), 9U);
}

}  // namespace
}  // namespace torchgate::stats
