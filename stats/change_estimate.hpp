// SPDX-License-Identifier: Apache-2.0
// What:    an estimated change of a case's log time, and what follows from it: interval, smallest detectable effect,
//          equivalence, and whether the whole interval lies beyond the gate.
// Assumes: (estimate - truth) / standard error follows Student's t with df degrees of freedom.
// Source:  equivalence: two one-sided tests [schuirmann-1987]. Smallest detectable effect: (t_{1-a/2} + t_power) se.
// Checked: tests/stats/screen_test.cpp
#pragma once

#include <cstddef>
#include <optional>

#include "stats/interval.hpp"

namespace torchgate::stats {

struct ChangeEstimate {
  double effect = 0.0;          ///< ln(after/before), positive = slower
  double standard_error = 0.0;  ///< of the effect, > 0
  double df = 1.0;              ///< may be infinite
  double p = 1.0;               ///< two-sided, of "no change"
};

/// Each of the two tests behind `equivalent`, and the level of the interval that says the same (stats/README.md,
/// "Equivalent").
inline constexpr double equivalence_alpha = 0.05;
inline constexpr double equivalence_level = 1.0 - 2.0 * equivalence_alpha;

/// The definition of `equivalent`: an interval of level `equivalence_level` lies inside -ln(1+margin) ... ln(1+margin).
bool inside_margin(const Interval& effect, double margin);

/// Interval of the effect (log ratio); none when level is not strictly between 0 and 1.
std::optional<Interval> effect_interval(const ChangeEstimate& change, double level);

/// The smallest effect (log ratio) that is found with the given power at two-sided alpha, given this standard error.
double smallest_detectable_effect(const ChangeEstimate& change, double alpha = 0.05, double power = 0.8);

/// The same by its two one-sided tests at `equivalence_alpha`: true iff inside_margin() of this estimate's interval.
bool is_equivalent(const ChangeEstimate& change, double margin = 0.05);

/// True when the whole interval of level 1 - alpha/m lies on the slow side of the gate: only then may an unconfirmed
/// suspect fail a build. `m` is the number of cases judged together.
bool beyond_gate(const ChangeEstimate& change, std::size_t m, double alpha = 0.01, double gate = 0.05);

}  // namespace torchgate::stats
