// SPDX-License-Identifier: Apache-2.0
// Measuring: starts suite processes in random order, collects what they report, and makes one Run of it.
#pragma once

#include <cstdint>

#include "harness/base/result.hpp"
#include "harness/launch/request.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

/// What measure(REQUEST) would run and for how long (`run --list`). Starts each suite once to ask it.
base::Result<Forecast> forecast(const Request& request);

/// Runs the plan. A suite that crashes, hangs, is no suite or writes rubbish costs its own processes only and is in the
/// Run as such. Interrupted: the Run holds what was complete, Run::interrupted is set, and no child or temporary file
/// stays. Errors: bad_input (filter, duplicate suite names, nothing matches, no suite could be started), io,
/// interrupted (before the first process); going on, also where a file, the schedule or the environment is not what it was
/// (bad_input), and on another host (no_verdict). bad_input too when a file that a side of a paired run needs was changed meanwhile;
/// with one side the processes that are left are not started.
base::Result<record::Run> measure(const Request& request, Observer& observer);

/// A seed for a new run, from the operating system; below 2^53, so that every JSON reader keeps it.
std::uint64_t fresh_seed();

}  // namespace torchgate::launch
