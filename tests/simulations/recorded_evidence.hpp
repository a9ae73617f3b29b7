// SPDX-License-Identifier: Apache-2.0
// Shared by the rules on recordings: the numbers of processes, and the textbook rule on moments.
#pragma once

#include <string>
#include <vector>

#include "stats/moments.hpp"
#include "tests/simulations/recordings.hpp"

namespace torchgate::simulations {

inline const std::string screen_rule = "screen against 10 runs, drift kept";
inline const std::string confirmed_rule = "sequential pairs, alpha 1 %";

/// Which number of a process is used.
using Value = double RecordedProcess::*;

std::vector<double> values_of(const std::vector<RecordedProcess>& processes, Value value);
/// new - old of each pair of a sequence, in the order measured.
std::vector<double> pair_differences(const RecordedSequence& sequence, Value value);

/// All samples of several processes as one.
stats::Moments pooled(const std::vector<RecordedProcess>& processes);
/// Of one number per process.
stats::Moments moments_of(const std::vector<RecordedProcess>& processes, Value value);
/// The textbook rule where only the moments of the samples were kept: p < 0.05 and d > 0.2.
bool textbook(const stats::Moments& before, const stats::Moments& after);

}  // namespace torchgate::simulations
