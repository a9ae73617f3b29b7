// SPDX-License-Identifier: Apache-2.0
// What:    the cheap first stage: one new run against K stored runs of the same machine class. A case that it flags is
//          suspected, not regressed; interleaved pairs confirm it (stats/interleaved.hpp).
// Assumes: log values, larger is worse. The new run differs from the stored ones by a run-to-run error of its own,
//          which is why this is a prediction test and not a comparison of means.
// Source:  K < 5: Welch on process values plus a known run-to-run variance on each side, degrees of freedom
//          [satterthwaite-1946]. K >= 5: t prediction test, one run trimmed a side from K = 8 on with the winsorised
//          variance [tukey-mclaughlin-1963] made consistent, moderated over the suite [smyth-2004].
// Checked: tests/stats/screen_test.cpp, against the Python reference on generated suites
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/change_estimate.hpp"
#include "stats/levels.hpp"
#include "stats/verdict.hpp"

namespace torchgate::stats {

/// From this many stored runs on, the run-to-run variance of a case is estimated from its own history.
inline constexpr std::size_t history_from_runs = 5;

/// From this many stored runs on the lowest and the highest are left out, so that a single disturbed run does not move
/// the baseline.
inline constexpr std::size_t trimmed_from_runs = 8;

struct ScreenOptions {
  double candidate_p = 0.10;        ///< uncorrected on purpose: a candidate only costs pairs
  double candidate_effect = 0.005;  ///< share of the old time; smaller changes are not worth pairs
  double equivalence = 0.05;        ///< margin of `equivalent`, a share (stats/README.md, "Equivalent")
  double run_sd = 0.01;  ///< run-to-run SD of log time on this machine (from calibration); few stored runs only
  double shift = 0.0;    ///< log shift of the machine measured by control cases, subtracted from the effect
};

struct Screen {
  Call call = Call::inconclusive;  ///< suspected, equivalent or inconclusive
  Reasons reasons;
  std::size_t baseline_runs = 0;         ///< K
  bool candidate = false;                ///< worth confirming, slower or faster
  std::optional<ChangeEstimate> change;  ///< none when no verdict is possible; the reason says why
  std::optional<Levels> levels;          ///< of the change
  std::optional<double> cohen_d;         ///< of process values (few runs) or in units of the run SD; may be +-infinity
};

/// One to four stored runs. `baseline[k]` are the process log medians of one run, `current` those of the new one.
/// Accepts more runs too, but does not estimate the case's own run-to-run variance from them.
Screen screen_few_runs(std::span<const std::vector<double>> baseline, std::span<const double> current,
                       const ScreenOptions& options = {});

/// Run values (stats/run_value.hpp) of one case.
struct HistoryCase {
  std::span<const double> baseline;  ///< K >= 5 stored runs
  std::span<const double> current;   ///< one or more new runs
  /// Variance of a new run value beyond that of a stored one, which more processes make more precise.
  double more_variance = 0.0;
  bool one_process = false;  ///< the new run has one process, the stored ones more: it has no verdict
};

/// Five or more stored runs, for a whole suite at once: from ten cases on their variances are moderated. Answers come
/// in the order of the cases; a case that cannot be judged says why and takes no part in the moderation.
std::vector<Screen> screen_history(std::span<const HistoryCase> suite, const ScreenOptions& options = {});

}  // namespace torchgate::stats
