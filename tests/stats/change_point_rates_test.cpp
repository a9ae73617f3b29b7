// SPDX-License-Identifier: Apache-2.0
// How often the detector reports a change where there is none, how often it finds one, and how often it still reports it
// while the newest runs move again, in simulated histories of 100 runs with fixed seeds. A series is the unit. Bounds: the
// rate of the Python reference on the same kind of noise plus or minus three standard errors of this simulation, and the
// promise: at most 1 % false series.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <iostream>
#include <random>
#include <span>
#include <vector>

#include "stats/change_point.hpp"
#include "stats/run_value.hpp"

namespace torchgate::stats {
namespace {

using Numbers = std::vector<double>;

constexpr std::size_t runs = 100;
constexpr int series_count = 4000;

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : random_(seed) {}
  double normal(double sd) { return sd * normal_(random_); }
  double uniform(double low, double high) { return low + (high - low) * uniform_(random_); }
  bool chance(double probability) { return uniform_(random_) < probability; }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

Numbers independent(Noise& noise) {
  Numbers values(runs);
  for (double& value : values) value = noise.normal(0.02);
  return values;
}

Numbers correlated(Noise& noise) {
  Numbers values = independent(noise);
  for (std::size_t i = 1; i < runs; ++i) values[i] = 0.5 * values[i - 1] + std::sqrt(0.75) * values[i];
  return values;
}

// Runs of five processes on a shared machine: the run's and the process's own deviations, a neighbour that disturbs a run
// or a process now and then, and half of the cases with two modes.
Numbers shared_machine(Noise& noise, double run_sd, double process_sd, double disturbed) {
  const bool bimodal = noise.chance(0.15);
  Numbers values;
  for (std::size_t i = 0; i < runs; ++i) {
    const double run = noise.normal(run_sd) + (noise.chance(disturbed) ? noise.uniform(0.02, 0.12) : 0.0);
    Numbers processes;
    for (int p = 0; p < 5; ++p) {
      processes.push_back(run + noise.normal(process_sd) + (noise.chance(disturbed) ? noise.uniform(0.02, 0.12) : 0.0) +
                          (bimodal && noise.chance(0.3) ? 0.05 : 0.0));
    }
    values.push_back(*run_value(processes));
  }
  return values;
}

struct Rates {
  double false_series = 0;  // per cent
  double found = 0;         // of +5 % steps at run 50, within five runs
  double exact = 0;         // of those found
};

Rates rates_of(const std::function<Numbers(Noise&)>& make, double alpha, std::uint64_t seed) {
  Noise noise(seed);
  int false_series = 0;
  int found = 0;
  int exact = 0;
  for (int i = 0; i < series_count; ++i) {
    Numbers values = make(noise);
    false_series += find_change_points(values, {alpha, 0.01}).points.empty() ? 0 : 1;
    for (std::size_t run = runs / 2; run < runs; ++run) values[run] += std::log(1.05);
    std::size_t nearest = runs;
    for (const ChangePoint& point : find_change_points(values, {alpha, 0.01}).points) {
      const std::size_t distance = point.index > runs / 2 ? point.index - runs / 2 : runs / 2 - point.index;
      nearest = std::min(nearest, distance);
    }
    found += nearest <= 5 ? 1 : 0;
    exact += nearest == 0 ? 1 : 0;
  }
  return {100.0 * false_series / series_count, 100.0 * found / series_count, 100.0 * exact / std::max(found, 1)};
}

void show(const char* kind, double alpha, const Rates& rates) {
  std::cout << std::fixed << std::setprecision(1) << std::left << std::setw(34) << kind << " alpha "
            << std::setprecision(3) << alpha << std::setprecision(1) << "  false series " << rates.false_series
            << " %, +5 % found " << rates.found << " %, exactly " << rates.exact << " %\n";
}

// Reference, 400 series: 0 false and 99 % found at alpha .001. Three standard errors of 4,000 series at 1 % are 0.5.
TEST(ChangePointRates, IndependentRuns) {
  const Rates alert = rates_of(independent, 0.001, 1);
  show("independent, SD 2 %", 0.001, alert);
  EXPECT_LE(alert.false_series, 1);
  EXPECT_GE(alert.found, 98);
  const Rates display = rates_of(independent, 0.01, 2);
  show("independent, SD 2 %", 0.01, display);
  EXPECT_LE(display.false_series, 1.5);
  EXPECT_GE(display.found, 98);
}

// Reference, 400 series: 0.5 % false, 83 % found (standard error 1.9; of ours 0.6). Without the second pass 65 % would be false.
TEST(ChangePointRates, CorrelatedRuns) {
  const Rates rates = rates_of(correlated, 0.001, 3);
  show("lag-1 correlation 0.5, SD 2 %", 0.001, rates);
  EXPECT_LE(rates.false_series, 1);
  EXPECT_GE(rates.found, 77);
}

TEST(ChangePointRates, QuietAndOrdinarySharedMachines) {
  const Rates quiet = rates_of([](Noise& n) { return shared_machine(n, 0.003, 0.005, 0.01); }, 0.001, 4);
  show("quiet machine", 0.001, quiet);
  EXPECT_LE(quiet.false_series, 1);
  EXPECT_GE(quiet.found, 98);
  EXPECT_GE(quiet.exact, 95);
  const Rates ci = rates_of([](Noise& n) { return shared_machine(n, 0.01, 0.015, 0.03); }, 0.001, 5);
  show("shared CI machine", 0.001, ci);
  EXPECT_LE(ci.false_series, 1);
  EXPECT_GE(ci.found, 98);
}

// Reference on its noisy profile, not identical to this one: 0.25 % false, 72 % found. Ours 70.3, standard error 0.7.
TEST(ChangePointRates, NoisyMachine) {
  const Rates noisy = rates_of([](Noise& n) { return shared_machine(n, 0.025, 0.04, 0.06); }, 0.001, 6);
  show("noisy machine", 0.001, noisy);
  EXPECT_LE(noisy.false_series, 1);
  EXPECT_GE(noisy.found, 67);
}

// Per cent of SERIES series with a change. MAKE: values of so many runs.
double found_in(const std::function<Numbers(Noise&)>& make, int series, std::uint64_t seed) {
  Noise noise(seed);
  int found = 0;
  for (int i = 0; i < series; ++i) found += find_change_points(make(noise)).points.empty() ? 0 : 1;
  return 100.0 * found / series;
}

Numbers first_runs(Numbers values, std::size_t count) {
  values.resize(count);
  return values;
}

// More than the promise, which needs about 60 runs: so few values say little about their correlation. Standard error: 0.09.
TEST(ChangePointRates, CorrelatedRunsOfAShortHistory) {
  for (const std::size_t count : {15U, 20U, 30U, 40U, 60U}) {
    const double wrong = found_in([&](Noise& n) { return first_runs(correlated(n), count); }, 20'000, 8);
    std::cout << count << " runs, lag-1 correlation 0.5: false series " << std::setprecision(2) << wrong << " %\n";
    EXPECT_LE(wrong, 1.8) << count;
  }
}

// Runs of a machine of two states: each run is in the slow one with a probability, or leaves its state with that of .3 (a lag-1 correlation of .4).
// By the filtered values alone up to 6 % of these series have a false change, and 13 % of the correlated ones.
TEST(ChangePointRates, TwoStates) {
  constexpr double slower = 0.15;
  for (const std::size_t count : {40U, 100U}) {
    for (const double share : {0.1, 0.3, 0.5}) {
      const auto independent_states = [&](Noise& noise) {
        Numbers values(count);
        for (double& value : values) value = noise.normal(0.003) + (noise.chance(share) ? slower : 0.0);
        return values;
      };
      const double wrong = found_in(independent_states, series_count, 10);
      std::cout << count << " runs, " << share << " of them slower: false series " << std::setprecision(2) << wrong
                << " %\n";
      EXPECT_LE(wrong, 0.5) << count << " runs, " << share;
    }
    const auto lasting_states = [&](Noise& noise) {
      bool slow = false;
      Numbers values(count);
      for (double& value : values) {
        slow = slow != noise.chance(0.3);
        value = noise.normal(0.003) + (slow ? slower : 0.0);
      }
      return values;
    };
    const double wrong = found_in(lasting_states, series_count, 11);
    std::cout << count << " runs in lasting states: false series " << wrong << " %\n";
    EXPECT_LE(wrong, count < 60 ? 1.8 : 1) << count << ": as of correlated runs";
  }
}

// Small changes, one after the other. With a correlation about the mean of each level, which such a rise is, too, +30 % over 20 to 40 runs with
// an SD of 1 % is found in 0 to 6 %, and the less, the quieter the machine is.
TEST(ChangePointRates, SlowRise) {
  const std::vector<std::pair<std::size_t, double>> at_least{{20, 70}, {30, 95}, {40, 98}, {60, 99}, {100, 99}};
  for (const double sd : {0.25, 0.5, 1.0}) {  // of 2 %
    for (const auto& [count, share] : at_least) {
      const auto rising = [&, count = count](Noise& noise) {
        Numbers values = first_runs(independent(noise), count);
        for (std::size_t run = 0; run < count; ++run)
          values[run] = sd * values[run] + std::log(1.3) * static_cast<double>(run) / static_cast<double>(count - 1);
        return values;
      };
      const double found = found_in(rising, 500, 9);
      std::cout << "+30 % over " << count << " runs, SD " << std::setprecision(1) << 2 * sd << " %: found " << found
                << " %\n";
      EXPECT_GE(found, share) << count;
    }
  }
}

constexpr std::size_t change_run = 60;
constexpr std::size_t move_run = 90;
constexpr int known_series = 300;

bool reports_change(const Numbers& values, std::size_t first_runs) {
  const auto found = find_change_points(std::span(values).first(first_runs));
  return std::any_of(found.points.begin(), found.points.end(), [](const ChangePoint& point) {
    return point.index + 5 >= change_run && point.index <= change_run + 5;
  });
}

struct Kept {
  int known = 0;             // series with a +7 % step at run 60 that is found at 90 runs
  double for_five_runs = 0;  // per cent of them that report it in each of the next five runs, which move again
  double for_ten_runs = 0;
};

Kept kept_of(const std::function<Numbers(Noise&)>& make, double second_move, std::uint64_t seed) {
  Noise noise(seed);
  Kept kept;
  for (int i = 0; i < known_series; ++i) {
    Numbers values = make(noise);
    for (std::size_t run = change_run; run < runs; ++run) values[run] += std::log(1.07);
    for (std::size_t run = move_run; run < runs; ++run) values[run] += second_move;
    if (!reports_change(values, move_run)) continue;
    ++kept.known;
    std::size_t last = move_run;
    while (last < runs && reports_change(values, last + 1)) ++last;
    kept.for_five_runs += last >= move_run + 5 ? 1 : 0;
    kept.for_ten_runs += last == runs ? 1 : 0;
  }
  kept.for_five_runs *= 100.0 / kept.known;
  kept.for_ten_runs *= 100.0 / kept.known;
  return kept;
}

// A search of the whole series only: +30 % leaves 3 to 81 % for five runs, and back to the old level 85 to 100 %.
TEST(ChangePointRates, AKnownChangeStays) {
  const auto ci = [](Noise& n) { return shared_machine(n, 0.01, 0.015, 0.03); };
  const auto noisy = [](Noise& n) { return shared_machine(n, 0.025, 0.04, 0.06); };
  const std::vector<std::pair<const char*, std::function<Numbers(Noise&)>>> kinds{
      {"independent, SD 2 %", independent},
      {"lag-1 correlation 0.5, SD 2 %", correlated},
      {"shared CI machine", ci},
      {"noisy machine", noisy}};
  for (const auto& [kind, make] : kinds) {
    for (const double move : {std::log(1.3), -std::log(1.07)}) {
      const Kept kept = kept_of(make, move, 7);
      std::cout << std::left << std::setw(34) << kind << std::showpos << std::fixed << std::setprecision(0)
                << 100 * std::expm1(move) << std::noshowpos << " %: known in " << kept.known
                << " series, reported for five more runs in " << std::setprecision(1) << kept.for_five_runs
                << " %, for ten in " << kept.for_ten_runs << " %\n";
      EXPECT_GE(kept.known, 0.9 * known_series) << kind;
      EXPECT_GE(kept.for_five_runs, 95) << kind;
    }
  }
}

}  // namespace
}  // namespace torchgate::stats
