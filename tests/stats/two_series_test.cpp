// SPDX-License-Identifier: Apache-2.0
#include "stats/two_series.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "stats/hodges_lehmann.hpp"
#include "stats/rules.hpp"

namespace torchgate::stats {
namespace {

using PairSeries = std::vector<double>;

PairSeries drawn_pairs_of(std::uint64_t seed, double mean, double sd, std::size_t n = 48) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(mean, sd);
  PairSeries values(n);
  std::generate(values.begin(), values.end(), [&] { return noise(random); });
  return values;
}

InterleavedOptions confirming_options() {
  InterleavedOptions options;
  options.family = 3;
  options.no_harm_level = 0.98;
  options.equivalence_stop_level = 0.98;
  return options;
}

// Every third call is 30 % slower, which does not change the floor.
TEST(UpperBound, IsThatOfAOneSidedTInterval) {
  // Ten values, one trimmed from each end: 2..9, winsorised SS 66.5, df 7, t(0.95, 7) = 1.8946; se = sqrt(66.5 / (8 * 7)).
  const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_NEAR(*upper_bound_of(values), 5.5 + 1.8946 * std::sqrt(66.5 / 56), 1e-3);
  EXPECT_FALSE(upper_bound_of(std::vector<double>{1.0}));
}

TEST(TwoSeries, ATypicalChangeThatTheFloorDoesNotSeeIsARegression) {
  const auto judged =
      judge_two_series(drawn_pairs_of(1, 0.0, 0.007), drawn_pairs_of(2, 0.08, 0.03), confirming_options());
  EXPECT_EQ(judged.call, Call::regressed);
  EXPECT_EQ(judged.measure, Measure::typical);
  EXPECT_TRUE(judged.contradicted);
  EXPECT_NEAR(*judged.other().effect, 0.0, 0.01);
  EXPECT_EQ(judge_interleaved(drawn_pairs_of(1, 0.0, 0.007), confirming_options()).call, Call::equivalent)
      << "by the floor alone";
}

TEST(TwoSeries, AFloorChangeUnderANoisyTypicalOneIsARegression) {
  const auto judged =
      judge_two_series(drawn_pairs_of(3, 0.05, 0.007), drawn_pairs_of(4, 0.05, 0.25), confirming_options());
  EXPECT_EQ(judged.call, Call::regressed);
  EXPECT_EQ(judged.measure, Measure::floor);
  EXPECT_EQ(judged.floor.pairs, first_look(3, 0.005));
}

TEST(TwoSeries, ARegressionOfOneBeatsAnImprovementOfTheOther) {
  for (const bool floor_slower : {true, false}) {
    const double floor = floor_slower ? 0.06 : -0.06;
    const auto judged =
        judge_two_series(drawn_pairs_of(5, floor, 0.01), drawn_pairs_of(6, -floor, 0.01), confirming_options());
    EXPECT_EQ(judged.call, Call::regressed) << floor_slower;
    EXPECT_EQ(judged.measure, floor_slower ? Measure::floor : Measure::typical);
    EXPECT_TRUE(judged.contradicted);
  }
}

TEST(TwoSeries, AnImprovementDoesNotStandAgainstASlowerOther) {
  // The typical change is too noisy to be called, and lies 8 % on the slow side.
  PairSeries noisy;
  for (int i = 0; i < 48; ++i) noisy.push_back(0.08 + (i % 2 == 0 ? 0.9 : -0.9));
  const auto judged = judge_two_series(drawn_pairs_of(7, -0.06, 0.01), noisy, confirming_options());
  EXPECT_EQ(judged.call, Call::inconclusive);
  EXPECT_EQ(judged.stop, Stop::last_pair);
  EXPECT_TRUE(judged.contradicted);
  EXPECT_EQ(judge_two_series(drawn_pairs_of(7, -0.06, 0.01), drawn_pairs_of(8, -0.05, 0.2), confirming_options()).call,
            Call::improved);
}

TEST(TwoSeries, EquivalentNeedsTheOtherNotToContradict) {
  const PairSeries floor = drawn_pairs_of(9, 0.0, 0.005);
  const auto both = judge_two_series(floor, drawn_pairs_of(10, 0.0, 0.02), confirming_options());
  EXPECT_EQ(both.call, Call::equivalent);
  EXPECT_LE(both.floor.pairs, 10U);
  EXPECT_FALSE(both.contradicted);
  // The other is noisier than 48 pairs can decide, and lies about zero.
  PairSeries balanced;
  for (int i = 0; i < 48; ++i) balanced.push_back(i % 2 == 0 ? 0.3 : -0.3);
  EXPECT_EQ(judge_two_series(floor, balanced, confirming_options()).call, Call::equivalent);
  // And about 20 %: never equivalent.
  for (double& value : balanced) value += 0.2;
  const auto against = judge_two_series(floor, balanced, confirming_options());
  EXPECT_EQ(against.call, Call::inconclusive);
  EXPECT_EQ(against.stop, Stop::last_pair);
  EXPECT_TRUE(against.contradicted);
}

// Two series that are the same: half of alpha, and nothing else.
TEST(TwoSeries, OfEqualSeriesIsTheJudgementOfOneAtHalfOfAlpha) {
  std::size_t alarms = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const PairSeries values = drawn_pairs_of(seed, 0.004 * static_cast<double>(seed % 20) - 0.03, 0.02);
    const auto judged = judge_two_series(values, values, confirming_options());
    const auto one = judge_interleaved(values, half_of_alpha(confirming_options()));
    EXPECT_EQ(judged.call == Call::regressed, one.call == Call::regressed) << seed;
    if (one.stop == Stop::significant) {
      EXPECT_EQ(judged.call, one.call) << seed;
      EXPECT_EQ(judged.floor.pairs, one.pairs) << seed;
      EXPECT_EQ(judged.floor.p, one.p) << seed;
      ++alarms;
    }
  }
  EXPECT_GT(alarms, 100U);
}

