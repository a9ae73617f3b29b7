// SPDX-License-Identifier: Apache-2.0
// How long it took to measure a run.
#pragma once

#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// Wall time of all its processes together, in seconds.
inline double seconds_of_processes(const record::Run& run) {
  constexpr double seconds_per_ns = 1e-9;
  double seconds = 0;
  for (const record::Process& process : run.processes) seconds += static_cast<double>(process.wall_ns) * seconds_per_ns;
  return seconds;
}

}  // namespace torchgate::workflow
