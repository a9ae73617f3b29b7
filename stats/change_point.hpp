// SPDX-License-Identifier: Apache-2.0
// What:    where the level of a history of run values changed, and by how much.
// Assumes: one value per run in time order, logarithms of times, machine drift already removed. Between changes the
//          values are independent or have a lag-1 correlation, which is estimated and allowed for.
// Source:  binary segmentation [vostrikova-1981] in windows of 60 runs. A split must pass two tests, each against the null of
//          its maximum over all splits (change_point_null.hpp): rank CUSUM [pettitt-1979], robust against outliers, and
//          pooled t [hawkins-1977] divided by sqrt((1 + phi) / (1 - phi)), robust against correlation. phi is the lag-1
//          correlation inside the segments of a first pass, about the trend of each, with a bias correction [kendall-1954]. Then neighbouring
//          segments that differ by less than the margin, or no longer significantly, are merged, the weakest first.
//          Isolated outliers are replaced before (hampel.hpp). A rarer state of the machine would be, too, and with it the noise: where a value of
//          one level was replaced that is nearer to the other one (by half of their distance), the rank test of the values as measured has to agree, where
//          more than a tenth of the series was, after division by the same square root for phi of the values as measured.
//          A range of 31 to 60 runs without a split is searched in windows of 30 at a fifth of alpha: a level between two that are alike has no single split.
//          The same search without the newest one to five values, at a fifth of alpha, adds what it finds elsewhere: values that left
//          their level, too few for another one, raise t's variance and phi, and would hide a change that was known before them.
//          Otava's t-test for each split [fleming-2023] is not used: its p ignores the search, and gives 8 % (independent
//          values) to 65 % (correlated ones) false series per 100 runs.
// Checked: tests/stats/change_point_test.cpp, against cpd.py (numpy) on 200 random series; human annotations; error rates in
//          tests/stats/change_point_rates_test.cpp; moving newest runs in tests/stats/known_change_test.cpp
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace torchgate::stats {

/// Shorter series cannot be searched: a change needs four runs on each side.
inline constexpr std::size_t change_point_fewest_runs = 8;

/// Limits of alpha that the table of the null distribution supports.
inline constexpr double change_point_smallest_alpha = 0.0001;
inline constexpr double change_point_largest_alpha = 0.05;

struct ChangePointOptions {
  double alpha = 0.001;              ///< for one series: .001 for alerts, .01 for display (README, "History")
  double smallest_magnitude = 0.01;  ///< relative change of the level; smaller ones are merged
};

struct ChangePoint {
  std::size_t index = 0;  ///< first value of the new level
  double before = 0;      ///< median of up to 60 values before it that belong to the old level, log units
  double after = 0;       ///< median of up to 60 values from it on that belong to the new level
  double p = 1;           ///< largest one of the tests, between these values
};

struct ChangePoints {
  bool searched = false;              ///< false: the reason is in `reasons`
  std::vector<ChangePoint> points;    ///< ascending
  std::vector<std::size_t> outliers;  ///< isolated values that were replaced by what is around them before the search
  double autocorrelation = 0;         ///< phi, 0 to 0.9; 0 when the first pass found no change
  std::vector<std::string> reasons;   ///< sentences without a full stop
  /// Newest values, 0 to 5, without which alone the last change was found: they left its level, are too few for another, and belong to no
  /// level. Where any change was found without newest values alone, `autocorrelation` is that of the longest such search.
  std::size_t unsettled = 0;
};

/// The fewest values of which some order, however large the change, is significant at ALPHA: a shorter series can show no change. None: unsupported
/// alpha. From the null of the maximum over all splits, at the best place of a split between two groups of values that do not overlap.
std::optional<std::size_t> fewest_runs_for_a_change(double alpha);

/// Never throws; a series that cannot be searched (too short, not finite, unsupported options) has reasons.
ChangePoints find_change_points(std::span<const double> log_values, const ChangePointOptions& options = {});

}  // namespace torchgate::stats
