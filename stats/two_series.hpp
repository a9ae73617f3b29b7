// SPDX-License-Identifier: Apache-2.0
// What:    judges pairs that took turns by two numbers of each pair, the change of the floor and the typical change (stats/turns.hpp):
//          either may alarm, and both have to agree that nothing changed.
// Assumes: as stats/interleaved.hpp for each of the two; nothing about how they depend on each other.
// Source:  each has half of alpha (Bonferroni), at the looks of interleaved.hpp. `regressed`: either alarms so. `improved`: either
//          alarms so and the other is not slower by the equivalence margin or more. `equivalent`: one stops so, or ends so, and the other does
//          not contradict. Rates: EVIDENCE.md, "Pairs in turns".
// Checked: tests/stats/two_series_test.cpp, by hand and against judge_interleaved on drawn pairs
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "stats/interleaved.hpp"

namespace torchgate::stats {

/// Which of the two numbers of a pair.
enum class Measure : std::uint8_t { floor, typical };

/// Stable identifier, as written to machine-readable reports: "floor".
std::string_view to_string(Measure measure);

struct TwoSeriesJudgement {
  Call call = Call::inconclusive;  ///< regressed, improved, equivalent or inconclusive
  Stop stop = Stop::not_yet;
  Measure measure =
      Measure::floor;  ///< what the call rests on; of two that say the same, and of an open case: the more precise
  bool contradicted = false;   ///< the other measure says something else (below)
  InterleavedJudgement floor;  ///< of the same number of pairs, under half of alpha
  InterleavedJudgement typical;

  [[nodiscard]] const InterleavedJudgement& decisive() const { return measure == Measure::floor ? floor : typical; }
  [[nodiscard]] const InterleavedJudgement& other() const { return measure == Measure::floor ? typical : floor; }
};

/// What each of two series is judged with: half of alpha.
InterleavedOptions half_of_alpha(const InterleavedOptions& options);

/// False where OPTIONS.last is too small for any look of half of alpha, and not for one of all of it: then the floor alone is judged, with
/// all of alpha, and the typical change can only contradict. Known before the first pair.
bool asks_both(const InterleavedOptions& options);

/// The measure whose trimmed mean has the smaller standard error; the floor where they are equal or it has none. REQUIRES: as many of both.
Measure more_precise(std::span<const double> floor, std::span<const double> typical);

/// One-sided 95 % bound of the trimmed mean of DIFFERENCES, which are not larger than that; none of fewer than two.
std::optional<double> upper_bound_of(std::span<const double> differences);

/// Judges as many pairs as the procedure would have measured. Of unequal series only the pairs that both have.
TwoSeriesJudgement judge_two_series(std::span<const double> floor, std::span<const double> typical,
                                    const InterleavedOptions& options = {});

}  // namespace torchgate::stats
