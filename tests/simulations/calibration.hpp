// SPDX-License-Identifier: Apache-2.0
// The run-to-run SD of every case as `torchgate calibrate` estimates it: from the medians and quartiles of a few runs of
// unchanged code, and not the true value, which no user knows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/variance_components.hpp"

namespace torchgate::simulations {

class Machine;

/// One process as a record keeps it, from its sampled times.
stats::ProcessNumbers process_numbers_of(std::span<const double> times);

/// SD of log time from run to run, per case; of every case the processes of the same runs. From ten cases on the variances
/// are moderated.
std::vector<double> run_sd_of(std::span<const std::vector<stats::ProcessNumbers>> cases, std::size_t runs);

/// The same from the newest stored runs (the new one left out). REQUIRES: 3 to `stored_runs` runs.
std::vector<double> calibrate_run_sd(const Machine& machine, std::size_t runs);

}  // namespace torchgate::simulations
