// SPDX-License-Identifier: Apache-2.0
// How many more pairs a case is expected to need, from how much its pairs differ so far.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/pairs/pair_plan.hpp"
#include "ci/policy/policy.hpp"
#include "stats/pair_allocation.hpp"

namespace torchgate::gate {

/// SD of one pair's difference of a case's log times, before any pair was measured.
struct PairSdEstimate {
  double sd = 0.0;
  double df = 0.0;  ///< degrees of freedom
};

/// From the processes of two runs that are not paired. Robust, so that one disturbed process of five does not make a case look
/// undecidable. Absent: a side has fewer than two processes with numbers.
std::optional<PairSdEstimate> estimate_pair_sd(const std::vector<double>& before_logs,
                                               const std::vector<double>& after_logs);

/// How pairs of a class of cases are judged, for forecasts: by their medians, or (IN_TURNS) by each of their two numbers.
stats::InterleavedOptions forecast_options(const PairPlan& plan, const policy::Gate& policy, bool in_turns);

/// Forecasts for the cases of a class.
class PairForecasts {
 public:
  PairForecasts(const PairPlan& plan, const policy::Gate& policy)
      : PairForecasts(forecast_options(plan, policy, false), forecast_options(plan, policy, true)) {}

  /// How many more pairs until a case with these is expected to be decided. PRIOR: of processes that ran one after the other. It says
  /// nothing of pairs in turns, and whether a case takes turns is known with its first pair: nothing is given up before that, nor
  /// in turns before the sixth pair. None: not before the last pair.
  [[nodiscard]] std::optional<std::size_t> more_pairs(const PairValues& values, const PairSdEstimate& prior) const;

  /// Pairs that a case has before its first look that can alarm, at most the last one. In turns each of its two numbers has half of alpha,
  /// and needs more; so does a case without a pair, which may take turns.
  [[nodiscard]] std::size_t pairs_of_first_look(const PairValues& values) const;

 private:
  PairForecasts(const stats::InterleavedOptions& of_medians, const stats::InterleavedOptions& of_turns);

  std::size_t last_;
  std::size_t first_look_of_medians_;
  std::size_t first_look_of_turns_;
  stats::PairForecast of_medians_;
  stats::PairForecast of_turns_;
};

/// SD of one pair's difference, of the pairs so far and of PRIOR, as more_pairs takes it.
std::optional<double> expected_pair_sd(const PairValues& values, const PairSdEstimate& prior);

/// Of differences (log): 0 where there are too few to say where the change lies.
double mean_for_forecast(const std::vector<double>& differences);

/// A suspect that had its first look and varies so much that no look up to the last pair is expected to decide it. It ends there, open, so
/// that it does not take the time of all others.
bool beyond_all_pairs(const record::Case& definition, const CaseEvidence& before, const CaseEvidence& after,
                      const PairPlan& plan, const policy::Gate& policy_of_case);

}  // namespace torchgate::gate
