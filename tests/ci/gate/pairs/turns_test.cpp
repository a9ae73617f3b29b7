// SPDX-License-Identifier: Apache-2.0
// Pairs whose processes took turns are judged by their floors and their typical changes, and the report says by which.
#include <gtest/gtest.h>

#include <cmath>

#include "ci/gate/judge.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "ci/gate/pairs/pair_rounds.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_paired_case;
using gate::testing::finding;
using gate::testing::paired_run;
using gate::testing::result_of;
using gate::testing::wobble;
using reports::Verdict;
using stats::Estimator;
using stats::Measure;
using TurnMeans = std::vector<double>;

constexpr const char* turned_case = "g/one/v";
constexpr int pairs_in_turns = 20;

struct TurnRatios {
  double floor = 0;  // ratio of the after side to the before side
  double typical = 0;
  double typical_noise = 0;  // this way and that
};

// Twenty pairs whose medians say nothing: they differ by a third this way and that.
struct InTurns {
  record::Run run = paired_run("pppp");

  explicit InTurns(const TurnRatios& turns) {
    TurnMeans before;
    TurnMeans after;
    for (int i = 0; i < pairs_in_turns; ++i) {
      before.push_back(i % 2 == 0 ? 1e5 : 1.3e5);
      after.push_back(i % 2 == 0 ? 1.3e5 : 1e5);
    }
    add_paired_case(run, turned_case, before, after);
    for (std::size_t pair = 0; pair < pairs_in_turns; ++pair) {
      const double wobble_of_pair = 1 + 0.001 * static_cast<double>(pair * 5 % 7) - 0.003;
      const double noise = 1 + (pair % 2 == 0 ? turns.typical_noise : -turns.typical_noise);
      set(2 * pair, 9e4, {9.5e4, 1.2e5, 1.6e5});
      const double typical = turns.typical * wobble_of_pair * noise;
      set(2 * pair + 1, 9e4 * turns.floor * wobble_of_pair, {9.5e4 * typical, 1.2e5 * typical, 1.6e5 * typical});
    }
  }
  [[nodiscard]] record::Measurement& time(std::size_t process) {
    return result_of(run, process, turned_case).measurements.front();
  }
  void set(std::size_t process, double floor, TurnMeans means) {
    record::TurnTimes times;
    times.counts.assign(means.size(), 1);
    times.means = std::move(means);
    times.floor = floor;
    time(process).turns = times;
  }
  [[nodiscard]] reports::Report judge() const { return gate::judge_paired(run, {}).value(); }
};

TEST(PairsInTurns, ASlowerFloorIsARegressionThoughMediansVaryByAThird) {
  const auto report = InTurns({1.08, 1.08, 0.1}).judge();
  const auto& found = finding(report, turned_case);
  EXPECT_EQ(found.verdict, Verdict::regressed);
  EXPECT_EQ(found.estimator, Estimator::floor);
  ASSERT_TRUE(found.confirmation && found.change && found.before && found.after);
  EXPECT_EQ(found.confirmation->measure, Measure::floor);
  EXPECT_NEAR(*found.change, 0.08, 0.003);
  EXPECT_NEAR(found.before->value, 9e4, 200);
  EXPECT_NEAR(found.after->value / found.before->value - 1, *found.change, 1e-9);
}

TEST(PairsInTurns, ATypicalChangeThatTheFloorDoesNotSeeIsARegressionAndBothAreShown) {
  const auto report = InTurns({1.0, 1.1, 0.0}).judge();
  const auto& found = finding(report, turned_case);
  EXPECT_EQ(found.verdict, Verdict::regressed);
  EXPECT_EQ(found.estimator, Estimator::typical);
  EXPECT_EQ(found.confirmation->measure, Measure::typical);
  EXPECT_NEAR(*found.change, 0.1, 0.003);
  EXPECT_NEAR(found.before->value, 1.2e5, 300) << "the median over the turns";
  EXPECT_NEAR(found.after->value / found.before->value - 1, *found.change, 1e-9);
  ASSERT_TRUE(found.confirmation->other_change);
  EXPECT_NEAR(*found.confirmation->other_change, 0.0, 0.003);
}

TEST(PairsInTurns, EqualFloorsAndTypicalTimesAreEquivalent) {
  const auto report = InTurns({1.0, 1.0, 0.02}).judge();
  const auto& found = finding(report, turned_case);
  EXPECT_EQ(found.verdict, Verdict::equivalent);
  EXPECT_LT(found.confirmation->pairs, pairs_in_turns);
  EXPECT_FALSE(found.confirmation->other_change);
}

TEST(PairsInTurns, ATypicalTimeThatIsKnownLessWellIsSaid) {
  const auto says = [](double noise) {
    const auto report = InTurns({1.0, 1.0, noise}).judge();
    EXPECT_EQ(finding(report, turned_case).verdict, Verdict::equivalent) << noise;
    return gate::testing::mentions(finding(report, turned_case).reasons, "its typical time varies more than its floor");
  };
  EXPECT_FALSE(says(0.02));
  EXPECT_TRUE(says(0.3));
}

TEST(PairsInTurns, OneProcessWithoutTurnsMeansMediansForAll) {
  InTurns made({1.08, 1.08, 0.0});
  made.time(7).turns = {};
  const auto report = made.judge();
  EXPECT_EQ(finding(report, turned_case).verdict, Verdict::inconclusive);
  EXPECT_EQ(finding(report, turned_case).estimator, Estimator::pairs);
  EXPECT_FALSE(finding(report, turned_case).confirmation->measure);
}

