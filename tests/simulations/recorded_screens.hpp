// SPDX-License-Identifier: Apache-2.0
// The screens of a recorded session against the sessions before it.
#pragma once

#include <cstddef>
#include <vector>

#include "stats/screen.hpp"
#include "tests/simulations/recorded_evidence.hpp"

namespace torchgate::simulations {

inline constexpr std::size_t recorded_history = 10;  ///< sessions that a screen with a history has

/// All workloads at once against ten sessions, in the order of Recordings::workloads; with `without_drift`, what the others'
/// unchanged code shows is subtracted first.
std::vector<stats::Screen> screen_session(const Recordings& recordings, std::size_t now, const Variant& variant,
                                          Value value, bool without_drift);

/// One workload against the newest `stored` sessions. `added` shifts the new run's log values.
stats::Screen screen_few(const Recordings& recordings, std::size_t now, std::size_t stored, const Workload& workload,
                         const Variant& variant, double added = 0.0, double run_sd = stats::ScreenOptions{}.run_sd);

/// Run-to-run SD of every workload as `calibrate` estimates it from the newest `runs` sessions before `now`.
std::vector<double> calibrated_run_sd(const Recordings& recordings, std::size_t now, std::size_t runs);

const std::vector<RecordedProcess>& processes_of(const RecordedSession& session, const Workload& workload,
                                                 const Variant& variant);

}  // namespace torchgate::simulations
