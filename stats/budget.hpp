// SPDX-License-Identifier: Apache-2.0
// What:    the numbers of iterations and processes that use time best, and the smallest change that a plan would find.
// Assumes: the parts of the noise as stats/variance_components.hpp estimates them, and that they do not change.
// Source:  [kalibera-jones-2013]: at each level n_i = ceil(sqrt(c_{i+1}/c_i * V_i/V_{i+1})), with the cost c of one more of
//          a level and its variance V. (Theirs is the mean; for our medians the best n is 1.25 times that, and the optimum
//          is flat.) Smallest change: (t_{1-a/2} + t_power) standard errors of the rule that will judge: stats/screen.hpp
//          against stored runs, stats/pairs.hpp for pairs (signed rank, efficiency 3/pi).
// Checked: tests/stats/budget_test.cpp, against a search over all plans, the procedure's own table, and SciPy's quantiles
//          (tests/oracles/stats/make_noise_vectors.py); by simulation in tests/stats/noise_rates_test.cpp
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "stats/variance_components.hpp"

namespace torchgate::stats {

/// Seconds for one more of each level, without what is below it: one iteration; starting, building and warming up a
/// process; what a run costs before its first process.
struct LevelCosts {
  double iteration = 0.0;
  double process = 0.0;
  double run = 0.0;
};

/// How often to repeat a level inside one of the level above.
struct Repetitions {
  std::optional<std::size_t> count;  ///< at least 1; none: no number is best, and the note says why
  std::string_view note;
};

struct Plan {
  Repetitions iterations_per_process;
  Repetitions processes_per_run;
};

/// The plan with the smallest variance of the mean for its time. What is left of a budget buys more of the highest level.
Plan recommended_plan(const VarianceComponents& noise, const LevelCosts& costs);

/// A comparison of one new run with stored ones, before anything was measured.
struct StoredPlan {
  std::size_t stored_runs = 1;        ///< K
  std::size_t processes_per_run = 5;  ///< P, in the stored runs and in the new one
  std::size_t iterations_per_process = 40;
};

/// Smallest change (log ratio) that the screen would flag with `power`, when the case stands alone (in a suite, variances
/// are shared and the answer is a little better). None when the process or the run part is not known, with fewer than
/// two processes where the screen needs them (K < 5), or when a number is invalid.
std::optional<double> detectable_by_screen(const VarianceComponents& noise, const StoredPlan& plan, double alpha = 0.05,
                                           double power = 0.8);

/// Smallest change (log ratio) that n interleaved pairs would show at two-sided alpha. None when so few pairs cannot reach
/// that p at all, or a number is invalid.
std::optional<double> detectable_by_pairs(double pair_sd, std::size_t pairs, double alpha = 0.01, double power = 0.8);

/// SD of ln(after) - ln(before) of a pair of processes of one run, one of each side, with so many iterations each. None
/// when the process part is not known.
std::optional<double> expected_pair_sd(const VarianceComponents& noise, std::size_t iterations_per_process);

}  // namespace torchgate::stats
