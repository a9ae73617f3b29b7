// SPDX-License-Identifier: Apache-2.0
#include "stats/side_of_change.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <random>

#include "stats/quantile.hpp"
#include "stats/student_t.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using testing::not_a_number;
using testing::Numbers;

constexpr KnownChange five_percent{0.05, 0.01};

// ln((1 + 25/4)^(5/2)) of each pair: the density of Student's t with 4 degrees of freedom at 0 and at 5 scales.
TEST(SideOfChange, ByHand) {
  const Numbers at_good(4, 0.0);
  const PlacedBuild good = place_build(at_good, five_percent);
  EXPECT_NEAR(good.evidence, -4 * 2.5 * std::log(7.25), 1e-12);
  EXPECT_NEAR(good.limit, std::log(0.995 / 0.005), 1e-12);
  EXPECT_EQ(good.side, SideOfChange::before);
  EXPECT_TRUE(good.done);
  const Numbers at_bad(4, 0.05);
  EXPECT_NEAR(place_build(at_bad, five_percent).evidence, -good.evidence, 1e-12);
  EXPECT_EQ(place_build(at_bad, five_percent).side, SideOfChange::after);
  EXPECT_NEAR(evidence_for_after(Numbers{0.025}, five_percent), 0.0, 1e-12) << "in the middle";
}

// The density itself, from the tail of the distribution by differences.
TEST(SideOfChange, TheEvidenceIsThatOfStudentsT) {
  const auto density = [](double t) {
    const double h = 1e-5;
    return (student_t_upper_tail(t - h, 4) - student_t_upper_tail(t + h, 4)) / (2 * h);
  };
  for (const double difference : {-0.03, 0.0, 0.01, 0.02, 0.04, 0.06, 0.2}) {
    const double want = std::log(density((difference - 0.05) / 0.01) / density(difference / 0.01));
    EXPECT_NEAR(evidence_for_after(Numbers{difference}, five_percent), want, 1e-4) << difference;
  }
}

TEST(SideOfChange, AFasterBuildIsBeforeAndASlowerOneIsAfter) {
  EXPECT_EQ(place_build(Numbers(6, -0.04), five_percent).side, SideOfChange::before);
  EXPECT_EQ(place_build(Numbers(6, 0.11), five_percent).side, SideOfChange::after);
  const KnownChange faster{-0.05, 0.01};
  EXPECT_EQ(place_build(Numbers(6, -0.05), faster).side, SideOfChange::after);
}

TEST(SideOfChange, APairFarFromBothSaysNothing) {
  EXPECT_LT(std::abs(evidence_for_after(Numbers{0.6}, five_percent)), 0.5);
  const Numbers with_outlier{0.001, 0.6, -0.002, 0.0, 0.003};
  EXPECT_EQ(place_build(with_outlier, five_percent).side, SideOfChange::before);
}

TEST(SideOfChange, AnswersNeitherTooEarlyNorForEver) {
  EXPECT_EQ(place_build(Numbers(3, 0.0), five_percent).side, SideOfChange::undecided);
  EXPECT_FALSE(place_build({}, five_percent).done);
  const Numbers between(24, 0.025);
  const PlacedBuild placed = place_build(between, five_percent);
  EXPECT_EQ(placed.side, SideOfChange::undecided);
  EXPECT_TRUE(placed.done);
  EXPECT_FALSE(place_build(std::span(between).first(23), five_percent).done);
}

TEST(SideOfChange, ItsOwnSpreadCountsWhereItIsWider) {
  const Numbers wide{-0.2, 0.2, -0.15, 0.15, 0.0, -0.1};
  EXPECT_LT(std::abs(place_build(wide, five_percent).evidence), std::abs(evidence_for_after(wide, five_percent)));
}

TEST(SideOfChange, UnusableNumbersSayNothing) {
  EXPECT_EQ(place_build(Numbers{0, 0, 0, 0, not_a_number}, five_percent).side, SideOfChange::undecided);
  EXPECT_EQ(spread_of_pairs(Numbers{0, 0, 0}), std::nullopt);
  EXPECT_EQ(spread_of_pairs(Numbers{0, 0, 0, not_a_number}), std::nullopt);
  EXPECT_EQ(*spread_of_pairs(Numbers{1, 1, 1, 1}), 1e-6) << "never 0";
}

