// SPDX-License-Identifier: Apache-2.0
// The false-alarm rates of the control charts, the reason why they never gate: at least one alert in 100 unchanged runs
// after a baseline of 20, or 50.
// The wanted numbers come from another program, in numpy: 4,000 histories each, standard error up to 0.8 points; ours are
// 20,000, 0.35 points. The difference of both may be three and a half times 0.87 points: there are 18 of them.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <random>
#include <vector>

#include "stats/watch.hpp"

namespace torchgate::stats {
namespace {

enum class Kind { independent, correlated, outliers };

struct Row {
  std::size_t baseline;
  Kind kind;
  double three_sigma;  // per cent of histories
  double two_in_a_row;
  double ewma;
};

std::vector<double> history(Kind kind, std::size_t n, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = normal(random);
    if (kind == Kind::correlated && i > 0) values[i] = 0.5 * values[i - 1] + std::sqrt(0.75) * values[i];
    if (kind == Kind::outliers && uniform(random) < 0.03) values[i] = std::abs(normal(random)) * 5 + 2;
  }
  return values;
}

TEST(WatchRates, ChartsRingOnUnchangedRuns) {
  constexpr int histories = 20000;
  constexpr std::size_t watched = 100;
  const std::vector<Row> rows{{20, Kind::independent, 24.9, 3.6, 22.9}, {20, Kind::correlated, 32.2, 15.7, 59.0},
                              {20, Kind::outliers, 82.4, 11.6, 63.6},   {50, Kind::independent, 17.8, 0.6, 16.4},
                              {50, Kind::correlated, 21.8, 6.0, 57.2},  {50, Kind::outliers, 81.8, 7.1, 56.5}};
  std::mt19937_64 random(11);
  for (const Row& row : rows) {
    int three_sigma = 0;
    int two = 0;
    int ewma = 0;
    for (int i = 0; i < histories; ++i) {
      const WatchOptions options{0.2, 3, row.baseline, row.baseline};
      bool rang[3] = {false, false, false};
      for (const WatchState& state : watch_level(history(row.kind, row.baseline + watched, random), options).states) {
        rang[0] = rang[0] || state.three_sigma;
        rang[1] = rang[1] || state.two_in_a_row;
        rang[2] = rang[2] || state.ewma;
      }
      three_sigma += rang[0] ? 1 : 0;
      two += rang[1] ? 1 : 0;
      ewma += rang[2] ? 1 : 0;
    }
    const double per_cent = 100.0 / histories;
    std::cout << row.baseline << " runs, noise " << static_cast<int>(row.kind) << ": three sigma "
              << three_sigma * per_cent << " %, twice " << two * per_cent << " %, EWMA " << ewma * per_cent << " %\n";
    EXPECT_NEAR(three_sigma * per_cent, row.three_sigma, 3.0);
    EXPECT_NEAR(two * per_cent, row.two_in_a_row, 3.0);
    EXPECT_NEAR(ewma * per_cent, row.ewma, 3.0);
  }
}

}  // namespace
}  // namespace torchgate::stats
