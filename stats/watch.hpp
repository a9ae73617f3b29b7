// SPDX-License-Identifier: Apache-2.0
// What:    control charts of the runs of one level: three sigma, three sigma twice in a row, EWMA. Alerts, never a
//          verdict: within 100 unchanged runs 25 %, 4 % and 23 % of cases have one on ideal noise, and over half of them
//          on correlated noise, so that 200 cases always have some.
// Assumes: logarithms of run values of one level, in time order, larger is worse. Each run is tested against runs before it
//          only, and becomes part of the baseline afterwards, until that is complete.
// Source:  three sigma [shewhart-1931]. EWMA [roberts-1959]: E_r = w x_r + (1-w) E_(r-1) from E_0 = mean, upper limit
//          mean + L s sqrt(w/(2-w) (1 - (1-w)^(2r))). Twice in a row: against median and 1.4826 x median absolute deviation,
//          which are robust against the outliers that trigger three sigma.
// Checked: tests/stats/watch_test.cpp, against the EWMA example of the NIST handbook and a plain loop in Python; rates in
//          tests/stats/watch_rates_test.cpp
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace torchgate::stats {

struct WatchOptions {
  double weight = 0.2;              ///< of the newest run in the EWMA
  double sds = 3;                   ///< L, for all charts
  std::size_t baseline_runs = 20;   ///< the first runs of the level; later ones are tested, not added
  std::size_t fewest_baseline = 8;  ///< testing starts after so many
};

/// The state of the charts at one run.
struct WatchState {
  std::size_t index = 0;  ///< of the value in the series
  double sds_above = 0;   ///< of the baseline's mean, in its standard deviations
  double ewma_above = 0;  ///< the EWMA minus the baseline's mean, log units
  double ewma_limit = 0;  ///< the limit for ewma_above
  bool three_sigma = false;
  bool two_in_a_row = false;  ///< this run and the one before it
  bool ewma = false;
};

struct Watch {
  std::vector<WatchState> states;    ///< one for each run from the first that was tested
  std::vector<std::string> reasons;  ///< why there are none
};

Watch watch_level(std::span<const double> log_values, const WatchOptions& options = {});

/// E_r from E_(r-1) and x_r.
double ewma_step(double previous, double value, double weight);

/// How far from the mean the EWMA of `runs` values may be.
double ewma_limit(double sd, std::size_t runs, double weight, double sds);

}  // namespace torchgate::stats
