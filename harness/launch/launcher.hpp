// SPDX-License-Identifier: Apache-2.0
// Measuring: starts suite processes in random order, collects what they report, and makes one Run of it.
#pragma once

#include <cstdint>

#include "harness/base/result.hpp"
#include "harness/launch/request.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

/// What measure(REQUEST) would run and for how long (`run --list`). Starts each suite once to list its cases.
base::Result<Forecast> forecast(const Request& request);

/// Runs the plan. A suite that crashes, hangs, is not a suite or writes an invalid report loses its own processes
/// only, and is recorded in the Run as such. Interrupted: the Run has the complete processes, Run::interrupted is
/// set, and no child or temporary file remains. Errors: bad_input (filter, duplicate suite names, nothing matches, no
/// suite could be started), io, interrupted (before the first process); when resuming, also a changed file, schedule
/// or environment (bad_input), and another host (no_verdict). bad_input too when a file that a side of a paired run
/// needs changed during the run; with one side the remaining processes are not started.
base::Result<record::Run> measure(const Request& request, Observer& observer);

/// A seed for a new run, from the operating system; below 2^53, so that every JSON reader keeps it.
std::uint64_t fresh_seed();

}  // namespace torchgate::launch