// The time of a case ended within a round: the last turn of one side has no neighbour.
TEST(PairsInTurns, AnIncompleteLastRoundIsLeftOut) {
  InTurns made({1.0, 1.1, 0.0});
  for (const std::size_t process : {0U, 7U}) {
    record::TurnTimes times = *made.time(process).turns;
    times.means.push_back(1e9);
    made.set(process, times.floor, times.means);
  }
  const auto report = made.judge();
  const auto& found = finding(report, turned_case);
  EXPECT_EQ(found.estimator, Estimator::typical);
  EXPECT_NEAR(*found.change, 0.1, 0.003);
  EXPECT_NEAR(found.before->value, 1.2e5, 300);
}

TEST(PairsInTurns, TurnsThatHaveNoPartnerMeanMedians) {
  InTurns made({1.08, 1.08, 0.0});
  made.set(7, 9e4, {9.5e4});
  EXPECT_EQ(finding(made.judge(), turned_case).estimator, Estimator::pairs);
  made.set(7, 0, {9.5e4, 1.2e5, 1.6e5});
  EXPECT_EQ(finding(made.judge(), turned_case).estimator, Estimator::pairs);
}

// A rate that grew by 8 %: the same numbers say the opposite.
TEST(PairsInTurns, WhereHigherIsBetterMoreIsAnImprovement) {
  InTurns made({1.08, 1.08, 0.01});
  made.run.cases.front().metrics.front().direction = record::Direction::higher_is_better;
  const auto report = made.judge();
  EXPECT_EQ(finding(report, turned_case).verdict, Verdict::improved);
  EXPECT_NEAR(*finding(report, turned_case).change, 0.08, 0.003);
}

// As a case of a GPU in a suite whose other cases take turns.
TEST(PairsInTurns, ACaseWithoutThemIsNamedInANote) {
  InTurns made({1.0, 1.0, 0.0});
  const std::string told = "1 case was measured one process after the other, not in turns";
  EXPECT_FALSE(gate::testing::mentions(made.judge().notes, told));
  add_paired_case(made.run, "g/one/piece", TurnMeans(pairs_in_turns, 1e5), TurnMeans(pairs_in_turns, 1e5));
  EXPECT_TRUE(gate::testing::mentions(made.judge().notes, told));
}

TEST(PairsInTurns, ProgramsThatKnowNoTurnsNeedNoNote) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, turned_case, TurnMeans(pairs_in_turns, 1e5), TurnMeans(pairs_in_turns, 1e5));
  EXPECT_FALSE(gate::testing::mentions(gate::judge_paired(run, {}).value().notes, "not in turns"));
  run.cases.front().device = "cuda";
  EXPECT_TRUE(gate::testing::mentions(gate::judge_paired(run, {}).value().notes, "not in turns"));
}

gate::PairValues values_in_turns(std::size_t pairs, double spread) {
  gate::PairValues values;
  for (std::size_t i = 0; i < pairs; ++i) {
    values.differences.push_back(i % 2 == 0 ? spread : -spread);
    values.typical.push_back(i % 2 == 0 ? 2 * spread : -2 * spread);
  }
  return values;
}

TEST(PairForecasts, AreNotMadeFromProcessesThatRanOneAfterTheOther) {
  gate::PairPlan plan;
  plan.no_harm_level = plan.equivalence_stop_level = 0.98;
  const gate::PairForecasts forecasts(plan, policy::Policy{});
  const gate::PairSdEstimate hopeless{0.5, 8};
  EXPECT_EQ(forecasts.more_pairs({}, hopeless), 6U) << "before the first pair";
  EXPECT_EQ(forecasts.more_pairs(values_in_turns(1, 0.0), hopeless), 1U);
  EXPECT_EQ(forecasts.more_pairs(values_in_turns(2, 0.9), hopeless), 4U) << "wild, but two pairs say little";
  EXPECT_EQ(forecasts.more_pairs(values_in_turns(3, 0.01), hopeless), 3U);
  EXPECT_FALSE(forecasts.more_pairs(values_in_turns(6, 0.9), hopeless));
  gate::PairValues of_medians = values_in_turns(1, 0.0);
  of_medians.typical.clear();
  EXPECT_FALSE(forecasts.more_pairs(of_medians, hopeless)) << "it takes no turns, so what is known of it holds";
}

// Two verdicts share alpha, and in turns each of their two numbers has half of it.
TEST(PairForecasts, AFirstLookInTurnsTakesMorePairs) {
  gate::PairPlan plan;
  plan.family = 2;
  const gate::PairForecasts forecasts(plan, policy::Policy{});
  EXPECT_EQ(forecasts.pairs_of_first_look({}), 13U) << "it may take turns";
  gate::PairValues values = values_in_turns(3, 0.1);
  EXPECT_EQ(forecasts.pairs_of_first_look(values), 13U);
  values.typical.clear();
  EXPECT_EQ(forecasts.pairs_of_first_look(values), 12U);
}

TEST(PairForecasts, GoByTheMorePreciseSeries) {
  gate::PairValues values = values_in_turns(8, 0.01);
  EXPECT_EQ(values.more_precise(), values.differences);
  std::swap(values.differences, values.typical);
  EXPECT_EQ(values.more_precise(), values.typical);
  EXPECT_NEAR(*gate::expected_pair_sd(values, {0.5, 8}), 0.01 * std::sqrt(8.0 / 7), 1e-12);
}

}  // namespace
