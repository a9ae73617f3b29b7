// SPDX-License-Identifier: Apache-2.0
// What:    which cases get the next interleaved pair when there is not time for all: those that need the fewest more.
// Assumes: further pairs of a case vary as the known ones do. A wrong forecast costs time and never a verdict: each case is judged
//          at looks that were fixed before (stats/interleaved.hpp), in whatever order the cases take their turns.
// Source:  pairs until the 10 % trimmed mean's interval lies inside the margin (t interval), or until a look
//          is expected to alarm; the order is the greedy one of the knapsack problem [dantzig-1957]: decided cases a second.
// Checked: tests/stats/pair_allocation_test.cpp, against simulated pairs and a search over all orders
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/interleaved.hpp"

namespace torchgate::stats {

/// SD of one pair's difference, of the pairs so far and of an estimate from before: PRIOR_SD with the weight of PRIOR_DF degrees of
/// freedom. PRIOR_SD itself where there are fewer than two pairs; none where that is not known either (prior_df 0).
std::optional<double> pooled_pair_sd(std::span<const double> differences, double prior_sd, double prior_df);

/// Forecasts for cases that share their options.
class PairForecast {
 public:
  explicit PairForecast(const InterleavedOptions& options);

  /// Of a case with these PAIRS measured, whose differences (log) have this MEAN and SD: how many more until it is expected to
  /// be decided, at least one. None: not before the last pair.
  [[nodiscard]] std::optional<std::size_t> more_pairs(std::size_t pairs, double mean, double sd) const;

 private:
  struct Known {
    std::size_t pairs;
    double mean;
    double sd;
  };
  [[nodiscard]] bool stops_without_alarm(std::size_t n, const Known& known) const;
  [[nodiscard]] bool decided_at(std::size_t n, const Known& known) const;

  InterleavedOptions options_;
  // Of the interval of a stop at n pairs, in SDs of one pair; 0: no stop there.
  std::vector<double> equivalence_half_width_;
  std::vector<double> no_harm_half_width_;
  std::vector<double> look_limit_;  // of p at n pairs; 0: no look there
};

/// Cases that are measured by one process, and so take their turns together.
struct PairGroup {
  std::vector<std::size_t> more_pairs;  ///< forecast of each undecided case that can be decided
  double seconds_per_pair = 0.0;
};

/// The groups (positions) that get one more pair now: those that decide the most cases a second, as many as can be brought to that
/// point in SECONDS_LEFT, and at least the first where one pair of it fits. Ascending; empty: nothing fits, or nothing can
/// be decided.
std::vector<std::size_t> next_pairs(std::span<const PairGroup> groups, double seconds_left);

}  // namespace torchgate::stats
