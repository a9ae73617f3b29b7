// SPDX-License-Identifier: Apache-2.0
// How well the parts of the noise are recovered, and how often a flag is raised wrongly, on simulated series
// with fixed seeds. The rates are in stats/README.md; TORCHGATE_PRINT_RATES=1 prints the table. Bounds are the rate
// measured with other seeds plus about three standard errors of the simulation here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "stats/budget.hpp"
#include "stats/dip.hpp"
#include "stats/effective_sample_size.hpp"
#include "stats/modes.hpp"
#include "stats/mser.hpp"
#include "stats/outliers.hpp"
#include "stats/quantile.hpp"
#include "stats/screen.hpp"
#include "stats/signed_rank.hpp"
#include "stats/trend.hpp"
#include "stats/variance_components.hpp"

namespace torchgate::stats {
namespace {

using Numbers = std::vector<double>;

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : random_(seed) {}
  double normal(double sd) { return sd * normal_(random_); }
  double uniform() { return uniform_(random_); }

  /// Log samples with SD 2 % around 0, each phi times as far out as the one before it, plus what is new.
  Numbers autoregression(std::size_t n, double phi) {
    Numbers values(n);
    double level = normal(1) / std::sqrt(1 - phi * phi);
    for (double& value : values) {
      level = phi * level + normal(1);
      value = 0.02 * level * std::sqrt(1 - phi * phi);
    }
    return values;
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

double mean(const Numbers& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Sizes of two of our runs: 5 processes with 40 to 60 iterations; six runs.
TEST(NoiseRates, KnownPartsAreRecovered) {
  Noise noise(1);
  constexpr double iteration_sd = 0.03;
  constexpr double process_sd = 0.01;
  constexpr double run_sd = 0.015;
  Numbers by_mean[3];
  Numbers by_median[3];
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<ProcessNumbers> means;
    std::vector<ProcessNumbers> medians;
    for (std::size_t run = 0; run < 6; ++run) {
      const double run_level = 5 + noise.normal(run_sd);
      for (std::size_t process = 0; process < 5; ++process) {
        const double level = run_level + noise.normal(process_sd);
        Numbers logs(40 + 5 * process);
        for (double& value : logs) value = level + noise.normal(iteration_sd);
        means.push_back(*process_by_mean(logs, run));
        std::sort(logs.begin(), logs.end());
        const auto at = [&](double q) { return std::exp(*quantile_of_sorted(logs, q)); };
        medians.push_back(*process_by_median(at(0.25), at(0.5), at(0.75), logs.size(), run));
      }
    }
    for (const auto& [processes, answers] : {std::pair(&means, by_mean), std::pair(&medians, by_median)}) {
      const VarianceComponents parts = variance_components(*processes);
      answers[0].push_back(*parts.iteration.variance);
      answers[1].push_back(*parts.process.variance);
      answers[2].push_back(*parts.run.variance);
    }
  }
  // 400 trials: standard errors of the means 0.3, 1.8 and 3.5 %. The variance from quartiles is 4 % low at n = 40 to 60.
  const double truth[] = {iteration_sd * iteration_sd, process_sd * process_sd, run_sd * run_sd};
  const double tolerance[] = {0.01, 0.06, 0.11};
  for (int level = 0; level < 3; ++level) {
    EXPECT_NEAR(mean(by_mean[level]) / truth[level], 1, tolerance[level]) << level;
    EXPECT_NEAR(mean(by_median[level]) / truth[level], 1, tolerance[level] + 0.06) << level;
  }
}

struct Kind {
  const char* name;
  std::function<Numbers(Noise&, std::size_t)> make;
  /// Largest share of series flagged (%) at n = 40, 100, 400: two modes, drift.
  double two_modes[3];
  double drift[3];
};

Numbers changed(Numbers values, const std::function<double(double, std::size_t)>& change) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = change(values[i], i);
  return values;
}

const std::vector<Kind>& steady_kinds() {
  static const std::vector<Kind> kinds = {
      {"normal",
       [](Noise& n, std::size_t size) { return n.autoregression(size, 0); },
       {0.2, 0.2, 0.2},
       {0.4, 0.4, 0.4}},
      {"lognormal, skewed",
       [](Noise& n, std::size_t size) {
         return changed(Numbers(size),
                        [&](double, std::size_t) { return std::log(1 + 0.03 * std::exp(n.normal(0.5))); });
       },
       {0.2, 0.2, 0.2},
       {0.4, 0.4, 0.4}},
      {"uniform, 8 % wide",
       [](Noise& n, std::size_t size) {
         return changed(Numbers(size), [&](double, std::size_t) { return 0.08 * n.uniform(); });
       },
       {1.7, 2.3, 4.0},
       {0.4, 0.4, 0.4}},
      {"normal with 3 % spikes",
       [](Noise& n, std::size_t size) {
         return changed(n.autoregression(size, 0),
                        [&](double v, std::size_t) { return n.uniform() < 0.03 ? v + std::abs(n.normal(0.3)) : v; });
       },
       {0.2, 0.2, 0.2},
       {0.4, 0.4, 0.5}},
      {"AR(1) 0.4",
       [](Noise& n, std::size_t size) { return n.autoregression(size, 0.4); },
       {0.2, 0.2, 0.2},
       {1.6, 0.8, 0.5}},
      {"AR(1) 0.7",
       [](Noise& n, std::size_t size) { return n.autoregression(size, 0.7); },
       {0.3, 0.2, 0.2},
       {4.5, 2.2, 1.0}},
  };
  return kinds;
}

TEST(NoiseRates, FlagsOnSteadySeries) {
  const bool print = std::getenv("TORCHGATE_PRINT_RATES") != nullptr;
  const std::size_t sizes[] = {40, 100, 400};
  constexpr int trials = 2500;
  Noise noise(2);
  if (print) std::printf("| series | n | two modes | drift | MSER-5 at its limit | outliers | n_eff / n |\n");
  for (const Kind& kind : steady_kinds()) {
    for (std::size_t s = 0; s < 3; ++s) {
      int two = 0;
      int drift = 0;
      int at_limit = 0;
      double outliers = 0;
      double effective = 0;
      for (int trial = 0; trial < trials; ++trial) {
        const Numbers samples = kind.make(noise, sizes[s]);
        Numbers sorted = samples;
        std::sort(sorted.begin(), sorted.end());
        two += two_modes(samples, sorted).has_value();
        drift += drifts(samples);
        at_limit += mser5(samples)->at_limit;
        const auto n = static_cast<double>(sizes[s]);
        outliers += static_cast<double>(*outlier_count_of_sorted(sorted)) / n;
        effective += *effective_sample_size(samples) / n;
      }
      const auto percent = [&](double count) { return 100 * count / trials; };
      EXPECT_LE(percent(two), kind.two_modes[s]) << kind.name << ", n = " << sizes[s];
      EXPECT_LE(percent(drift), kind.drift[s]) << kind.name << ", n = " << sizes[s];
      if (print) {
        std::printf("| %s | %zu | %.2f %% | %.2f %% | %.1f %% | %.2f %% | %.2f |\n", kind.name, sizes[s], percent(two),
                    percent(drift), percent(at_limit), percent(outliers), effective / trials);
      }
    }
  }
}

TEST(NoiseRates, FlagsWhereThereIsSomething) {
  Noise noise(3);
  const bool print = std::getenv("TORCHGATE_PRINT_RATES") != nullptr;
  const auto rate = [&](const char* what, std::size_t n, const std::function<bool()>& flagged) {
    constexpr int trials = 600;
    int hits = 0;
    for (int trial = 0; trial < trials; ++trial) hits += flagged();
    if (print) std::printf("| %s | %zu | %.0f %% |\n", what, n, 100.0 * hits / trials);
    return 100.0 * hits / trials;
  };
  const auto is_bimodal = [](const Numbers& samples) {
    Numbers sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    return two_modes(samples, sorted).has_value();
  };
  // Half of the samples 5 % slower; SD of each mode 1.25 % (4 SD apart) or 0.8 % (6 SD apart).
  const auto heaps = [&](std::size_t n, double sd) {
    return changed(Numbers(n),
                   [&](double, std::size_t) { return noise.normal(sd) + (noise.uniform() < 0.5 ? 0.05 : 0); });
  };
  EXPECT_GT(rate("two modes 4 SD apart", 100, [&] { return is_bimodal(heaps(100, 0.0125)); }), 48);
  EXPECT_GT(rate("two modes 4 SD apart", 400, [&] { return is_bimodal(heaps(400, 0.0125)); }), 97);
  EXPECT_GT(rate("two modes 6 SD apart", 40, [&] { return is_bimodal(heaps(40, 0.008)); }), 55);
  EXPECT_GT(rate("two modes 6 SD apart", 100, [&] { return is_bimodal(heaps(100, 0.008)); }), 97);
  const auto slope = [&](std::size_t n, double rise, double phi) {
    return changed(noise.autoregression(n, phi),
                   [&](double v, std::size_t i) { return v + rise * static_cast<double>(i) / static_cast<double>(n); });
  };
  EXPECT_GT(rate("rises by 3 %, noise 2 %", 100, [&] { return drifts(slope(100, 0.03, 0)); }), 63);
  EXPECT_GT(rate("rises by 3 %, noise 2 %", 400, [&] { return drifts(slope(400, 0.03, 0)); }), 98);
  EXPECT_GT(rate("rises by 6 %, noise 2 % AR(1) 0.4", 100, [&] { return drifts(slope(100, 0.06, 0.4)); }), 91);
}

// The share of uniform samples that exceed critical_dip / sqrt(n) of stats/modes.cpp.
TEST(NoiseRates, TheCriticalDipIsThatOfOnePercentOfUniformSamples) {
  Noise noise(4);
  for (const std::size_t n : {30u, 60u, 100u}) {
    int beyond = 0;
    constexpr int trials = 8000;
    for (int trial = 0; trial < trials; ++trial) {
      Numbers values(n);
      for (double& value : values) value = noise.uniform();
      std::sort(values.begin(), values.end());
      beyond += *dip(values) >= 0.57 / std::sqrt(static_cast<double>(n));
    }
    EXPECT_GT(100.0 * beyond / trials, 0.4) << n;
    EXPECT_LT(100.0 * beyond / trials, 1.7) << n;
  }
}

// What a plan was said to find is found in 80 % of cases.
TEST(NoiseRates, TheSmallestDetectableChangeIsFound) {
  Noise noise(5);
  VarianceComponents parts;
  parts.iteration.variance = 0.0004;
  parts.process.variance = 0.0001;
  parts.run.variance = 0.0001;
  constexpr int trials = 2000;
  const double value_sd = std::sqrt(*parts.process.variance + *parts.iteration.variance * 1.5707963 / 40);

  const double for_screen = *detectable_by_screen(parts, {6, 5, 40});
  const auto run_value = [&](double effect) {
    double sum = 0;
    for (int process = 0; process < 5; ++process) sum += noise.normal(value_sd) / 5;
    return effect + noise.normal(0.01) + sum;
  };
  int found = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Numbers stored(6);
    for (double& value : stored) value = run_value(0);
    const Numbers now{run_value(for_screen)};
    const HistoryCase one{stored, now};
    found += screen_history(std::span(&one, 1)).front().change->p < 0.05;
  }
  EXPECT_NEAR(100.0 * found / trials, 80, 3.5);

  const double pair_sd = *expected_pair_sd(parts, 40);
  const double for_pairs = *detectable_by_pairs(pair_sd, 24, 0.01);
  found = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Numbers differences(24);
    for (double& d : differences) d = for_pairs + noise.normal(pair_sd);
    found += signed_rank(differences)->p < 0.01;
  }
  EXPECT_NEAR(100.0 * found / trials, 80, 4);
}

}  // namespace
}  // namespace torchgate::stats