// Deviations from the median 3: 2, 1, 0, 1, 2, their median 1; the upper quartile of t(4) is where its tail is a quarter.
TEST(SideOfChange, SpreadByHand) {
  EXPECT_NEAR(*spread_of_pairs(Numbers{1, 2, 3, 4, 5}), 1 / student_t_critical(0.25, 4), 1e-6);
}

struct Rates {
  double wrong = 0;      // per cent of the answers
  double undecided = 0;  // per cent
  double pairs = 0;      // mean
};

using NoiseSource = std::function<double(std::mt19937_64&)>;

// A build that belongs to one side, placed by pairs that vary as DRAW says. The change and the scale are those that END pairs of both ends show.
Rates rates_of(const NoiseSource& draw, double change, std::uint64_t seed, std::size_t end) {
  constexpr int builds = 4000;
  std::mt19937_64 random(seed);
  int wrong = 0;
  int undecided = 0;
  std::size_t pairs = 0;
  for (int i = 0; i < builds; ++i) {
    Numbers of_ends;
    for (std::size_t k = 0; k < end; ++k) of_ends.push_back(change + draw(random));
    const KnownChange known{*median(of_ends), *spread_of_pairs(of_ends)};
    if (known.change <= 0) continue;  // not searched for
    const bool slow = i % 2 == 1;
    Numbers differences;
    PlacedBuild placed;
    while (!placed.done) {
      differences.push_back((slow ? change : 0.0) + draw(random));
      placed = place_build(differences, known);
    }
    pairs += placed.pairs;
    undecided += placed.side == SideOfChange::undecided;
    wrong += placed.side == (slow ? SideOfChange::before : SideOfChange::after);
  }
  return {100.0 * wrong / builds, 100.0 * undecided / builds, static_cast<double>(pairs) / builds};
}

NoiseSource normal_noise(double sd) {
  return [sd](std::mt19937_64& random) { return std::normal_distribution<double>(0, sd)(random); };
}

// The nominal risk is 0.5 %; three standard errors of 4000 builds are 0.33 %. Where a pair varies as much as the change, 48 pairs of both ends
// show it, and not twelve.
TEST(SideOfChange, IsSeldomWrongWhateverTheNoise) {
  const NoiseSource heavy = [](std::mt19937_64& random) {
    return 0.01 * std::student_t_distribution<double>(2)(random);
  };
  const NoiseSource skewed = [](std::mt19937_64& random) {
    return 0.01 * (std::exponential_distribution<double>(1)(random) - std::exponential_distribution<double>(1)(random));
  };
  const NoiseSource spikes = [](std::mt19937_64& random) {
    const double value = std::normal_distribution<double>(0, 0.01)(random);
    return std::bernoulli_distribution(0.125)(random) ? value + 0.6 : value;
  };
  const struct {
    const char* name;
    NoiseSource draw;
    std::size_t end;  // pairs that show the change
  } noises[] = {{"normal, SD 0.5 %", normal_noise(0.005), 12},
                {"normal, SD 1 %", normal_noise(0.01), 12},
                {"normal, SD 2.5 %", normal_noise(0.025), 12},
                {"normal, SD 5 %", normal_noise(0.05), 48},
                {"t(2), scale 1 %", heavy, 12},
                {"two-sided exponential, 1 %", skewed, 12},
                {"SD 1 %, one in eight +60 %", spikes, 12}};
  for (const auto& [name, draw, end] : noises) {
    const Rates rates = rates_of(draw, 0.05, 7, end);
    std::cout << name << ": wrong " << rates.wrong << " %, undecided " << rates.undecided << " %, pairs " << rates.pairs
              << "\n";
    EXPECT_LT(rates.wrong, 0.5 + 0.33) << name;
  }
}

}  // namespace
}  // namespace torchgate::stats
