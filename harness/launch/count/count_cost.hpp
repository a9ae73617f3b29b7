// SPDX-License-Identifier: Apache-2.0
// How long counting instructions takes, told before it begins.
#pragma once

#include <map>
#include <string>

#include "harness/launch/count/count_jobs.hpp"
#include "harness/launch/request.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

/// How long things take without counting, from processes that were timed; guesses where none were.
struct KnownTimes {
  double load_s = 0.25;                  ///< to start a process: loading LibTorch
  std::map<std::string, double> call_s;  ///< one call of a case
};

KnownTimes times_of(const record::Run& run);

/// Of one process of JOB, in seconds.
double count_seconds(const CountJob& job, const CountSettings& settings, const KnownTimes& known);

/// What counting REQUEST's cases takes. Does not start them; RUN: timed processes, if any.
CountForecast forecast_count(const Request& request, const CountRequest& wanted, const Selection& selection,
                             const record::Run& run);

/// CPUs that this process may use.
int cpus_here();

}  // namespace torchgate::launch
