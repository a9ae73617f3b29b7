// SPDX-License-Identifier: Apache-2.0
// A rule: the numbers of a suite's cases in, one answer per case out. The table of all rules is in stats/rules.hpp; each
// rule is one file, rule_<name>.cpp, with What, Assumes, Source and Checked at its top.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "stats/change_estimate.hpp"
#include "stats/interval.hpp"
#include "stats/textbook.hpp"
#include "stats/verdict.hpp"

namespace torchgate::stats {

/// What is known about one case. A rule looks at what it needs and says which numbers it misses. Nothing is owned.
struct CaseNumbers {
  /// Stored runs, the nearest first, each with the log medians of its processes (larger is worse).
  std::span<const std::vector<double>> baseline;
  std::span<const double> current;  ///< the same of the run to judge
  /// Raw samples of the nearest stored run and of the run to judge, in the metric's own unit.
  std::span<const double> before_samples;
  std::span<const double> after_samples;
  Better better = Better::lower;  ///< of the raw samples
  /// after - before of interleaved pairs, log values, in the order measured.
  std::span<const double> pair_differences;
  std::optional<double> before_count;  ///< of an exact metric
  std::optional<double> after_count;
};

struct RuleOptions {
  double alpha = 0.01;         ///< risk of any false `regressed` over all cases judged together
  std::size_t family = 1;      ///< m, the cases that share alpha: fixed when pairing starts
  std::size_t last_pair = 48;  ///< pairs at most
  double margin = 0.01;        ///< smaller changes are never called regressed or improved
  double equivalence = 0.05;   ///< `equivalent` means inside -+ this share
  double harm = 0.02;          ///< pairs stop early when a slow-down of this share is excluded
  double run_sd = 0.01;  ///< run-to-run SD of log time of this machine class, while fewer than five runs are stored
  /// run_sd of each case, where calibration knows it; empty, or one for each case of the suite.
  std::span<const double> run_sd_of_case;
  double candidate_p = 0.05;  ///< of the screen, uncorrected
  /// Candidates by Benjamini-Hochberg at 5 % over the suite instead of p < candidate_p each: for a list nobody will confirm.
  bool false_discovery_rate = false;
};

struct RuleAnswer {
  Call call = Call::inconclusive;
  Reasons reasons;
  bool candidate = false;                     ///< worth measuring again in pairs, slower or faster
  std::optional<double> effect;               ///< log ratio, positive = worse
  std::optional<double> p;                    ///< two-sided
  std::optional<double> p_limit;              ///< what p was compared with
  std::optional<Interval> interval;           ///< of the effect
  std::optional<double> cohen_d;              ///< positive = worse; may be +-infinity
  std::optional<double> smallest_detectable;  ///< log ratio that these numbers would have shown with 80 % power
  std::optional<std::size_t> more_pairs;      ///< pairs still needed, when more pairs would help
  bool decided = false;   ///< of pairs: measuring more would change nothing, the answer is clear or the last pair is in
  std::size_t pairs = 0;  ///< pairs the answer rests on
  /// Of pairs that could not have alarmed, however large the change: how many could have. An `inconclusive` with it is no
  /// answer: nothing was tested.
  std::optional<std::size_t> pairs_to_alarm;
  std::optional<ChangeEstimate> change;  ///< of a stored comparison: what `beyond_gate` needs
};

struct Rule {
  std::string_view name;     ///< as --rule takes it
  std::string_view summary;  ///< one line for a person
  /// Never fails: what cannot be judged is `inconclusive` with the reason. Answers come in the order of the suite.
  std::vector<RuleAnswer> (*judge)(std::span<const CaseNumbers> suite, const RuleOptions& options);
};

}  // namespace torchgate::stats
