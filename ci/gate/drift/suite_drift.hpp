// SPDX-License-Identifier: Apache-2.0
// Without control cases: what the suite as a whole has moved, taken for the machine's drift as long as pairs can tell the
// two apart. A change that slows every case looks like drift to the screen and not to the pairs: a few cases drawn at
// random are measured in pairs as probes, and when they move with the suite, nothing is corrected.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/gate/evidence/evidence.hpp"
#include "harness/record/run.hpp"
#include "stats/drift.hpp"

namespace torchgate::gate {

/// Fewer cases have no common level: the median of a handful is one of them.
inline constexpr std::size_t suite_from_cases = 20;
/// From this shift on the probes are asked; below it nothing that matters could hide in it.
inline constexpr double suite_shift_worth_a_probe = 0.01;

/// One case over all runs: the stored ones in their order, then the run to judge.
struct CaseSeries {
  std::string name;
  stats::RunSeries values;
};

struct SuiteDrift {
  std::vector<double> shifts;       ///< log, per run in the order of the series; the last is the run to judge
  std::vector<std::string> probes;  ///< cases to measure in pairs; empty when the shift is not worth it
};

/// None with fewer than twenty cases that have every run. Probes are drawn by `run_id`: same run, same probes.
std::optional<SuiteDrift> suite_drift(const std::vector<CaseSeries>& cases, const std::string& run_id);

/// What the probes did in the pairs, as the median of their log effects; none when fewer than three were measured.
std::optional<double> probed_shift(const std::vector<std::string>& probes, const record::Run& pairs);

/// The probes moved with the suite, at least half as far: then it is the code (or all that the sides do not share).
bool shift_is_real(double shift, double probed);

}  // namespace torchgate::gate