// By the definition, pair by pair, from the judgements of each series.
Call call_by_definition(const PairSeries& floor, const PairSeries& typical, const InterleavedOptions& options,
                        std::size_t& pairs) {
  const InterleavedOptions half = half_of_alpha(options);
  for (pairs = 1; pairs <= options.last; ++pairs) {
    const std::span<const double> f = std::span(floor).first(pairs);
    const std::span<const double> t = std::span(typical).first(pairs);
    const auto of_floor = judge_after(f, half);
    const auto of_typical = judge_after(t, half);
    const bool last = pairs == options.last;
    for (const auto* one : {&of_floor, &of_typical})
      if (one->call == Call::regressed) return Call::regressed;
    const double margin = std::log1p(options.equivalence);
    const auto faster = [&](const auto& one, const auto& other) {
      return one.call == Call::improved && (other.call == Call::improved || *other.effect < margin);
    };
    if (faster(of_floor, of_typical) || faster(of_typical, of_floor)) return Call::improved;
    const auto goes_with = [&](const auto& other) {
      const double least = std::log1p(options.margin);
      return std::abs(*other.effect) < margin &&
             !(other.trimmed && (other.trimmed->low > least || other.trimmed->high < -least));
    };
    const auto ends = [&](const auto& one) {
      return one.stop == Stop::no_harm || one.stop == Stop::within || (last && one.call == Call::equivalent);
    };
    const bool floor_ends = ends(of_floor);
    const bool typical_ends = ends(of_typical);
    if ((floor_ends && (typical_ends || goes_with(of_typical))) || (typical_ends && goes_with(of_floor)))
      return Call::equivalent;
  }
  --pairs;
  return Call::inconclusive;
}

TEST(TwoSeries, AgreesWithItsDefinition) {
  std::array<int, 6> calls{};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto part = [&](std::uint64_t of) { return static_cast<double>(seed / of % 5); };
    const PairSeries floor = drawn_pairs_of(2 * seed, 0.02 * part(1) - 0.04, 0.002 * std::pow(4.0, part(5)));
    const PairSeries typical = drawn_pairs_of(2 * seed + 1, 0.03 * part(25) - 0.06, 0.01 * std::pow(2.0, part(7)));
    std::size_t pairs = 0;
    const Call expected = call_by_definition(floor, typical, confirming_options(), pairs);
    const auto judged = judge_two_series(floor, typical, confirming_options());
    EXPECT_EQ(judged.call, expected) << seed;
    EXPECT_EQ(judged.floor.pairs, pairs) << seed;
    EXPECT_EQ(judged.typical.pairs, pairs) << seed;
    ++calls.at(static_cast<std::size_t>(judged.call));
  }
  for (const Call call : {Call::regressed, Call::improved, Call::equivalent, Call::inconclusive})
    EXPECT_GT(calls.at(static_cast<std::size_t>(call)), 5) << to_string(call);
}

// Two series that depend on each other in every way: the risk is below alpha.
TEST(TwoSeries, UnchangedCodeIsRarelyCalledRegressed) {
  constexpr int sequences = 4000;
  InterleavedOptions options;
  options.no_harm_level = 0.999999;  // no stop ends them before the last look
  for (const double shared : {0.0, 0.7, -0.7}) {
    std::mt19937_64 random(17);
    std::normal_distribution<double> noise(0.0, 0.1);
    int alarms = 0;
    for (int i = 0; i < sequences; ++i) {
      PairSeries floor;
      PairSeries typical;
      for (int pair = 0; pair < 48; ++pair) {
        floor.push_back(noise(random));
        typical.push_back(shared * floor.back() + std::sqrt(1 - shared * shared) * noise(random));
      }
      const Call call = judge_two_series(floor, typical, options).call;
      alarms += call == Call::regressed || call == Call::improved ? 1 : 0;
    }
    EXPECT_LE(alarms, 55) << shared;  // 1 % are 40; 3 standard errors are 19
    EXPECT_GE(alarms, 10) << shared;
  }
}

