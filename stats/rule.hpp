// SPDX-License-Identifier: Apache-2.0
// A rule: the numbers of a suite's cases in, one answer per case out. The table of all rules is stats/rules.hpp; each
// rule is one file, rule_<name>.cpp, with What, Assumes, Source and Checked at its top.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "stats/change_estimate.hpp"
#include "stats/interval.hpp"
#include "stats/levels.hpp"
#include "stats/textbook.hpp"
#include "stats/two_series.hpp"
#include "stats/verdict.hpp"

namespace torchgate::stats {

/// The numbers of one case. A rule reads those that it needs and reports missing ones as reasons. Nothing is owned.
struct CaseNumbers {
  /// Stored runs, the nearest first, each with the log medians of its processes (larger is worse).
  std::span<const std::vector<double>> baseline;
  std::span<const double> current;  ///< the same of the run to judge
  /// Raw samples of the nearest stored run and of the run to judge, in the metric's own unit.
  std::span<const double> before_samples;
  std::span<const double> after_samples;
  Better better = Better::lower;  ///< of the raw samples
  /// after - before of interleaved pairs, log values, in the order measured: of the floors, where the pairs took turns.
  std::span<const double> pair_differences;
  /// (before + after) / 2 of the same pairs, in the same order; empty: an answer of pairs has no levels.
  std::span<const double> pair_midpoints;
  /// The typical changes (stats/turns.hpp) of the same pairs, and their midpoints; empty: they did not take turns.
  std::span<const double> pair_typical;
  std::span<const double> pair_typical_midpoints;
  std::optional<double> before_count;  ///< of an exact metric
  std::optional<double> after_count;
};

struct RuleOptions {
  double alpha = 0.01;          ///< risk of any false `regressed` over all cases judged together
  std::size_t family = 1;       ///< m, the cases that share alpha: fixed when pairing starts
  double alpha_share = 1.0;     ///< share of alpha that these m have; of pairs only (stats/pairs.hpp)
  std::size_t last_pair = 48;   ///< pairs at most
  double margin = 0.01;         ///< smaller changes are never called regressed or improved
  double equivalence = 0.05;    ///< margin of `equivalent`, a share (stats/README.md, "Equivalent")
  double harm = 0.02;           ///< pairs stop early when a slow-down of this share is excluded
  double no_harm_level = 0.95;  ///< level of the interval that excludes it: 0.98 where pairs confirm suspects
  double equivalence_stop_level =
      0.0;               ///< pairs stop early inside the equivalence margin at this level; 0: they do not
  double run_sd = 0.01;  ///< run-to-run SD of log time of this machine class, while fewer than five runs are stored
  /// run_sd of each case, where calibration knows it; empty, or one for each case of the suite.
  std::span<const double> run_sd_of_case;
  double candidate_p = 0.10;  ///< of the screen, uncorrected
  /// Candidates by Benjamini-Hochberg at 5 % over the suite instead of p < candidate_p each: for unconfirmed candidates.
  bool false_discovery_rate = false;
};

struct RuleAnswer {
  Call call = Call::inconclusive;
  Reasons reasons;
  bool candidate = false;         ///< worth measuring again in pairs, slower or faster
  std::optional<double> effect;   ///< log ratio, positive = worse
  std::optional<Levels> levels;   ///< what the effect lies between, by the same estimator: present where the effect is
  std::optional<double> p;        ///< two-sided
  std::optional<double> p_limit;  ///< the limit for p
  /// Of the effect. Where the call is `equivalent`, the 90 % interval that decided it.
  std::optional<Interval> interval;
  std::optional<double> cohen_d;              ///< positive = worse; may be +-infinity
  std::optional<double> smallest_detectable;  ///< log ratio that these numbers would have found with 80 % power
  std::optional<std::size_t> more_pairs;      ///< pairs still needed, when more pairs would help
  bool decided = false;   ///< of pairs: no more are needed, the answer is clear or the last pair was measured
  std::size_t pairs = 0;  ///< pairs used for the answer
  /// When the pairs could not have alarmed, however large the change: how many pairs could have. An `inconclusive` with
  /// it was not tested.
  std::optional<std::size_t> pairs_to_alarm;
  /// Of pairs that took turns: which of their two numbers the effect is, and everything that goes with it.
  std::optional<Measure> measure;
  std::optional<double> other_effect;    ///< by the other one, where it says something else
  std::optional<ChangeEstimate> change;  ///< of a stored comparison: what `beyond_gate` needs
};

/// Which members of CaseNumbers a rule reads.
enum class Reads : std::uint8_t {
  process_values,  ///< baseline, current
  raw_samples,     ///< before_samples, after_samples
  pairs,           ///< pair_differences, pair_typical
  counts,          ///< before_count, after_count
};

/// How a rule judges a suite. It never fails: a case that cannot be judged is `inconclusive` with the reason. Answers
/// are in the order of the suite.
using JudgeSuite = std::vector<RuleAnswer>(std::span<const CaseNumbers> suite, const RuleOptions& options);

/// A rule and its facts. Callers decide by the facts, never by the name.
struct Rule {
  std::string_view name;     ///< the value of --rule
  std::string_view summary;  ///< one line for a person
  Reads reads = Reads::process_values;
  /// Compares with stored runs and calls a slower case `suspected` at most: interleaved pairs have to confirm it.
  bool screens = false;
  /// A paired run is judged by paired_rule(), either because this is that rule or because pairs are its second stage.
  /// Any other rule judges a paired run by the values of the two sides.
  bool judges_pairs = false;
  /// With fewer stored runs every case is inconclusive; 0 where stored runs are not read.
  std::size_t fewest_stored_runs = 1;
  /// Made for one stored run: more are accepted, but calibration tries it with the nearest run alone.
  bool for_one_stored_run = false;
  JudgeSuite* judge = nullptr;

  /// True when it has no answer without interleaved pairs.
  [[nodiscard]] constexpr bool needs_pairs() const { return reads == Reads::pairs; }
};

}  // namespace torchgate::stats
