// SPDX-License-Identifier: Apache-2.0
// What:    one number for a run of a case, made from its processes.
// Assumes: one value per process, the logarithm of the median of its steady iterations: the process is the unit of
//          evidence, iterations inside one do not vary as processes do.
// Source:  Hodges-Lehmann over processes: on simulated CI noise the screen then finds +2 / +5 % in 48 / 94 % of cases; with the
//          median of processes in 47 / 91, with their mean in 33 / 92.
// Checked: tests/stats/run_value_test.cpp
#pragma once

#include <optional>
#include <span>

namespace torchgate::stats {

/// Log run value. One process: its value. None without processes or when a value is not finite.
std::optional<double> run_value(std::span<const double> process_log_medians);

}  // namespace torchgate::stats