// Nine pairs can alarm at 1 %, and not at half of it: the floor has all of alpha then.
TEST(TwoSeries, WithTooFewPairsForBothOnlyTheFloorIsAsked) {
  InterleavedOptions options;
  options.last = fewest_pairs_to_alarm(1);
  EXPECT_FALSE(asks_both(options));
  EXPECT_EQ(judge_two_series(drawn_pairs_of(1, 0.1, 0.01), drawn_pairs_of(2, 0.1, 0.01), options).call,
            Call::regressed);
  const auto typical_only = judge_two_series(drawn_pairs_of(3, 0.0, 0.01), drawn_pairs_of(4, 0.2, 0.01), options);
  EXPECT_EQ(typical_only.call, Call::inconclusive);
  EXPECT_TRUE(typical_only.contradicted);
  ++options.last;
  EXPECT_TRUE(asks_both(options));
  EXPECT_EQ(judge_two_series(drawn_pairs_of(3, 0.0, 0.01), drawn_pairs_of(4, 0.2, 0.01), options).call,
            Call::regressed);
  options.last = 5;  // blind either way
  EXPECT_TRUE(asks_both(options));
}

TEST(TwoSeries, TheMorePreciseHasTheSmallerError) {
  EXPECT_EQ(more_precise(drawn_pairs_of(1, 0.0, 0.01), drawn_pairs_of(2, 0.3, 0.05)), Measure::floor);
  EXPECT_EQ(more_precise(drawn_pairs_of(1, 0.3, 0.05), drawn_pairs_of(2, 0.0, 0.01)), Measure::typical);
  EXPECT_EQ(more_precise(PairSeries{0.1}, PairSeries{0.2}), Measure::floor);
}

TEST(TwoSeries, EmptyAndInvalidSeriesAreNotEquivalent) {
  EXPECT_EQ(judge_two_series({}, {}).call, Call::inconclusive);
  EXPECT_EQ(judge_two_series({}, {}).stop, Stop::not_yet);
  PairSeries broken = drawn_pairs_of(1, 0.2, 0.01);
  broken[20] = std::numeric_limits<double>::quiet_NaN();
  const auto judged = judge_two_series(drawn_pairs_of(2, 0.0, 0.3), broken);
  EXPECT_NE(judged.call, Call::equivalent);
  EXPECT_EQ(judge_two_series(drawn_pairs_of(1, 0.1, 0.01, 30), drawn_pairs_of(2, 0.1, 0.01, 4)).floor.pairs, 4U);
}

RuleAnswer answer_in_turns(const PairSeries& floor, const PairSeries& typical, const PairSeries& midpoints) {
  CaseNumbers one;
  one.pair_differences = floor;
  one.pair_midpoints = midpoints;
  one.pair_typical = typical;
  one.pair_typical_midpoints = midpoints;
  RuleOptions options;
  options.family = 3;
  return paired_rule().judge(std::span(&one, 1), options).front();
}

TEST(RulePaired, SaysWhichMeasureItsNumbersAre) {
  const PairSeries midpoints = drawn_pairs_of(20, 5.0, 0.001);
  const auto typical = answer_in_turns(drawn_pairs_of(1, 0.0, 0.007), drawn_pairs_of(2, 0.08, 0.03), midpoints);
  EXPECT_EQ(typical.call, Call::regressed);
  EXPECT_EQ(typical.measure, Measure::typical);
  ASSERT_TRUE(typical.levels && typical.other_effect);
  EXPECT_EQ(typical.levels->estimator, Estimator::typical);
  EXPECT_NEAR(typical.levels->after - typical.levels->before, *typical.effect, 1e-12);
  EXPECT_NEAR(*typical.other_effect, 0.0, 0.01);
  EXPECT_LT(*typical.p, *typical.p_limit);

  const auto floor = answer_in_turns(drawn_pairs_of(3, 0.05, 0.005), drawn_pairs_of(4, 0.05, 0.01), midpoints);
  EXPECT_EQ(floor.measure, Measure::floor);
  EXPECT_EQ(floor.levels->estimator, Estimator::floor);
  EXPECT_FALSE(floor.other_effect) << "they agree";

  PairSeries noisy;
  for (int i = 0; i < 48; ++i) noisy.push_back(0.2 + (i % 2 == 0 ? 0.3 : -0.3));
  const auto open = answer_in_turns(drawn_pairs_of(5, 0.0, 0.005), noisy, midpoints);
  EXPECT_EQ(open.call, Call::inconclusive);
  EXPECT_TRUE(open.reasons.contains(Reason::measures_disagree));
  EXPECT_FALSE(open.reasons.contains(Reason::no_harm));
  EXPECT_NEAR(*open.other_effect, 0.2, 0.1);
}

TEST(RulePaired, WithoutTheTypicalChangesTheDifferencesAreOfMedians) {
  CaseNumbers one;
  const PairSeries differences = drawn_pairs_of(1, 0.08, 0.01);
  const PairSeries too_few = drawn_pairs_of(2, 0.08, 0.01, 5);
  one.pair_differences = differences;
  one.pair_typical = too_few;
  const auto answer = paired_rule().judge(std::span(&one, 1), {}).front();
  EXPECT_EQ(answer.call, Call::regressed);
  EXPECT_FALSE(answer.measure);
}

}  // namespace
}  // namespace torchgate::stats
