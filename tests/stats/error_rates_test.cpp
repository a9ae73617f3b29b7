// SPDX-License-Identifier: Apache-2.0
// How often the rules are wrong, and how often they find a real change, on simulated noise with a fixed seed. Bounds are the
// published or nominal rate plus about three standard errors of the simulation.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "stats/interleaved.hpp"
#include "stats/rules.hpp"
#include "stats/screen.hpp"
#include "stats/signed_rank.hpp"
#include "stats/textbook.hpp"

namespace torchgate::stats {
namespace {

using Numbers = std::vector<double>;

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : random_(seed) {}
  double normal(double sd) { return sd * normal_(random_); }
  bool chance(double probability) { return uniform_(random_) < probability; }

  Numbers normals(std::size_t n, double centre, double sd) {
    Numbers values(n);
    for (double& value : values) value = centre + normal(sd);
    return values;
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

double percent(int count, int of) {
  return 100.0 * count / of;
}

TEST(ErrorRates, TheScreenKeepsItsLevel) {
  Noise noise(1);
  for (std::size_t stored : {5u, 8u, 10u, 20u}) {
    int flagged = 0;
    int tests = 0;
    for (int suite = 0; suite < 400; ++suite) {
      std::vector<Numbers> before(50);
      std::vector<Numbers> now(50);
      std::vector<HistoryCase> cases;
      for (std::size_t i = 0; i < before.size(); ++i) {
        before[i] = noise.normals(stored, 6, 0.01);
        now[i] = noise.normals(1, 6, 0.01);
        cases.push_back({before[i], now[i]});
      }
      for (const Screen& screen : screen_history(cases)) {
        flagged += screen.change->p < 0.05;
        ++tests;
      }
    }
    // Simulated in Python: 5.3 / 5.2 / 5.1 % at 8 / 10 / 20 runs. 20,000 tests: standard error 0.16.
    EXPECT_GT(percent(flagged, tests), 4.4) << stored;
    EXPECT_LT(percent(flagged, tests), 5.8) << stored;
  }
}

// Ten stored runs of five processes that differ by 6 %: the value of two varies by half as much again.
TEST(ErrorRates, ARunOfFewerProcessesIsAllowedItsSpread) {
  Noise noise(6);
  for (const std::size_t processes : {2U, 3U, 5U}) {
    int flagged = 0;
    int tests = 0;
    for (int suite = 0; suite < 300; ++suite) {
      std::vector<std::vector<Numbers>> before(20);
      std::vector<Numbers> now(20);
      std::vector<CaseNumbers> cases(20);
      for (std::size_t i = 0; i < cases.size(); ++i) {
        for (int run = 0; run < 10; ++run) before[i].push_back(noise.normals(5, 6, 0.06));
        now[i] = noise.normals(processes, 6, 0.06);
        cases[i].baseline = before[i];
        cases[i].current = now[i];
      }
      for (const RuleAnswer& answer : find_rule("history")->judge(cases, {})) {
        flagged += *answer.p < 0.05;
        ++tests;
      }
    }
    EXPECT_GT(percent(flagged, tests), 3.9) << processes;
    EXPECT_LT(percent(flagged, tests), 6.1) << processes;
  }
}

TEST(ErrorRates, OneStoredRunIsNotTakenForMoreThanItIs) {
  Noise noise(2);
  int false_alarms = 0;
  int found = 0;
  constexpr int tests = 6000;
  for (int i = 0; i < tests; ++i) {
    // Processes vary by 1 %, runs by another 1 %: what the machine's prior says.
    const std::vector<Numbers> baseline{noise.normals(5, 6 + noise.normal(0.01), 0.01)};
    const double centre = 6 + noise.normal(0.01);
    const Numbers current = noise.normals(5, centre, 0.01);
    Numbers slower = current;
    for (double& value : slower) value += std::log(1.10);
    false_alarms += screen_few_runs(baseline, current).change->p < 0.05;
    found += screen_few_runs(baseline, slower).call == Call::suspected;
  }
  EXPECT_LT(percent(false_alarms, tests), 5.8);
  EXPECT_GT(percent(found, tests), 99);
}

TEST(ErrorRates, InterleavedPairs) {
  Noise noise(3);
  const auto bimodal = [&] { return noise.normal(0.01) + (noise.chance(0.3) ? 0.05 : 0.0); };
  const auto spiky = [&] { return noise.normal(0.01) + (noise.chance(0.03) ? std::abs(noise.normal(0.5)) : 0.0); };
  const auto ordinary = [&] { return noise.normal(0.014); };
  int alarms = 0;
  int found = 0;
  int improved = 0;
  std::size_t pairs = 0;
  constexpr int sequences = 700;
  const auto judged = [](Numbers differences, double effect) {
    for (double& d : differences) d += std::log1p(effect);
    return judge_interleaved(differences);
  };
  for (int i = 0; i < sequences; ++i) {
    for (int shape = 0; shape < 3; ++shape) {
      const auto one = [&] { return shape == 0 ? ordinary() : shape == 1 ? bimodal() : spiky(); };
      Numbers differences(48);
      for (double& d : differences) d = one() - one();
      const auto same = judged(differences, 0);
      alarms += same.call == Call::regressed || same.call == Call::improved;
      pairs += same.pairs;
      if (shape != 0) continue;
      found += judged(differences, 0.05).call == Call::regressed;
      improved += judged(differences, -0.05).call == Call::improved;
    }
  }
  EXPECT_LT(percent(alarms, 3 * sequences), 1.0);  // alpha is 1 %, and the no-harm stop only takes alarms away
  EXPECT_GT(percent(found, sequences), 98.5);
  EXPECT_GT(percent(improved, sequences), 96.0);  // 98 % in Python
  EXPECT_LT(static_cast<double>(pairs) / (3 * sequences), 30);
}

// Autocorrelated noise. One coin per pair keeps the signed-rank test exact.
TEST(ErrorRates, ACoinPerPairMakesTheSignedRankTestExact) {
  Noise noise(4);
  int below_5 = 0;
  int below_1 = 0;
  constexpr int tests = 20000;
  for (int i = 0; i < tests; ++i) {
    double level = noise.normal(1);
    Numbers differences(48);
    for (double& d : differences) {
      const double first = level = 0.7 * level + noise.normal(0.7);
      const double second = level = 0.7 * level + noise.normal(0.7);
      d = noise.chance(0.5) ? second - first : first - second;
    }
    const double p = signed_rank(differences)->p;
    below_5 += p < 0.05;
    below_1 += p < 0.01;
  }
  EXPECT_LT(percent(below_5, tests), 5.4);
  EXPECT_GT(percent(below_5, tests), 4.4);
  EXPECT_LT(percent(below_1, tests), 1.2);
}

// The false-alarm rate of a t-test on iterations: one process per side, whose medians differ by 1 % and iterations by 2 %.
TEST(ErrorRates, TheTextbookRuleOnIterationsHasManyFalseAlarms) {
  Noise noise(5);
  int false_alarms = 0;
  constexpr int tests = 2000;
  for (int i = 0; i < tests; ++i) {
    const Numbers before = noise.normals(40, 100 * (1 + noise.normal(0.01)), 2);
    const Numbers after = noise.normals(40, 100 * (1 + noise.normal(0.01)), 2);
    false_alarms += textbook(before, after).call == Call::regressed;
  }
  EXPECT_GT(percent(false_alarms, tests), 12);
}

}  // namespace
}  // namespace torchgate::stats
