// SPDX-License-Identifier: Apache-2.0
// What:    the two values that a change lies between, by the estimator that gave the change: before x (1 + change) = after.
// Assumes: log values, oriented as the effect is (larger is worse).
// Source:  none needed: each rule knows the two values whose difference is its effect.
// Checked: tests/stats/levels_test.cpp
#pragma once

#include <cstdint>
#include <string_view>

namespace torchgate::stats {

/// What a value of a side is, and what the change between two of them is a change of.
enum class Estimator : std::uint8_t {
  process_mean,  ///< geometric mean of the process medians
  history,       ///< centre of the stored run values, and this run's
  pairs,         ///< Hodges-Lehmann over interleaved pairs: of the differences, and of the pairs' midpoints
  floor,         ///< the same over pairs that took turns, of the floors of their processes
  typical,       ///< the same over pairs that took turns, of the changes between their neighbouring turns
  sample_mean,   ///< arithmetic mean of the raw samples
  run_value,     ///< Hodges-Lehmann of the process medians of each side by itself: where no rule gave a change
  median,        ///< of the processes: a tail without a change
  count,         ///< of an exact metric
};

/// Stable identifier, as written to machine-readable reports: "process_mean".
std::string_view to_string(Estimator estimator);
/// For a reader, as the rest of a sentence: "geometric mean of the process medians".
std::string_view describe(Estimator estimator);

struct Levels {
  double before = 0;
  double after = 0;
  Estimator estimator = Estimator::run_value;

  /// The same change on a machine that is slower by `log_shift`.
  [[nodiscard]] constexpr Levels shifted(double log_shift) const {
    return {before + log_shift, after + log_shift, estimator};
  }
};

/// The levels whose difference is `effect`.
constexpr Levels levels_from(double before, double effect, Estimator estimator) {
  return {before, before + effect, estimator};
}
constexpr Levels levels_around(double centre, double effect, Estimator estimator) {
  return levels_from(centre - effect / 2, effect, estimator);
}

}  // namespace torchgate::stats
