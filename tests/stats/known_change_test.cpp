// SPDX-License-Identifier: Apache-2.0
// A level change that was found stays found while the newest runs move again: made histories, searched again after each of ten more runs.
#include <algorithm>
#include <functional>
#include <ostream>
#include <random>

#include "stats/change_point.hpp"
#include "stats/level_interval.hpp"
#include "tests/stats/reference_data.hpp"

namespace torchgate::stats {
namespace {

using namespace testing;

constexpr std::size_t more_runs = 10;
constexpr double first_move = 0.0677;  // +7 %

// About normal, and the same with every standard library: the sum of twelve uniform numbers.
class MadeNoise {
 public:
  explicit MadeNoise(std::uint64_t seed) : random_(seed) {}
  double normal(double sd) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random_() >> 11) * 0x1p-53;
    return sd * sum;
  }

 private:
  std::mt19937_64 random_;
};

/// The newest run's distance from the level after the first change, by its number from 0 on.
using Move = std::function<double(MadeNoise& noise, std::size_t run)>;

struct Situation {
  const char* name;
  std::uint64_t seed;
  double sd;           // of a run
  double correlation;  // of neighbouring runs
  std::size_t change;  // first run at the new level
  std::size_t known;   // runs before the newest ones move
  Move move;
};

void PrintTo(const Situation& situation, std::ostream* out) {
  *out << situation.name;
}

Numbers made_history(const Situation& situation) {
  MadeNoise noise(situation.seed);
  Numbers values;
  double kept = 0;
  for (std::size_t run = 0; run < situation.known + more_runs; ++run) {
    const double phi = run == 0 ? 0 : situation.correlation;
    kept = phi * kept + std::sqrt(1 - phi * phi) * noise.normal(situation.sd);
    values.push_back(kept + (run < situation.change ? 0 : first_move));
  }
  for (std::size_t run = situation.known; run < values.size(); ++run) {
    values[run] += situation.move(noise, run - situation.known);
  }
  return values;
}

Move stepped(double height) {
  return [height](MadeNoise&, std::size_t) { return height; };
}

Move then_as_before(std::size_t runs, double height) {
  return [=](MadeNoise&, std::size_t run) { return run < runs ? height : 0; };
}

Move swinging(std::size_t runs, double height) {
  return [=](MadeNoise&, std::size_t run) { return run >= runs ? 0 : run % 2 == 0 ? height : -height; };
}

Move scattering(double sd) {
  return [sd](MadeNoise& noise, std::size_t) { return noise.normal(sd); };
}

Move rising(double per_run) {
  return [per_run](MadeNoise&, std::size_t run) { return per_run * static_cast<double>(run + 1); };
}

class KnownChange : public ::testing::TestWithParam<Situation> {};

TEST_P(KnownChange, StaysWhileTheNewestRunsMove) {
  const Situation& situation = GetParam();
  const Numbers values = made_history(situation);
  for (std::size_t runs = situation.known; runs <= values.size(); ++runs) {
    const auto stored = std::span(values).first(runs);
    const ChangePoints found = find_change_points(stored);
    const auto place = std::find_if(found.points.begin(), found.points.end(), [&](const ChangePoint& point) {
      return point.index + 2 >= situation.change && point.index <= situation.change + 2;
    });
    ASSERT_NE(place, found.points.end()) << "not found at " << runs << " runs, correlation " << found.autocorrelation;
    EXPECT_NEAR(place->after - place->before, first_move, 0.025) << runs << " runs";
    EXPECT_LE(place->p, 0.001);
    EXPECT_LE(found.points.back().index + 4, runs - found.unsettled) << "four runs on each side";
    if (found.unsettled == 0) continue;
    EXPECT_LE(found.unsettled, 5u);
    const auto point = static_cast<std::size_t>(place - found.points.begin());
    const auto interval = level_interval(stored, found, point, 0.99);
    ASSERT_TRUE(interval);
    EXPECT_TRUE(interval->low > 0 && interval->high < 0.2) << runs << " runs: the newest ones belong to no level";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Made, KnownChange,
    ::testing::Values(Situation{"MuchSlower", 2, 0.01, 0, 30, 60, stepped(0.26)},
                      Situation{"MuchFaster", 1, 0.01, 0, 30, 60, stepped(-0.4)},
                      Situation{"TheSameStepAgain", 8, 0.02, 0.5, 30, 60, stepped(first_move)},
                      Situation{"BackToTheOldLevel", 7, 0.03, 0, 30, 60, stepped(-first_move)},
                      Situation{"BackWhereRunsAreCorrelated", 13, 0.02, 0.5, 30, 60, stepped(-first_move)},
                      Situation{"ThreeRunsThenAsBefore", 1, 0.01, 0, 30, 60, then_as_before(3, 0.3)},
                      Situation{"Scatter", 2, 0.01, 0, 30, 60, scattering(0.15)},
                      Situation{"Alternating", 8, 0.01, 0, 30, 60, swinging(5, 0.3)},
                      Situation{"Ramp", 2, 0.01, 0, 30, 60, rising(0.03)},
                      Situation{"AYoungLevel", 5, 0.02, 0, 40, 50, scattering(0.15)},
                      Situation{"ALongHistory", 1, 0.01, 0, 370, 400, stepped(0.5)},
                      Situation{"AShortHistory", 1, 0.01, 0, 14, 30, stepped(0.26)}),
    [](const ::testing::TestParamInfo<Situation>& each) { return std::string(each.param.name); });

TEST(KnownChanges, AreNotReportedTwice) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Numbers values = made_history({"", seed, 0.02, 0, 30, 60, stepped(0)});
    EXPECT_EQ(find_change_points(values).points.size(), 1u) << seed;
  }
}

TEST(KnownChanges, StayAtTheSmallestAlpha) {
  const Numbers values = made_history({"", 2, 0.01, 0, 30, 60, stepped(0.26)});
  for (std::size_t runs = 60; runs <= 65; ++runs) {
    EXPECT_FALSE(find_change_points(std::span(values).first(runs), {change_point_smallest_alpha, 0.01}).points.empty())
        << runs;
  }
}

TEST(KnownChanges, NothingIsUnsettledWhereTheWholeSeriesShowsAllChanges) {
  const Numbers values = made_history({"", 1, 0.01, 0, 30, 60, stepped(0)});
  EXPECT_EQ(find_change_points(values).unsettled, 0u);
  const Numbers second = made_history({"", 1, 0.01, 0, 30, 60, stepped(0.26)});
  const ChangePoints found = find_change_points(second);
  ASSERT_EQ(found.points.size(), 2u) << "ten runs are a level";
  EXPECT_EQ(found.points[1].index, 60u);
  EXPECT_EQ(found.unsettled, 0u);
}

}  // namespace
}  // namespace torchgate::stats
